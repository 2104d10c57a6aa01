"""The answers about policy packs, tools and schemas in words, part by part."""

from collections.abc import Iterable, Iterator
from typing import Any

from cmbs.cli.page import Id, Part, State, Table, when
from cmbs.common.words import Object, count, printable, shown, written


def version(found: Object) -> str:
    """A version of a pack: `shop, version 2`."""
    return f"{shown(found['pack'])}, version {found['version']}"


def published(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.publish_policy."""
    yield "pack", version(answer) + ", which was published before" * answer["duplicate"]
    yield "entries", str(answer["n_entries"])
    yield "fixtures", str(answer["n_fixtures"])
    yield "hash", answer["policy_hash"]


def refused(details: dict[str, Any]) -> Iterator[str]:
    """Why a pack was not published: what is wrong with entries, or which fixtures fail."""
    for finding in details.get("findings", ()):
        yield f"error    {shown(finding['key'])}  {printable(finding['finding'])}"
    yield from results(details.get("failed", ()))


def listed(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_policies."""
    if answer["halted"] is not None:
        yield State(f"HALTED   all is denied: {printable(answer['halted'])}")
    if answer["policies"]:
        yield Table(
            ["pack", "version", "entries", "published", "by", "hash"],
            [
                (
                    *(shown(found["pack"]), str(found["version"]), str(found["n_entries"])),
                    *(when(found["published_at"]), shown(found["published_by"])),
                    Id(found["policy_hash"]),
                )
                for found in answer["policies"]
            ],
        )


def whole(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.read_policy."""
    yield "pack", version(answer)
    yield "hash", answer["policy_hash"]
    yield "published", f"{when(answer['published_at'])} by {shown(answer['published_by'])}"
    names = [shown(str(one.get("name", "unnamed"))) for one in answer["fixtures"]]
    yield "fixtures", ", ".join(names) or "none"
    if answer["entries"]:
        yield ""
        entries = answer["entries"].items()
        yield Table(["entry", "value"], [(shown(key), written(value)) for key, value in entries])


def compared(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.diff_policy."""
    numbers = (f"{len(answer[name])} {name}" for name in ("added", "removed", "changed"))
    yield "from", version(answer["from"])
    yield "to", version(answer["to"])
    yield "entries", ", ".join(numbers)
    rows = [
        (name, shown(entry["key"]), printable(entry["value"]))
        for name in ("added", "removed")
        for entry in answer[name]
    ]
    for entry in answer["changed"]:
        rows += [
            (f"changed {end}", shown(entry["key"]), printable(entry[end])) for end in ("from", "to")
        ]
    if rows:
        yield ""
        yield Table(["change", "entry", "value"], rows)


def linted(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.lint_policy."""
    if answer["findings"]:
        yield Table(
            ["severity", "entry", "finding"],
            [
                (State(found["severity"]), shown(found["key"]), printable(found["finding"]))
                for found in answer["findings"]
            ],
        )
    yield f"{count(answer['n_errors'], 'error')}, {count(answer['n_warnings'], 'warning')}"


def tested(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.test_policy."""
    yield from results(answer["results"])
    number = count(answer["n_fixtures"], "fixture")
    yield f"{version(answer)}: {number}, {answer['n_failed']} failed"


def results(found: Iterable[Object]) -> Iterator[str]:
    """Fixtures, and of those that fail what was wanted, what came, and why."""
    for one in found:
        if one.get("ok"):
            yield State(f"ok       {shown(one['name'])}")
            continue
        got = one["got"]
        wanted = ", ".join(f"{name} {shown(str(of))}" for name, of in one["expected"].items())
        name = shown(one["name"])
        yield State(f"FAILED   {name}  expected {wanted}; got {verdict(got)}")
        for reason in got["reasons"]:
            yield f"         {why(reason)}"


def verdict(found: Object) -> State:
    """What was decided: `deny, block (NO_APPLICABLE_ALLOW)`."""
    if found["decision"] == "allow":
        return State("allow")
    return State(f"{found['decision']}, {found['disposition']} ({found['reason_code']})")


def why(reason: Object) -> str:
    """A check that failed: its code, the rule or key, and what would have to be."""
    key = shown(reason["key"]) if "key" in reason else ""
    if key and reason["code"] == "NO_APPLICABLE_ALLOW":
        key = f"nearest allow {key}"
    # That a rule has no condition is told with the rule.
    detail = printable(reason.get("detail", "")).removesuffix(": it denies always")
    return f"{reason['code']}  {': '.join(filter(None, (key, detail)))}".rstrip()


def halted(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.halt_policy."""
    tenant = shown(answer["tenant"])
    if answer["halted"] is None:
        yield f"policies decide for the tenant {tenant} again"
    else:
        reason = printable(answer["halted"])
        yield State(f"HALTED: everything of the tenant {tenant} is denied: {reason}")


def registered(answer: Object, of: str) -> Iterator[Part]:
    """An answer about a tool or a schema that was registered or withdrawn."""
    known = " (it was so before)" * answer["duplicate"]
    is_withdrawn = answer.get("withdrawn")
    yield of, f"{shown(answer[f'{of}_id'])}{', withdrawn' if is_withdrawn else ''}{known}"
    if not is_withdrawn:
        yield "hash", answer[f"{of}_hash"]


def tools(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_tools."""
    if answer["tools"]:
        yield Table(
            ["tool", "effect", "authorities", "schema", "version", "since", "by"],
            [*map(_tool, answer["tools"])],
        )


def _tool(found: Object) -> tuple[str, ...]:
    defined = found["definition"]
    when_and_who = when(found["registered_at"]), shown(found["registered_by"])
    if defined is None:
        return shown(found["tool_id"]), "withdrawn", "-", "-", "-", *when_and_who
    schema = defined["args_schema"]
    of_schema = "-" if schema is None else shown(schema) if isinstance(schema, str) else "its own"
    version = "-" if defined["version"] is None else shown(str(defined["version"]))
    does = f"{'writes' if defined['mutating'] else 'reads'}, {defined['effect_class']}"
    authorities = ", ".join(map(shown, defined["authorities"])) or "none"
    return shown(found["tool_id"]), does, authorities, of_schema, version, *when_and_who


def schemas(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_schemas."""
    if answer["schemas"]:
        yield Table(
            ["schema", "registered", "by", "hash"],
            [
                (
                    *(shown(found["schema_id"]), when(found["registered_at"])),
                    *(shown(found["registered_by"]), Id(found["schema_hash"])),
                )
                for found in answer["schemas"]
            ],
        )
