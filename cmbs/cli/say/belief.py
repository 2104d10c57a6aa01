"""The answers of explain, diff and whatif in words, part by part."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from cmbs.cli.page import Part, State, Table, when
from cmbs.common.words import Object, count, shown, written

# What each condition of termination is counted in.
_UNITS = {
    "no active obligation": ("elimination", "eliminations"),
    "a singleton survivor": ("hypothesis to rule out", "hypotheses to rule out"),
    "a stable conclusion": ("equal conclusion", "equal conclusions"),
}


def explained(answer: Object, survivors: list[str]) -> Iterator[Part]:
    """An answer of cmbs.explain, and which hypotheses survive, if they are few."""
    snapshot, hypothesis = answer["snapshot"], answer["hypothesis"]
    yield "session", snapshot["session_id"]
    declared = f" of {_hypotheses(snapshot['n_hypotheses'])}"
    yield from _belief({**snapshot, "active_obligation": None}, "survivors", declared)
    if survivors:
        yield "  which", ", ".join(map(shown, survivors))
    if hypothesis:
        fate = "survives" if hypothesis["survives"] else "is eliminated"
        yield "hypothesis", f"{shown(hypothesis['hypothesis_id'])} {fate}"
    if obligation := answer["obligation"]:
        yield "obligation", f"{_obligation(obligation)}, since {when(obligation['since'])}"
    yield from _gates(answer)
    if not (hypothesis and hypothesis["survives"]):
        yield from _eliminations(answer["eliminations"])


def _gates(answer: Object) -> Iterator[Part]:
    """What a conclusion and a termination would meet now."""
    conclusion, termination = answer["conclusion"], answer["termination"]
    yield "a conclusion", _would({**conclusion, "approved": conclusion["accepted"]})
    if conclusion["conclusion_id"] is not None:
        window = conclusion["stability_window"]
        wanted = f" of {window}" if window else ""
        last = f"{shown(conclusion['conclusion_id'])}, {conclusion['n_in_a_row']}{wanted} in a row"
        yield "  the last", last
    yield "termination", _would(termination)
    for lacking in termination["missing"]:
        yield "  needs", _lacking(lacking)
    forced = termination["with_force"]
    if forced != {name: termination[name] for name in forced}:
        yield "  with force", _would(forced)


def _lacking(found: Object) -> str:
    """A condition of termination, and how much more it takes."""
    if found["missing"] is None:
        return f"{found['condition']}, which is out of reach"
    one, many = _UNITS.get(found["condition"], ("more", "more"))
    return f"{found['condition']}: {found['missing']} more {one if found['missing'] == 1 else many}"


def _would(found: Object) -> State:
    """What a gate would say now."""
    return State(f"would be {_verdict(found)}")


def _eliminations(found: Object) -> Iterator[Part]:
    gone = _hypotheses(found["n_eliminated"])
    events, sources = count(found["n_events"], "event"), count(found["n_sources"], "source")
    yield "eliminated", f"{gone}, by {events} of {sources}"
    if found["sources"]:
        yield ""
        yield Table(
            ["source", "eliminated", "events"],
            [
                (shown(one["source_id"]), str(one["n_eliminated"]), str(one["n_events"]))
                for one in found["sources"]
            ],
        )
    yield from _rest(found["n_sources"], found["sources"], "source")
    if found["events"]:
        yield ""
        yield Table(
            ["event", "time", "source", "observation", "actor", "eliminated", "because"],
            [*map(_elimination, found["events"])],
        )
    yield from _rest(found["n_events"], found["events"], "event")


def _elimination(event: Object) -> tuple[str, ...]:
    return (
        _seq(event["event_id"]),
        when(event["ts"]),
        shown(event["source_id"]),
        shown(event["observation_id"]),
        shown(event["actor"]),
        _ids(event["eliminated"], event["n_eliminated"]),
        written(event["justification"]) if event["justification"] else "-",
    )


def compared(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.diff."""
    yield "session", answer["session_id"]
    for name in ("from", "to"):
        end = answer[name]
        yield name, f"event {end['seq']}, {when(end['ts'])}"
        yield from _belief(end, "  survivors")
    verbs = ", ".join(f"{number} {verb}" for verb, number in answer["verbs"].items())
    yield "between", f"{count(answer['n_events'], 'event')}{verbs and ': '}{verbs}"
    yield "eliminated", _hypotheses(answer["n_eliminated"])
    yield "gates", count(answer["n_gates"], "message")
    if answer["eliminated"]:
        yield ""
        yield Table(
            ["eliminated", "time", "source", "observation"],
            [
                (
                    *(shown(gone["hypothesis_id"]), when(gone["ts"])),
                    *(shown(gone["source_id"]), shown(gone["observation_id"])),
                )
                for gone in answer["eliminated"]
            ],
        )
    yield from _rest(answer["n_eliminated"], answer["eliminated"], "hypothesis", "hypotheses")
    if answer["gates"]:
        yield ""
        yield Table(["gate", "time", "of", "answer"], [*map(_gate, answer["gates"])])
    yield from _rest(answer["n_gates"], answer["gates"], "message")


