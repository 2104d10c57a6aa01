"""What the routes about policies, tools and schemas answer; see answers.py for the rules."""

from typing import Any, Literal

from .answers import Count, Exact, Hex, Object, Timestamp
from .arbitration_answers import AnyJson, PackVersion, VerdictWithReasons


class Published(Exact, kw_only=True):
    pack: str
    version: Count
    policy_hash: Hex
    n_entries: Count
    n_fixtures: Count
    duplicate: bool


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


class FixtureResult(Exact, kw_only=True):
    name: str
    ok: bool
    expected: Object
    got: VerdictWithReasons


class Tested(NamedVersion, kw_only=True):
    n_fixtures: Count
    n_failed: Count
    results: list[FixtureResult]


class Halted(Exact, kw_only=True):
    """`halted` is why, or null; that of all tenants counts too."""

    tenant: str
    halted: str | None


class ToolRegistered(Exact, kw_only=True):
    tool_id: str
    tool_hash: Hex | None
    withdrawn: bool
    duplicate: bool


class Tool(Exact, kw_only=True):
    tool_id: str
    withdrawn: bool
    tool_hash: Hex | None
    registered_at: Timestamp
    registered_by: str
    definition: Object | None


class Tools(Exact, kw_only=True):
    tools: list[Tool]


class SchemaRegistered(Exact, kw_only=True):
    schema_id: str
    schema_hash: Hex
    duplicate: bool


class ListedSchema(Exact, kw_only=True):
    schema_id: str
    schema_hash: Hex
    registered_at: Timestamp
    registered_by: str


class Schema(ListedSchema, kw_only=True):
    document: AnyJson


class Schemas(Exact, kw_only=True):
    schemas: list[ListedSchema]
