"""Text that looks like SQL, through every argument of every verb: text, and nothing else."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.attacks.payloads import N_SHARES, TEXTS, leaves, share
from tests.attacks.scene import state
from tests.sql.schema.test_privileges import DIGEST, KNOWN, arguments_of
from tests.sql.verdict.scene import (
    ALWAYS,
    CLAIMS,
    GRANT,
    allow,
    delta,
    deny,
    op,
    tool_call,
    value,
)
from tests.support.beliefs import Connection, Session, begin_context
from tests.support.sizes import sampled
from tests.support.tables import TABLES
from tests.tee import scene as tee

# What a verb does not keep, whatever it says: it looks for something, or is a choice of few; a
# secret is not kept where nobody is to be told, and a time is kept as PostgreSQL reads it.
NOT_KEPT = {"kind", "roles", "expected_head", "tenant", "scope_tenant", "verbs", "secret"}
NOT_KEPT |= {"occurred_at"}
OPERATORS = {"add_analyst", "remove_analyst"}
ROWS = " union all ".join(
    f"select '{name}', to_jsonb(t)::text from cmbs_store.{name} as t" for name in TABLES
)


# Every argument of every verb that can hold a text: the verb, its name, its type.
ARGUMENTS = """
select p.proname, substr(a.name, 3), a.type::regtype::text
from pg_proc as p
cross join lateral unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type)
where p.pronamespace = 'cmbs'::regnamespace and a.name like 'p\\_%' and a.type is not null
    and a.type::regtype::text in ('text', 'text[]', 'json', 'uuid', 'timestamp with time zone')