def _gate(gate: Object) -> tuple[str, ...]:
    subject = "-" if gate["subject_id"] is None else shown(gate["subject_id"])
    return gate["verb"], when(gate["ts"]), subject, _verdict({**gate, "error": None})


def supposed(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.whatif."""
    named = {"source": answer["without_source"], "observation": answer["without_observation"]}
    without = ", ".join(f"{name} {shown(given)}" for name, given in named.items() if given)
    yield "session", answer["session_id"]
    yield "without", f"{without}: {count(answer['removed'], 'message')}"
    yield "as recorded", ""
    yield from _belief(answer["recorded"], "  survivors")
    yield "without them", ""
    yield from _belief(answer["instead"], "  survivors")
    yield "would return", _hypotheses(answer["n_returning"])
    if answer["refused"]:
        yield "would be refused", f"{count(answer['refused'], 'message')} that the session took"
    yield "gates", f"{answer['n_flips']} of {answer['n_gates']} would answer otherwise"
    if answer["returning"]:
        yield ""
        yield Table(["would return"], [(shown(one),) for one in answer["returning"]])
    if answer["flips"]:
        yield ""
        yield Table(
            ["event", "gate", "answered", "would answer"],
            [
                (
                    *(str(flip["seq"]), flip["verb"]),
                    *(_verdict(flip["recorded"]), _verdict(flip["instead"])),
                )
                for flip in answer["flips"]
            ],
        )
    yield from _rest(answer["n_flips"], answer["flips"], "gate")


def _belief(found: Object, label: str, of: str = "") -> Iterator[Part]:
    """How many survive, and what else is so at that moment."""
    yield label, f"{found['n_survivors']}{of}, entropy {float(found['entropy_proxy']):.2f}"
    indent = label[: len(label) - len(label.lstrip())]
    if obligation := found["active_obligation"]:
        yield f"{indent}obligation", _obligation(obligation)
    if found["terminated"]:
        yield f"{indent}state", State("terminated")


def _obligation(found: Object) -> str:
    counted = f"{found['eliminated_since_entry']} of {found['min_total_eliminations']}"
    never = "" if found["satisfiable"] else ", which is out of reach"
    return f"{shown(found['obligation_id'])}, {counted} eliminations{never}"


def _verdict(found: Object) -> State:
    """What a gate says; of a message that is only taken, that it is."""
    if found["error"]:
        return State(f"refused ({found['error']})")
    if found["approved"] is None:
        return State("taken")
    decided = "approved" if found["approved"] else "denied"
    is_plain = found["reason"] in (decided, "accepted")
    return State(decided if is_plain else f"{decided} ({found['reason']})")


def _hypotheses(number: int) -> str:
    return count(number, "hypothesis", "hypotheses")


def _seq(event_id: str) -> str:
    """The place of an event in its log, which is in its id."""
    return str(UUID(event_id).int & 0xFFFF_FFFF_FFFF)


def _ids(listed: list[str], number: int) -> str:
    more = f" and {number - len(listed)} more" if number > len(listed) else ""
    return ", ".join(map(shown, listed)) + more


def _rest(number: int, listed: list[Any], one: str, many: str | None = None) -> Iterator[Part]:
    if more := number - len(listed):
        yield f"and {count(more, one, many)} more; see --limit"
