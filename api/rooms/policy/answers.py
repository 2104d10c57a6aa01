"""What the routes about policy packs answer."""

from typing import Any, Literal

from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Timestamp


class PackVersion(Exact, kw_only=True):
    pack: str
    version: Count
    policy_hash: Hex


class ListedPolicy(PackVersion, kw_only=True):
    n_entries: Count
    published_at: Timestamp
    published_by: str


class Policies(Exact, kw_only=True):
    """`halted` is why every proposal and claim is denied now, if they are."""

    halted: str | None
    policies: list[ListedPolicy]


class PolicyVersion(PackVersion, kw_only=True):
    published_at: Timestamp
    published_by: str
    fixtures: list[Object]
    entries: dict[str, Any]


class NamedVersion(Exact, kw_only=True):
    pack: str
    version: Count


class Entry(Exact, kw_only=True):
    """A key and the text of its entry."""

    key: str
    value: str


class ChangedEntry(Exact, kw_only=True, rename={"from_": "from"}):
    key: str
    from_: str
    to: str


class PolicyDiff(Exact, kw_only=True, rename={"from_": "from"}):
    from_: NamedVersion
    to: NamedVersion
    added: list[Entry]
    removed: list[Entry]
    changed: list[ChangedEntry]


class Finding(Exact, kw_only=True):
    key: str
    severity: Literal["error", "warning"]
    finding: str


class Linted(Exact, kw_only=True):
    n_errors: Count
    n_warnings: Count
    findings: list[Finding]


class Halted(Exact, kw_only=True):
    """`halted` is why, or null; that of all tenants counts too."""

    tenant: str
    halted: str | None
