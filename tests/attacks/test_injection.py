"""Text that looks like SQL, through every argument of every verb: text, and nothing else."""

import json
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.calls import call
from tests.attacks.payloads import TEXTS, leaves
from tests.attacks.scene import state
from tests.beliefs import TABLES, Connection, Session, begin_context
from tests.schema.test_privileges import DIGEST, KNOWN, arguments_of

# What a verb does not keep, whatever it says: it looks for something, or is a choice of few.
NOT_KEPT = {"kind", "roles", "expected_head", "tenant", "scope_tenant", "verbs"}
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


def as_sent(kind: str, text: str) -> Any:
    if kind == "text[]":
        return [text]
    return Json({text: [text, {text: text}]}) if kind == "json" else text


def messages(text: str) -> Json:
    sent = {"source_id": text, "observation_id": text, "eliminated": [text], "notes": text}
    return Json([sent | {"justification": {text: text}}])


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
    session = Session(connection)
    space = {"hypothesis_space_id": "s", "hypothesis_version": "1"}
    call(connection, "register_space", **space, hypotheses=["a", "b"])
    session.enter("o", 0)
    return session


def test_every_text_is_text(tx: Connection) -> None:
    session = prepare(tx)
    mine = (str(session.id), '"k"', '"known"', str(KNOWN), '"tenant": "*"', '"tenant": "default"')
    catalog = {name: found for name, found in state(tx).items() if name not in TABLES}
    asked = tx.execute(ARGUMENTS.encode()).fetchall()
    n_kept, refusals = 0, []
    for verb, argument, kind in asked:
        if verb in OPERATORS:
            continue
        before = rows(tx)
        for text in TEXTS:
            sent = arguments_of(session, verb)
            if verb == "declare_session" and argument != "session_id":
                sent["session_id"] = UUID(int=7)
            value = messages(text) if argument == "messages" else as_sent(kind, text)
            where = f"{verb}({argument} => {text!r})"
            try:
                with tx.transaction(force_rollback=True):
                    answer = call(tx, verb, **sent | {argument: value})
                    after = rows(tx)
                    lost = [row for _, row in before - after if not any(m in row for m in mine)]
                    assert not lost, where
                    new = [json.loads(row) for _, row in after - before]
                    if new and not NOT_KEPT & {argument}:
                        assert any(text in leaf for leaf in leaves([new, answer])), where
                        n_kept += 1
            except psycopg.errors.NotNullViolation:
                # What is no record at all; only the owner may call it.
                assert verb == "import_events", where
            except psycopg.Error as error:
                refusals.append((where, errors.classify(error), str(error)))
        assert rows(tx) == before, f"{verb}({argument})"
    after = {name: found for name, found in state(tx).items() if name not in TABLES}
    assert after == catalog
    wrong = [one for one in refusals if not 400 <= one[1][1] < 500]
    assert not wrong
    assert len(refusals) > 10 * len(TEXTS)
    assert n_kept > 10 * len(TEXTS)
    assert len(asked) > 60


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


@pytest.mark.parametrize("text", NAMES)
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
