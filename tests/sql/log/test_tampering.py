"""Whoever has every privilege and switches the triggers off: `cmbs.verify` names what they did to
the tables. (What they make hashes for, too, is in test_forgery.py.)
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.sql.verdict.scene import ALWAYS, tool_call
from tests.support.beliefs import Session
from tests.support.databases import copy_of_a_module
from tests.support.forger import LOG, Scene
from tests.support.sizes import IS_NIGHTLY

# Not in the log, so that nothing tells whether they were changed. (Of session.policy_as_sent the
# log tells only that it led to the policy, not which members it left to the defaults.)
UNSEEN: dict[tuple[str, str], str] = {
    ("universe", "registered_at"): "when a set of ids came first is part of no session",
    ("session", "tenant"): "a log can be exported, and is the same wherever it is imported; that "
    "the tenant is fixed is the trigger's to say, and that the trigger is on is for cmbs doctor",
    ("session", "is_mirrored"): "who else is told of a session is no part of what was believed; "
    "a Tee that is told nothing has nothing to show",
    ("session", "n_clock_steps"): "how often the clock of a server was set back is in no log; "
    "where it differs, what was granted counts no more",
}


@pytest.fixture(scope="module")
def _scene(server: SimpleNamespace, template: Any) -> Iterator[Scene]:
    with copy_of_a_module(server, template, "tampered") as connection:
        yield Scene(connection)


@pytest.fixture
def scene(_scene: Scene) -> Iterator[Scene]:
    with _scene.connection.transaction(force_rollback=True):
        yield _scene


def test_the_scene_is_whole(scene: Scene) -> None:
    for session_id, length in (
        (scene.rich, 21),
        (scene.open, 8),
        (scene.chunked, 4),
        (scene.arbitrated, 41),
        (scene.tee, 4),
        (scene.twin, 8),
    ):
        found = scene.verdict(session_id)
        assert (found["ok"], found["rows_checked"]) == (True, length)


# Every column of every row

CHANGED = {
    "uuid": "overlay({0}::text placing 'ffff' from 1 for 4)::uuid",
    "bytea": "set_byte({0}, 0, 255 - get_byte({0}, 0))",
    "text": "{0} || 'x'",
    "integer": "{0} + 1000",
    "bigint": "{0} + 1000",
    "boolean": "not {0}",
    "timestamp with time zone": "{0} + interval '1 microsecond'",
    "numeric": "{0} + 0.00001",
    # Of an object one more member, of anything else a list of it and more.
    "jsonb": """{0} || '{{"x": 1}}'""",
    "_text": "{0} || 'x'::text",
    "_uuid": "{0} || gen_random_uuid()",
    "_float4": "{0} || 1::real",
}
FILLED = {
    **{"text": "'x'", "bigint": "'1'", "integer": "'1'", "bytea": r"'\x00'", "jsonb": "'{}'"},
    **{"timestamp with time zone": "now()", "uuid": "gen_random_uuid()"},
    **{"_text": "'{}'", "_uuid": "'{}'", "_float4": "'{1}'"},
}
COLUMNS: dict[str, dict[str, str]] = {
    "audit_event": {
        "session_id": "uuid",
        "seq": "bigint",
        "recorded_at": "timestamp with time zone",
        "event_id": "uuid",
        "event_hash": "bytea",
        "verb": "text",
        "actor": "text",
        "source_id": "text",
        "observation_id": "text",
        "request_id": "text",
        "record": "text",
    },
    "session": {
        "session_id": "uuid",
        "tenant": "text",
        "declared_at": "timestamp with time zone",
        "universe_digest": "bytea",
        "n_hypotheses": "integer",
        "stability_window": "integer",
        "validate_hypotheses": "boolean",
        "allow_forced_termination": "boolean",
        "hypothesis_space_id": "text",
        "ontology": "text",
        "policy_as_sent": "text",
        "audit_seq": "bigint",
        "audit_head_event_id": "uuid",
        "audit_head_hash": "bytea",
        "audit_head_at": "timestamp with time zone",
        "survivors_hash": "bytea",
        "n_survivors": "integer",
        "is_terminated": "boolean",
        "mask": "bytea",
        "obligation_seq": "bigint",
        "obligation_id": "text",
        "obligation_minimum": "bigint",
        "obligation_survivors": "integer",
        "conclusion_id": "text",
        "conclusion_run": "integer",
        "universe_from": "text",
        "is_mirrored": "boolean",
        "n_clock_steps": "integer",
    },
    "session_mask": {"session_id": "uuid", "chunk_no": "integer", "chunk": "bytea"},
    "tombstone": {"session_id": "uuid", "seq": "bigint", "hypothesis_id": "text"},
    "obligation": {
        "session_id": "uuid",
        "entered_seq": "bigint",
        "obligation_id": "text",
        "min_total_eliminations": "bigint",
        "survivors_at_entry": "integer",
    },
    "obligation_end": {
        "session_id": "uuid",
        "entered_seq": "bigint",
        "ended_seq": "bigint",
        "outcome": "text",
        "survivors_at_end": "integer",
    },
    "conclusion": {
        "session_id": "uuid",
        "seq": "bigint",
        "conclusion_id": "text",
        "is_accepted": "boolean",
    },
    "universe": {
        "universe_digest": "bytea",
        "n_hypotheses": "integer",
        "registered_at": "timestamp with time zone",
    },
    "universe_member": {
        "universe_digest": "bytea",
        "hypothesis_id": "text",
        "hypothesis_rank": "integer",
    },
    "policy": {
        "policy_hash": "bytea",
        "n_entries": "integer",
        "settings": "jsonb",
        "missing_constraints": "_text",
    },
    "policy_entry": {
        "policy_hash": "bytea",
        "key": "text",
        "value": "text",
        "value_hash": "bytea",
        "subject": "text",
        "effect": "text",
        "on_fail": "text",
        "condition": "jsonb",
        "reads": "_text",
        "schemas": "_text",
        "reason": "text",
        "fault": "text",
    },
    "schema_document": {
        "schema_hash": "bytea",
        "document": "text",
    },
    "tool_definition": {
        "tool_hash": "bytea",
        "definition": "text",
    },
    "policy_pin": {
        "session_id": "uuid",
        "seq": "bigint",
        "pack": "text",
        "version": "integer",
        "policy_hash": "bytea",
    },
    "proposal": {
        "session_id": "uuid",
        "seq": "bigint",
        "actor": "text",
        "idempotency_key": "text",
        "content_hash": "bytea",
        "decision": "text",
        "disposition": "text",
        "reason_code": "text",
    },
    "state_delta": {
        "session_id": "uuid",
        "seq": "bigint",
        "item_no": "integer",
        "delta_no": "bigint",
        "patch": "text",
        "s_core": "_float4",
    },
    "state_value": {
        "session_id": "uuid",
        "key": "text",
        "seq": "bigint",
        "value": "text",
    },
    "state_checkpoint": {
        "session_id": "uuid",
        "delta_no": "bigint",
        "seq": "bigint",
        "f_sparse": "text",
        "s_core": "_float4",
    },
    "capability_token": {
        "session_id": "uuid",
        "token_id": "uuid",
        "seq": "bigint",
        "parent_id": "uuid",
        "chain": "_uuid",
        "holder": "text",
        "tools": "_text",
        "capabilities": "_text",
        "state_prefixes": "_text",
        "resource_roots": "_text",
        "budgets": "jsonb",
        "valid_from": "timestamp with time zone",
        "expires_at": "timestamp with time zone",
        "approval": "text",
        "secret_hash": "bytea",
    },
    "capability_revocation": {
        "session_id": "uuid",
        "token_id": "uuid",
        "seq": "bigint",
    },
    "capability_spending": {
        "session_id": "uuid",
        "token_id": "uuid",
        "unit": "text",
        "seq": "bigint",
        "amount": "bigint",
        "spent": "bigint",
    },
    "interrupt": {
        "session_id": "uuid",
        "interrupt_id": "uuid",
        "seq": "bigint",
        "item_no": "integer",
        "action_digest": "bytea",
        "constraint_keys": "_text",
        "expires_at": "timestamp with time zone",
    },
    "claim": {
        "session_id": "uuid",
        "claim_id": "uuid",
        "seq": "bigint",
        "key": "text",
        "kind": "text",
        "value": "jsonb",
        "confidence": "numeric",
        "source_chunk_ids": "_text",
        "confirmed_by_event_id": "uuid",
        "is_confirmed": "boolean",
        "conflict_state": "text",
        "expires_at": "timestamp with time zone",
        "review_at": "timestamp with time zone",
        "promotes": "uuid",
    },
    "claim_confirmation": {
        "session_id": "uuid",
        "seq": "bigint",
        "key": "text",
        "value_digest": "bytea",
    },
    "elimination_claimant": {
        "session_id": "uuid",
        "hypothesis_id": "text",
        "actor": "text",
        "seq": "bigint",
        "other_seq": "bigint",
    },
    "elimination_count": {
        "session_id": "uuid",
        "counted_seq": "bigint",
    },
    "permit": {
        "session_id": "uuid",
        "permit_id": "uuid",
        "seq": "bigint",
        "item_no": "integer",
        "tool_id": "text",
        "actor": "text",
        "token_id": "uuid",
        "expires_at": "timestamp with time zone",
    },
    "permit_begin": {
        "session_id": "uuid",
        "permit_id": "uuid",
        "seq": "bigint",
        "actor": "text",
    },
    "permit_end": {
        "session_id": "uuid",
        "permit_id": "uuid",
        "seq": "bigint",
        "status": "text",
        "result_hash": "bytea",
    },
    "interrupt_resolution": {
        "session_id": "uuid",
        "interrupt_id": "uuid",
        "seq": "bigint",
        "resolution": "text",
        "actor": "text",
    },
    "interrupt_use": {
        "session_id": "uuid",
        "interrupt_id": "uuid",
        "seq": "bigint",
    },
    "deferral": {
        "session_id": "uuid",
        "deferral_id": "uuid",
        "seq": "bigint",
        "attempt": "integer",
        "keys": "_text",
        "next_at": "timestamp with time zone",
    },
    "session_mode": {
        "session_id": "uuid",
        "seq": "bigint",
        "mode": "text",
    },
    "clock_step": {
        "session_id": "uuid",
        "seq": "bigint",
        "lead_us": "bigint",
    },
    "shadow_pin": {
        "session_id": "uuid",
        "seq": "bigint",
        "pack": "text",
        "version": "integer",
        "policy_hash": "bytea",
    },
    "open_item": {
        "session_id": "uuid",
        "kind": "text",
        "item_id": "uuid",
        "tenant": "text",
        "due_at": "timestamp with time zone",
        "is_open": "boolean",
    },
}
# What a constraint lets a column be; all else is refused before anybody could verify it.
OTHERWISE = {
    ("obligation_end", "outcome"): "case outcome when 'exited' then 'waived' else 'exited' end",
    ("permit_end", "status"): "case status when 'expired' then 'committed' else 'expired' end",
    ("interrupt_resolution", "resolution"): "case resolution "
    "when 'approve' then 'cancel' else 'approve' end",
    ("open_item", "kind"): "case kind when 'permit' then 'deferral' else 'permit' end",
    ("reason_code", "disposition"): "case disposition when 'block' then 'ask' else 'block' end",
    ("webhook_message", "state"): "case state when 'dead' then 'pending' else 'dead' end",
    ("tee_message", "state"): "case state when 'dead' then 'pending' else 'dead' end",
}
# What decisions name by the hash of its content; a session has no rows of it.
CONTENT = {"policy", "policy_entry", "schema_document", "tool_definition"}
ARBITRATION = {*COLUMNS} - {"audit_event", "session", "session_mask", "tombstone", "conclusion"}
ARBITRATION -= {"obligation", "obligation_end", "universe", "universe_member"}
REGISTRIES = {"reason_code", "policy_version", "policy_halt", "json_schema", "tool_registration"}
# Who is to be told of questions, and what was told: no event says so, and no decision rests on it.
REGISTRIES |= {"webhook", "webhook_message"}
# What a session took of a graph and of an incident stands in its first two events; they have no log
# of their own, and who else was told is in none.
GRAPHS = {
    *("graph_head", "graph_merge", "graph_node", "graph_node_confirmation"),
    *("graph_node_provenance", "graph_edge", "graph_edge_provenance", "universe_edge"),
    *("incident", "incident_event", "node_tombstone", "edge_tombstone"),
    *("tee_mirror", "tee_message"),
}
EVERY_COLUMN = [(table, column) for table, columns in COLUMNS.items() for column in columns]


def test_no_column_is_left_out(scene: Scene) -> None:
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in scene.connection.execute(
        "select c.table_name, c.column_name, "
        "case c.data_type when 'ARRAY' then c.udt_name else c.data_type end "
        "from information_schema.columns as c where c.table_schema = 'cmbs_store' "
        "and c.table_name not in ('revision', 'policy_default', 'hypothesis_space', 'clock_mark') "
        # Nor do these belong to a session; test_a_changed_registry has them.
        "and c.table_name <> all(%s) "
        # Contexts have no log that could tell of them.
        "and c.table_name not like 'context%%' "
        # Of identities there is a log of its own: test_tampering_with_identities.py.
        "and c.table_name !~ '^(principal|api_token|identity)'",
        [[*REGISTRIES, *GRAPHS]],
    ):
        found.setdefault(table, {})[column] = kind
    assert found == COLUMNS


def rows_of(scene: Scene, table: str) -> list[tuple[UUID, str]]:
    """Some rows of a table by their place in it: of each session the first or the last, at night
    both and the middle."""
    rows = []
    sessions = (scene.rich, scene.open, scene.chunked, scene.arbitrated, scene.tee)
    for no, session_id in enumerate(sessions):
        owner = f"session_id = '{session_id}'"
        if table.startswith("universe"):
            digest = scene.value(
                f"select universe_digest from cmbs_store.session where {owner}"
            ).hex()
            owner = rf"universe_digest = '\x{digest}'"
        elif table in CONTENT:
            kind = table.split("_")[0]
            owner = (
                f"{kind}_hash in (select decode(c.content_hash, 'hex') "
                f"from cmbs.arbitration_content as c where c.kind = '{kind}' and c.{owner})"
            )
        ctids = [
            ctid
            for (ctid,) in scene.connection.execute(
                f"select ctid::text from cmbs_store.{table} where {owner}".encode()
            )
        ]
        places = (0, len(ctids) // 2, -1) if IS_NIGHTLY else (-(no % 2),)
        picked = {ctids[at] for at in places} if ctids else set()
        if table == "policy_entry":
            # Each kind of entry is read in a way of its own.
            picked = set(ctids)
        rows += [(session_id, ctid) for ctid in sorted(picked)]
    return rows


@pytest.mark.parametrize(("table", "column"), EVERY_COLUMN, ids=lambda value: str(value))
def test_a_changed_column(scene: Scene, table: str, column: str) -> None:
    kind = COLUMNS[table][column]
    name, changed = f"cmbs_store.{table}", CHANGED[kind].format(column)
    changed = OTHERWISE.get((table, column), changed)
    changed = f"coalesce({changed}, {FILLED.get(kind, changed)})"
    # As long as all the rest.
    asks_all = IS_NIGHTLY or column == next(iter(COLUMNS[table]))
    rows = rows_of(scene, table)
    assert rows
    if not IS_NIGHTLY:
        # Of the sessions each second, of the next column the others.
        rows = rows[[*COLUMNS[table]].index(column) % 2 :: 2] or rows
    for no, (session_id, ctid) in enumerate(rows):
        with scene.connection.transaction(force_rollback=True):
            seq = _seq_of(scene, table, ctid)
            assert scene.run(f"update {name} set {column} = {changed} where ctid = '{ctid}'") == 1
            if (table, column) in UNSEEN:
                # But for what is noted as open, with whose it is.
                is_noted = column == "tenant" and session_id == scene.arbitrated
                assert scene.verdict(session_id, of_all=asks_all and no == 0)["ok"] is not is_noted
                continue
            bad, _ = scene.first_bad(session_id, of_all=asks_all and no == 0)
            if column in {"session_id", "audit_seq"}:
                # What is missing is missed where the log should have had it.
                assert 1 <= bad <= scene.length(session_id) + 1
            elif table.startswith("universe"):
                assert bad == 1
            elif table in ARBITRATION:
                # Where a decision that was taken by it does not follow any more, at the latest.
                assert (seq or 1) <= bad <= scene.length(session_id)
            elif seq is not None:
                assert bad == seq
            else:
                assert bad in {1, scene.length(session_id)}


def _seq_of(scene: Scene, table: str, ctid: str) -> int | None:
    column = {"obligation": "entered_seq", "obligation_end": "ended_seq"}.get(table, "seq")
    if column not in COLUMNS[table]:
        return None
    return int(scene.value(f"select {column} from cmbs_store.{table} where ctid = '{ctid}'"))


# Rows of arbitration, and what decisions went by


@pytest.mark.parametrize("table", sorted(ARBITRATION))
def test_a_removed_row(scene: Scene, table: str) -> None:
    for no, (session_id, ctid) in enumerate(rows_of(scene, table)):
        with scene.connection.transaction(force_rollback=True):
            seq = _seq_of(scene, table, ctid)
            assert scene.run(f"delete from cmbs_store.{table} where ctid = '{ctid}'") == 1
            bad, _ = scene.first_bad(session_id, of_all=no == 0)
            assert (seq or 1) <= bad <= scene.length(session_id)


WRITTEN = {
    "a claim": "update cmbs_store.claim set value = '1.5' where value::text = '1.50'",
    "a budget": "update cmbs_store.capability_token set budgets = '{\"max_calls\": 1.0}' "
    "where budgets = '{\"max_calls\": 1}'",
    "a setting": "update cmbs_store.policy set settings = "
    "replace(settings::text, '0.80', '0.8')::jsonb where settings::text like '%0.80%'",
}


@pytest.mark.parametrize("what", WRITTEN)
def test_a_number_that_is_written_otherwise(scene: Scene, what: str) -> None:
    """Equal, and with another digest: it is shown and confirmed as it is written."""
    assert scene.connection.execute(WRITTEN[what].encode()).rowcount
    scene.first_bad(scene.arbitrated)


@pytest.mark.slow("every column of seven tables")
def test_a_changed_registry(scene: Scene) -> None:
    """A decision records what it went by: whatever is registered afterwards, it follows."""
    scene.run("insert into cmbs_store.policy_halt values ('default', 1, true, 'r', now(), 'x')")
    for table, column, kind in scene.connection.execute(
        "select c.table_name, c.column_name, c.data_type from information_schema.columns as c "
        "where c.table_schema = 'cmbs_store' and c.table_name = any(%s)",
        [[*REGISTRIES]],
    ).fetchall():
        changed = OTHERWISE.get((table, column), CHANGED[kind].format(column))
        with scene.connection.transaction(force_rollback=True):
            assert scene.run(f"update cmbs_store.{table} set {column} = {changed}")
            assert scene.verdict(scene.arbitrated, of_all=False)["ok"] is True, (table, column)


@pytest.mark.slow("every column of fourteen tables")
def test_a_changed_graph_or_incident(scene: Scene) -> None:
    """No log tells of it: the session is what it was, and its own rows are there to compare."""
    tables = set[str]()
    for table, column, kind in scene.connection.execute(
        "select c.table_name, c.column_name, c.data_type from information_schema.columns as c "
        "where c.table_schema = 'cmbs_store' and c.table_name = any(%s)",
        [[*GRAPHS]],
    ).fetchall():
        is_first = table not in tables
        tables.add(table)
        changed = OTHERWISE.get((table, column), CHANGED[kind].format(column))
        changed = f"coalesce({changed}, {FILLED.get(kind, changed)})"
        with scene.connection.transaction(force_rollback=True):
            assert scene.run(f"update cmbs_store.{table} set {column} = {changed}"), table
            assert scene.verdict(scene.tee, of_all=is_first)["ok"] is True, (table, column)
    for table in tables:
        with scene.connection.transaction(force_rollback=True):
            assert scene.run(f"delete from cmbs_store.{table}")
            assert scene.verdict(scene.tee)["ok"] is True, table
    assert tables == GRAPHS


def test_an_incident_that_never_was(scene: Scene) -> None:
    """Where a universe came from is in the first event, whatever the row says."""
    for said in (None, '{"tee_incident": "all"}', '{"tee_incident": "listed"}', "{}", "x"):
        for session_id in (scene.tee, scene.open):
            if said is None and session_id == scene.open:
                continue
            with scene.connection.transaction(force_rollback=True):
                statement = "update cmbs_store.session set universe_from = %s where session_id = %s"
                assert scene.run(statement, said, session_id) == 1
                assert scene.first_bad(session_id)[0] in {1, scene.length(session_id)}


def _denied(scene: Scene) -> tuple[UUID, str]:
    """A session that names no pack, with a call that its tool and token would allow."""
    session = Session(scene.connection)
    holder = call(scene.connection, "identify")["name"]
    grant = {"holder": holder, "tools": ["rich.tool"], "expires_at": ALWAYS}
    grant |= {"budgets": {"max_calls": 1}}
    proposal = {
        "state_snapshot_id": session.declared["audit_event_id"],
        "provenance": {"source": "s"},
        "capability_token": session("issue_capability", grant=Json(grant))["secret"],
        "idempotency_key": "k",
        "items": [tool_call("rich.tool")],
    }
    return session.id, session("propose", proposal=Json(proposal))["decision"]


def test_deny_all_that_allows(scene: Scene) -> None:
    """No event names the pack of a session without one; who changes it opens them all."""
    session_id, decision = _denied(scene)
    assert (decision, scene.verdict(session_id)["ok"]) == ("deny", True)
    allow = '{"v": 1, "effect": "allow", "subject": {"tool_id": "rich.tool"}}'
    scene.run(
        "insert into cmbs_store.policy_entry select e.* from cmbs_store.policy_version as v, "
        "cmbs_store.parsed_entry(v.policy_hash, 'constraint.open', %s) as e "
        "where v.pack = 'deny-all'",
        allow,
    )
    session_id, decision = _denied(scene)
    assert decision == "allow"
    assert scene.first_bad(session_id) == (3, "the content of a policy is not that of its hash")


def test_a_policy_that_fits_itself_and_not_its_hash(scene: Scene) -> None:
    """An entry more that nothing was decided by, and counted as it should be."""
    scene.run(
        "insert into cmbs_store.policy_entry select (cmbs_store.parsed_entry(p.policy_hash, "
        "'constraint.unheard', %s)).* from cmbs_store.policy as p",
        '{"v": 1, "effect": "deny", "subject": {"tool_id": "of nobody"}}',
    )
    scene.run("update cmbs_store.policy set n_entries = n_entries + 1")
    found = scene.first_bad(scene.arbitrated)
    assert found[1] == "the content of a policy is not that of its hash"


@pytest.mark.parametrize("table", ["schema_document", "tool_definition"])
def test_content_that_decides_alike(scene: Scene, table: str) -> None:
    """A call was decided by other content than it names, even if that would say the same."""
    column = {"schema_document": "document", "tool_definition": "definition"}[table]
    assert scene.run(f"update cmbs_store.{table} set {column} = {column} || ' '")
    scene.first_bad(scene.arbitrated)


# Rows of the log


@pytest.mark.parametrize("seq", [1, 2, 11, 20, 21])
def test_a_deleted_event(scene: Scene, seq: int) -> None:
    scene.run(f"delete from {LOG} where session_id = %s and seq = %s", scene.rich, seq)
    assert scene.first_bad(scene.rich) == (seq, "the event is missing")


def test_the_whole_log_deleted(scene: Scene) -> None:
    scene.run(f"delete from {LOG} where session_id = %s", scene.rich)
    assert scene.first_bad(scene.rich)[0] == 1
    scene.run("update cmbs_store.session set audit_seq = 0 where session_id = %s", scene.rich)
    assert scene.verdict(scene.rich)["ok"] is False
    assert scene.verdict(scene.rich)["rows_checked"] == 0


def move(scene: Scene, session_id: UUID, seq: int, to: int) -> None:
    statement = f"update {LOG} set seq = %s where session_id = %s and seq = %s"
    assert scene.run(statement, to, session_id, seq) == 1


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 3), (4, 9), (20, 21)])
def test_swapped_events(scene: Scene, one: int, other: int) -> None:
    for seq, to in ((one, -1), (other, one), (-1, other)):
        move(scene, scene.rich, seq, to)
    assert scene.first_bad(scene.rich)[0] == one


def insert_copy(scene: Scene, session_id: UUID, of: int, seq: int) -> None:
    scene.run(
        f"insert into {LOG} (session_id, seq, recorded_at, event_id, event_hash, verb, actor, "
        "record) select session_id, %s, recorded_at, event_id, event_hash, verb, actor, record "
        f"from {LOG} where session_id = %s and seq = %s",
        seq,
        session_id,
        of,
    )


@pytest.mark.parametrize("seq", [-(2**62), -1, 0, 22, 23, 2**62])
def test_an_inserted_event(scene: Scene, seq: int) -> None:
    insert_copy(scene, scene.rich, 21, seq)
    assert scene.first_bad(scene.rich)[0] == min(seq, 22)


@pytest.mark.parametrize("seq", [1, 2, 11, 21])
def test_an_event_inserted_between(scene: Scene, seq: int) -> None:
    for later in range(21, seq - 1, -1):
        move(scene, scene.rich, later, later + 1)
    insert_copy(scene, scene.rich, seq + 1, seq)
    assert scene.first_bad(scene.rich)[0] in {seq, seq + 1}
    scene.run("update cmbs_store.session set audit_seq = 22 where session_id = %s", scene.rich)
    assert scene.first_bad(scene.rich)[0] in {seq, seq + 1}


@pytest.mark.parametrize("keep", range(1, 8))
def test_a_cut_log_with_its_head(scene: Scene, keep: int) -> None:
    """Head and counters moved back, the other tables as they were."""
    scene.run(f"delete from {LOG} where session_id = %s and seq > %s", scene.open, keep)
    scene.set_head(scene.open)
    assert scene.first_bad(scene.open)[0] >= keep


# Rows of the state

STATE = {
    "a tombstone removed": "delete from cmbs_store.tombstone where session_id = %(session)s "
    "and seq = 4",
    "a tombstone of nothing": "insert into cmbs_store.tombstone values (%(session)s, 3, 'zzz')",
    "a tombstone of a survivor": "insert into cmbs_store.tombstone values (%(session)s, 2, 'j')",
    "a tombstone of the future": "insert into cmbs_store.tombstone values (%(session)s, 99, 'j')",
    "an obligation removed": "delete from cmbs_store.obligation where session_id = %(session)s",
    "an obligation made up": "insert into cmbs_store.obligation values (%(session)s, 5, 'x', 1, 9)",
    "an end removed": "delete from cmbs_store.obligation_end where session_id = %(session)s",
    "an end made up": "insert into cmbs_store.obligation_end "
    "values (%(session)s, 7, 8, 'waived', 6)",
    "a conclusion removed": "delete from cmbs_store.conclusion where session_id = %(session)s",
    "a conclusion made up": "insert into cmbs_store.conclusion values (%(session)s, 8, 'c', true)",
    "the obligation forgotten": "update cmbs_store.session set obligation_seq = null, "
    "obligation_id = null, obligation_minimum = null, obligation_survivors = null "
    "where session_id = %(session)s",
    "the mask forgotten": "update cmbs_store.session set mask = null "
    "where session_id = %(session)s",
    "the mask one byte longer": "update cmbs_store.session set mask = mask || '\\x00' "
    "where session_id = %(session)s",
    "a chunk of no use": "insert into cmbs_store.session_mask values (%(session)s, 0, '\\xff')",
    "the session row removed": "delete from cmbs_store.session where session_id = %(session)s",
    "a member removed": "delete from cmbs_store.universe_member as m "
    "using cmbs_store.session as s where s.session_id = %(session)s "
    "and m.universe_digest = s.universe_digest and m.hypothesis_id = 'e'",
    "a member made up": "insert into cmbs_store.universe_member select universe_digest, 'zz', 10 "
    "from cmbs_store.session where session_id = %(session)s",
    "the universe removed": "delete from cmbs_store.universe as u using cmbs_store.session as s "
    "where s.session_id = %(session)s and u.universe_digest = s.universe_digest",
    "all members removed": "delete from cmbs_store.universe_member as m "
    "using cmbs_store.session as s where s.session_id = %(session)s "
    "and m.universe_digest = s.universe_digest",
}


@pytest.mark.parametrize("what", STATE)
def test_changed_state(scene: Scene, what: str) -> None:
    assert scene.connection.execute(STATE[what].encode(), {"session": scene.open}).rowcount
    seq, _ = scene.first_bad(scene.open)
    assert 1 <= seq <= 99


CHUNKS = {
    "a chunk removed": "delete from {} where session_id = %(session)s and chunk_no = 1",
    "the last chunk removed": "delete from {} where session_id = %(session)s and chunk_no = 2",
    "all chunks removed": "delete from {} where session_id = %(session)s",
    "an empty chunk more": "insert into {} values (%(session)s, 3, '')",
    "a chunk moved where nobody looks": "update {} set chunk_no = 7 "
    "where session_id = %(session)s and chunk_no = 2",
    "chunks of other lengths": "update {0} as k set chunk = case k.chunk_no "
    "when 0 then k.chunk || (select substr(n.chunk, 1, 1) from {0} as n "
    "where n.session_id = k.session_id and n.chunk_no = 1) else substr(k.chunk, 2) end "
    "where k.session_id = %(session)s and k.chunk_no < 2",
    "a mask in the row too": "update cmbs_store.session as s set mask = "
    "(select string_agg(k.chunk, ''::bytea order by k.chunk_no) from {} as k "
    "where k.session_id = s.session_id) where s.session_id = %(session)s",
}


@pytest.mark.parametrize("what", CHUNKS)
def test_changed_chunks(scene: Scene, what: str) -> None:
    statement = CHUNKS[what].format("cmbs_store.session_mask")
    assert scene.connection.execute(statement.encode(), {"session": scene.chunked}).rowcount
    assert scene.first_bad(scene.chunked)[0] == 4
