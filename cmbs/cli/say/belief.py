"""The answers of explain, diff and whatif in words, line by line."""

from collections.abc import Iterator
from typing import Any

from cmbs.common.words import Object, count, shown, written


def explained(answer: Object) -> Iterator[str]:
    """An answer of cmbs.explain."""
    snapshot, hypothesis = answer["snapshot"], answer["hypothesis"]
    yield f"session       {snapshot['session_id']}"
    yield f"believes      {_standing(snapshot)}, of {snapshot['n_hypotheses']} declared"
    if hypothesis:
        fate = "survives" if hypothesis["survives"] else "was eliminated"
        yield f"hypothesis    {shown(hypothesis['hypothesis_id'])} {fate}"
    if obligation := answer["obligation"]:
        yield f"obligation    {_obligation(obligation)}, since {obligation['since']}"
    conclusion, termination = answer["conclusion"], answer["termination"]
    verdict = _verdict({**conclusion, "approved": conclusion["accepted"]})
    yield f"conclusion    would be {verdict}"
    if conclusion["conclusion_id"] is not None:
        window = conclusion["stability_window"]
        wanted = f" of {window}" if window else ""
        yield (
            f"  last        {shown(conclusion['conclusion_id'])}, "
            f"{conclusion['n_in_a_row']}{wanted} in a row"
        )
    yield f"termination   would be {_verdict(termination)}"
    for lacking in termination["missing"]:
        more = "out of reach" if lacking["missing"] is None else f"{lacking['missing']} to go"
        yield f"  lacking     {lacking['condition']}: {more}"
    if termination["with_force"] != {name: termination[name] for name in termination["with_force"]}:
        yield f"  with force  {_verdict(termination['with_force'])}"
    if not (hypothesis and hypothesis["survives"]):
        yield from _eliminations(answer["eliminations"])


def _eliminations(found: Object) -> Iterator[str]:
    yield (
        f"eliminated    {count(found['n_eliminated'], 'hypothesis', 'hypotheses')} "
        f"by {count(found['n_events'], 'event')} of {count(found['n_sources'], 'source')}"
    )
    for source in found["sources"]:
        number, events = source["n_eliminated"], count(source["n_events"], "event")
        yield f"  {shown(source['source_id'])}: {number} by {events}"
    yield from _rest(found["n_sources"], found["sources"], "source")
    for event in found["events"]:
        yield (
            f"  {event['ts']}  {shown(event['source_id'])}, {shown(event['observation_id'])}"
            f"  (by {shown(event['actor'])}, event {event['event_id']})"
        )
        yield f"    gone: {_ids(event['eliminated'], event['n_eliminated'])}"
        if event["justification"]:
            yield f"    because: {written(event['justification'])}"
    yield from _rest(found["n_events"], found["events"], "event")


def compared(answer: Object) -> Iterator[str]:
    """An answer of cmbs.diff."""
    yield f"session     {answer['session_id']}"
    for name in ("from", "to"):
        end = answer[name]
        yield f"{name:<10}  event {end['seq']}, {end['ts']}: {_standing(end)}"
    verbs = ", ".join(f"{number} {verb}" for verb, number in answer["verbs"].items())
    yield f"between     {count(answer['n_events'], 'event')}{verbs and ': '}{verbs}"
    yield f"eliminated  {count(answer['n_eliminated'], 'hypothesis', 'hypotheses')}"
    for gone in answer["eliminated"]:
        evidence = f"{shown(gone['source_id'])}, {shown(gone['observation_id'])}"
        yield f"  {gone['ts']}  {shown(gone['hypothesis_id'])}  ({evidence})"
    yield from _rest(answer["n_eliminated"], answer["eliminated"], "hypothesis", "hypotheses")
    yield f"gates       {count(answer['n_gates'], 'message')}"
    for gate in answer["gates"]:
        subject = "" if gate["subject_id"] is None else f" {shown(gate['subject_id'])}"
        verdict = "" if gate["approved"] is None else f": {_verdict({**gate, 'error': None})}"
        yield f"  {gate['ts']}  {gate['verb']}{subject}{verdict}"
    yield from _rest(answer["n_gates"], answer["gates"], "message")


def supposed(answer: Object) -> Iterator[str]:
    """An answer of cmbs.whatif."""
    named = {"source": answer["without_source"], "observation": answer["without_observation"]}
    without = ", ".join(f"{name} {shown(given)}" for name, given in named.items() if given)
    yield f"session    {answer['session_id']}"
    yield f"without    {without}: {count(answer['removed'], 'message')}"
    yield f"recorded   {_standing(answer['recorded'])}"
    yield f"instead    {_standing(answer['instead'])}"
    yield f"returning  {count(answer['n_returning'], 'hypothesis', 'hypotheses')}"
    yield from (f"  {shown(returning)}" for returning in answer["returning"])
    if answer["refused"]:
        yield f"refused    {count(answer['refused'], 'message')} that the session took"
    yield f"gates      {answer['n_flips']} of {answer['n_gates']} would have said otherwise"
    for flip in answer["flips"]:
        yield (
            f"  event {flip['seq']}  {flip['verb']}: "
            f"{_verdict(flip['recorded'])} -> {_verdict(flip['instead'])}"
        )
    yield from _rest(answer["n_flips"], answer["flips"], "gate")


def _standing(found: Object) -> str:
    survivors = count(found["n_survivors"], "survivor")
    obligation = found["active_obligation"]
    return "".join(
        (
            f"{survivors}, entropy {float(found['entropy_proxy']):.2f}",
            f", obligation {_obligation(obligation)}" if obligation else "",
            ", terminated" if found["terminated"] else "",
        )
    )


def _obligation(found: Object) -> str:
    counted = f"{found['eliminated_since_entry']} of {found['min_total_eliminations']}"
    never = "" if found["satisfiable"] else ", which can never be met"
    return f"{shown(found['obligation_id'])} with {counted} eliminations{never}"


def _verdict(found: Object) -> str:
    """What a gate says; of a message that is only taken, that it is."""
    if found["error"]:
        return f"refused ({found['error']})"
    if found["approved"] is None:
        return "taken"
    decided = "approved" if found["approved"] else "denied"
    return decided if found["reason"] in (decided, "accepted") else f"{decided} ({found['reason']})"


def _ids(listed: list[str], number: int) -> str:
    more = f" and {number - len(listed)} more" if number > len(listed) else ""
    return ", ".join(map(shown, listed)) + more


def _rest(number: int, listed: list[Any], one: str, many: str | None = None) -> Iterator[str]:
    if more := number - len(listed):
        yield f"  and {count(more, one, many)} more; see --limit"