order by 1, 2
"""


def as_sent(argument: str, kind: str, text: str, head: UUID) -> Iterator[Any]:
    if kind == "json":
        for document in documents(text, head).get(argument, []):
            yield Json(document)
        yield Json({text: [text, {text: text}]})
    else:
        yield [text] if kind == "text[]" else text


def documents(text: str, head: UUID) -> dict[str, list[Any]]:
    """By the arguments that are documents of a known form, those that hold a text."""
    item = tool_call(text, {text: text}, artifacts={text: [text]}, intent_summary=text)
    told = {"source_id": text, "observation_id": text, "eliminated": [text], "notes": text}
    return {
        "arbitration": [{"pack": text, "version": 1}],
        "claim": [
            {"kind": "hypothesis", "ttl_ms": 10**9, "key": text, "value": {text: text}},
            {"kind": "fact", "key": text, "value": text, "source_chunk_ids": [text]},
        ],
        "definition": [
            {"version": text, "authorities": [text]},
            {"args_schema": {"properties": {text: {"const": text}}}},
            {"args_schema": text},
        ],
        "document": [
            {"properties": {text: {"enum": [text], "const": {text: text}}}, "required": [text]},
            *({name: text} for name in ("pattern", "$ref", "type", "format", "$comment")),
            {"patternProperties": {text: {}}},
        ],
        "entries": [
            {
                **GRANT,
                "constraint.tool": deny(text, when=op("eq", "goal.x", text), reason=text),
                "constraint.power": allow(capability=text, when=op("in", "goal.x", [text])),
                "policy.note": value({text: text}),
            },
            *({"constraint.x": deny(when=op(one, text, text))} for one in ("eq", "schema", text)),
            {text: value(1)},
            {"policy.x": text},
        ],
        "evidence": [{"source_chunk_ids": [text], "confidence": 0.9}],
        "fixtures": [
            [{"name": text, "item": item, "given": {"goal.x": value(text)}, **_EXPECT}],
            [{"item": {"kind": "claim", text: text}, "given": {text: text}, **_EXPECT}],
            [{"item": delta({f"goal.{text}": text}), "tool": {text: text}, **_EXPECT}],
            [{"item": item, "tool": {"authorities": [text]}, "expect": {"decision": text}}],
        ],
        "grant": [
            {
                **{"holder": text, "tools": [text], "capabilities": [text]},
                **{"state_prefixes": [f"goal.{text}"], "budgets": {text: 1}},
                "expires_at": ALWAYS,
            },
            {"holder": "known", "resource_roots": [text], "expires_at": ALWAYS},
        ],
        "messages": [[told | {"justification": {text: text}}]],
        "nodes": [
            [tee.node(text, label=text, by=tee.said(text, text))],
            *(
                [tee.node("a") | {name: text}]
                for name in ("type", "hypothetical", "provenance", text)
            ),
            [tee.node("a", by=tee.said("s", "t", text))],
        ],
        "edges": [
            [tee.edge(text, "b", by=tee.said(text, text))],
            [tee.names((text, "b", "DEPENDS_ON"))],
            [tee.names(("a", text, "DEPENDS_ON"))],
            [tee.names(("a", "b", text))],
        ],
        "universe_from": [{"tee_incident": text}, {"tee_incident": "i", "edges": text}],
        "proposal": [
            {
                "state_snapshot_id": str(head),
                "provenance": {"source": text, text: text},
                "capability_token": text,
                "idempotency_key": text,
                "atomic": False,
                "items": [one],
            }
            for one in (item, delta({"goal.x": value(text)}), delta({f"goal.{text}": text}))
        ],
    }


_EXPECT = {"expect": {"decision": "allow"}}


def rows(connection: Connection) -> set[tuple[str, str]]:
    return set(connection.execute(ROWS.encode()).fetchall())


def prepare(connection: Connection) -> Session:
    """Something for each verb to work on, and as much again that no verb is told about."""
    for name in ("known", "bystander's"):
        call(connection, "create_principal", name=name, kind="agent", roles=["agent"])
    call(connection, "create_token", name="known", digest=DIGEST, prefix="cmbs_known")
    begin_context(connection, "k")
    begin_context(connection, "bystander's", "b")
    Session(connection).eliminate("a")
    tee.set_mirror(connection)
    session = Session(connection)
    for given in ("merge_hypothesis", "create_incident"):
        call(connection, given, **arguments_of(session, given))
    space = {"hypothesis_space_id": "s", "hypothesis_version": "1"}
    call(connection, "register_space", **space, hypotheses=["a", "b"])
    session.enter("o", 0)
    return session


def arbitrated(connection: Connection, session: Session) -> dict[str, dict[str, Any]]:
    """The same of what arbitration knows: what its verbs are told of it, by their names."""
    login = call(connection, "identify")["name"]
    call(connection, "register_schema", schema_id="s", document=Json({"type": "object"}))
    call(connection, "register_tool", tool_id="t", definition=Json({"args_schema": "s"}))
    call(connection, "publish_policy", pack="known", entries=Json(GRANT | CLAIMS))
    session("apply_policy", pack="known", version=1)
    grant = {"holder": login, "tools": ["t"], "budgets": {"max_calls": 9}, "expires_at": ALWAYS}
    token = session("issue_capability", grant=Json(grant))
    proposal = {
        "state_snapshot_id": token["audit_event_id"],
        "provenance": {"source": "s"},
        "capability_token": token["secret"],
        "idempotency_key": "k",
        "items": [tool_call("t")],
    }
    proposed = session("propose", proposal=Json(proposal))
    assert proposed["decision"] == "allow", proposed
    claim = {"kind": "hypothesis", "key": "k", "value": 1, "ttl_ms": 10**9}
    made = session("record_claim", claim=Json(claim))
    pack = {"pack": "known", "version": 1}
    new = {"idempotency_key": "new", "state_snapshot_id": made["audit_event_id"]}
    narrow = Json({"holder": "known", "tools": ["t"]})
    return {
        "promote_claim": {"claim_id": made["claim_id"]},
        "explain_decision": {"proposal_id": proposed["proposal_id"]},
        "propose": {"proposal": Json(proposal | new)},
        "narrow_capability": {"parent_id": token["token_id"], "grant": narrow},
        "revoke_capability": {"token_id": token["token_id"]},
        "apply_policy": pack,
        "publish_policy": {"entries": Json(GRANT)},
        "register_schema": {"schema_id": "new"},
        "diff_policy": pack | {"to_version": 1},
        **dict.fromkeys(("replay_policy", "test_policy", "read_policy"), pack),
    }


@pytest.mark.timeout(300)
@pytest.mark.slow("texts through every argument of every verb")
def test_every_text_is_text(tx: Connection) -> None:
    session = prepare(tx)
    own = arbitrated(tx, session)
    head = UUID(session.snapshot()["audit_head_event_id"])
    mine = (str(session.id), '"k"', '"known"', str(KNOWN), '"tenant": "*"', '"tenant": "default"')
    catalog = {name: found for name, found in state(tx).items() if name not in TABLES}
    asked = tx.execute(ARGUMENTS.encode()).fetchall()
    n_kept, refusals = 0, []
    kept: set[tuple[str, str]] = set()
    for no, (verb, argument, kind) in enumerate(asked):
        if verb in OPERATORS:
            continue
        before = rows(tx)
        every = (
            (text, one)
            for text in share(TEXTS, no, N_SHARES)
            for one in as_sent(argument, kind, text, head)
        )
        for text, said in every:
            sent = arguments_of(session, verb) | own.get(verb, {})
            if verb == "declare_session" and argument != "session_id":
                sent["session_id"] = UUID(int=7)
            where = f"{verb}({argument} => {text!r}: {getattr(said, 'obj', said)})"
            try:
                with tx.transaction(force_rollback=True):
                    answer = call(tx, verb, **sent | {argument: said})
                    after = rows(tx)
                    lost = [row for _, row in before - after if not any(m in row for m in mine)]
                    assert not lost, where
                    new = [json.loads(row) for _, row in after - before]
                    if new and not NOT_KEPT & {argument}:
                        assert any(text in leaf for leaf in leaves([new, answer])), where
                        n_kept += 1
                        kept.add((verb, argument))
            except psycopg.errors.NotNullViolation:
                # What is no record at all; only the owner may call it.
                assert verb == "import_events", where
            except psycopg.Error as error:
                refusals.append((where, errors.classify(error), str(error)))
        assert rows(tx) == before, f"{verb}({argument})"
    left = {name: found for name, found in state(tx).items() if name not in TABLES}
    assert left == catalog
    wrong = [one for one in refusals if not 400 <= one[1][1] < 500]
    assert not wrong
    assert len(refusals) > 10 * len(TEXTS) // N_SHARES
    assert n_kept > 10 * len(TEXTS) // N_SHARES
    assert len(asked) > 150
    assert {argument for _, argument in kept} >= {
        *("claim", "definition", "document", "entries", "evidence", "fixtures", "grant"),
        *("proposal", "messages", "pack", "tool_id", "schema_id", "key", "comment", "notes"),
        *("nodes", "edges", "node_ids", "incident_id", "error"),
    }


def test_null_bytes_are_refused_before_they_are_sent(tx: Connection) -> None:
    session = Session(tx)
    with pytest.raises(psycopg.DataError):
        session.eliminate("a\0b")
    for text in ('{"a": "\\u0000"}', '{"\\u0000": 1}'):
        sent = [session.id, text]
        with pytest.raises(psycopg.Error) as caught, tx.transaction():
            tx.execute("select cmbs.eliminate(%s, 's', 'o', array['a'], %s::json)", sent)
        assert errors.classify(caught.value) == ("INVALID_REQUEST", 400)


NAMES = [
    text for text in TEXTS if len(text.encode()) < 64 and not text.startswith(("pg_", "cmbs_"))
]


@pytest.mark.parametrize("text", sampled(NAMES))
def test_names_of_analysts_are_names(tx: Connection, text: str) -> None:
    """The two functions of operators write statements that name a role."""
    roles = "select array_agg(r.rolname::text) from pg_roles as r"
    ((before,),) = tx.execute(roles.encode()).fetchall()
    catalog = {name: found for name, found in state(tx).items() if name in ("functions", "rules")}
    call(tx, "add_analyst", name=text)
    ((after,),) = tx.execute(roles.encode()).fetchall()
    assert {*after} - {*before} == {text}
    with pytest.raises(psycopg.errors.InvalidPassword), tx.transaction():
        call(tx, "add_analyst", name="ann", verifier=text)
    call(tx, "remove_analyst", name=text)
    ((after,),) = tx.execute(roles.encode()).fetchall()
    assert {*after} == {*before}
    assert catalog.items() <= state(tx).items()
