"""The answers about policy packs, tools and schemas in words, line by line."""

from collections.abc import Iterable, Iterator
from typing import Any

from cmbs.common.words import Object, count, minute, printable, shown, written


def version(found: Object) -> str:
    """A version of a pack: `shop, version 2`."""
    return f"{shown(found['pack'])}, version {found['version']}"


def published(answer: Object) -> Iterator[str]:
    """An answer of cmbs.publish_policy."""
    entries = count(answer["n_entries"], "entry", "entries")
    parts = [version(answer), answer["policy_hash"], entries]
    parts.append(count(answer["n_fixtures"], "fixture"))
    yield "  ".join(parts + ["known already"] * answer["duplicate"])


def refused(details: dict[str, Any]) -> Iterator[str]:
    """Why a pack was not published: what is wrong with entries, or which fixtures fail."""
    for finding in details.get("findings", ()):
        yield f"error    {shown(finding['key'])}  {printable(finding['finding'])}"
    yield from results(details.get("failed", ()))


def listed(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_policies."""
    if answer["halted"] is not None:
        yield f"HALTED   all is denied: {printable(answer['halted'])}"
    for found in answer["policies"]:
        entries = count(found["n_entries"], "entry", "entries")
        yield f"{version(found)}  {entries}  {_published(found)}  {found['policy_hash']}"


def whole(answer: Object) -> Iterator[str]:
    """An answer of cmbs.read_policy."""
    yield f"pack       {version(answer)}"
    yield f"hash       {answer['policy_hash']}"
    yield f"published  {_published(answer)}"
    for key, value in answer["entries"].items():
        yield f"  {shown(key)}  {written(value)}"
    names = [shown(str(one.get("name", "unnamed"))) for one in answer["fixtures"]]
    yield f"fixtures   {', '.join(names) or 'none'}"


def compared(answer: Object) -> Iterator[str]:
    """An answer of cmbs.diff_policy."""
    yield f"{version(answer['from'])} -> {version(answer['to'])}"
    for name in ("added", "removed"):
        for entry in answer[name]:
            yield f"{name:<8} {shown(entry['key'])}  {printable(entry['value'])}"
    for entry in answer["changed"]:
        yield f"changed  {shown(entry['key'])}"
        yield f"    from {printable(entry['from'])}"
        yield f"      to {printable(entry['to'])}"
    numbers = (f"{len(answer[name])} {name}" for name in ("added", "removed", "changed"))
    yield f"entries  {', '.join(numbers)}"


def linted(answer: Object) -> Iterator[str]:
    """An answer of cmbs.lint_policy."""
    for found in answer["findings"]:
        yield f"{found['severity']:<8} {shown(found['key'])}  {printable(found['finding'])}"
    yield f"{count(answer['n_errors'], 'error')}, {count(answer['n_warnings'], 'warning')}"


def tested(answer: Object) -> Iterator[str]:
    """An answer of cmbs.test_policy."""
    yield from results(answer["results"])
    number = count(answer["n_fixtures"], "fixture")
    yield f"{version(answer)}: {number}, {answer['n_failed']} failed"


def results(found: Iterable[Object]) -> Iterator[str]:
    """Fixtures, and of those that fail what was wanted, what came, and why."""
    for one in found:
        if one.get("ok"):
            yield f"ok       {shown(one['name'])}"
            continue
        got = one["got"]
        wanted = ", ".join(f"{name} {shown(str(of))}" for name, of in one["expected"].items())
        yield f"FAILED   {shown(one['name'])}  expected {wanted}; got {verdict(got)}"
        for reason in got["reasons"]:
            yield f"         {why(reason)}"


def verdict(found: Object) -> str:
    """What was decided: `deny, block (NO_APPLICABLE_ALLOW)`."""
    if found["decision"] == "allow":
        return "allow"
    return f"{found['decision']}, {found['disposition']} ({found['reason_code']})"


def why(reason: Object) -> str:
    """A check that failed: its code, the rule or key, and what would have to be."""
    key = shown(reason["key"]) if "key" in reason else ""
    if key and reason["code"] == "NO_APPLICABLE_ALLOW":
        key = f"nearest allow {key}"
    detail = printable(reason.get("detail", ""))
    return f"{reason['code']}  {': '.join(filter(None, (key, detail)))}".rstrip()


def halted(answer: Object) -> Iterator[str]:
    """An answer of cmbs.halt_policy."""
    if answer["halted"] is None:
        yield f"tenant {shown(answer['tenant'])} is not halted: policies decide"
    else:
        reason = printable(answer["halted"])
        yield f"tenant {shown(answer['tenant'])} is HALTED, all is denied: {reason}"


def registered(answer: Object, of: str) -> Iterator[str]:
    """An answer about a tool or a schema that was registered or withdrawn."""
    parts = [shown(answer[f"{of}_id"])]
    parts.append("withdrawn" if answer.get("withdrawn") else answer[f"{of}_hash"])
    yield "  ".join(parts + ["known already"] * answer["duplicate"])


def tools(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_tools."""
    for found in answer["tools"]:
        defined = found["definition"]
        if defined is None:
            when = f"{minute(found['registered_at'])} by {shown(found['registered_by'])}"
            yield f"{shown(found['tool_id'])}  withdrawn {when}"
            continue
        parts = [shown(found["tool_id"]), "writes" if defined["mutating"] else "reads"]
        parts.append(f"effect {defined['effect_class']}")
        parts.append(f"authorities {', '.join(map(shown, defined['authorities'])) or 'none'}")
        schema = defined["args_schema"]
        if schema is not None:
            parts.append(f"schema {shown(schema) if isinstance(schema, str) else 'its own'}")
        if defined["version"] is not None:
            parts.append(f"version {shown(str(defined['version']))}")
        yield "  ".join(parts)


def schemas(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_schemas."""
    for found in answer["schemas"]:
        when = f"{minute(found['registered_at'])} by {shown(found['registered_by'])}"
        yield f"{shown(found['schema_id'])}  {found['schema_hash']}  {when}"


def _published(found: Object) -> str:
    return f"{minute(found['published_at'])} by {shown(found['published_by'])}"
