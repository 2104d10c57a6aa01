"""Ids, lists, texts and numbers made to hurt: refused with a documented error, or kept as sent."""

import random
import re
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import (
    NO_EVENT,
    ONTOLOGY,
    Connection,
    Session,
    begin_context,
    declare,
    eliminate_in_context,
    message,
    refused,
)

INVALID, TOO_LARGE = ("INVALID_REQUEST", 400), ("PAYLOAD_TOO_LARGE", 413)

AWKWARD = [
    "'; drop table cmbs_store.session; --",
    '"; select pg_sleep(1000); --',
    "%s %I %L %1$s %% %n $1 $$ \\ \\\\ {} {0}",
    " leading, trailing ",
    "\t\n\r\b\f\x01\x1f\x7f\x80",
    '"\\"":,{}[]',
    "null",
    "\u00e9 e\u0301 \u212b \u0130 \ufeff \u2028 \u202e \U0001f600 \uffff \U0010ffff",
    "a/b%2Fc?d=e#f",
    ":\\u003a:\\u0000",
    "x" * 512,
    "é" * 256,
    "\U0001f600" * 128,
]
TOO_LONG = ["x" * 513, "é" * 256 + "x", "\U0001f600" * 128 + "x", "x" * 1_000_000]


def named(text: str | None) -> str:
    return repr(text and text[:20])


@pytest.mark.parametrize("text", AWKWARD, ids=named)
def test_any_text_is_an_id(tx: Connection, text: str) -> None:
    ids = [text, text + "y" if len(text.encode()) < 512 else "y", text[:-1]]
    bundle = dict.fromkeys(ONTOLOGY, text)
    session = Session(tx, ids, ontology=Json(bundle), metadata=Json({text: text}), notes=text)
    snapshot = session.declared["snapshot"]
    assert snapshot["survivors"] == sorted(ids), "by bytes, which is by code points"
    assert snapshot["ontology"] == bundle
    answer = session.eliminate(
        text, source_id=text, observation_id=text, notes=text, justification=Json({text: [text]})
    )
    assert answer["applied_eliminated"] == [text]
    assert session.eliminate(text, source_id=text, observation_id=text)["duplicate"] is True
    entered = session.enter(text, 0, request_id=text, notes=text)
    assert entered["snapshot"]["active_obligation_id"] == text
    assert session.enter(text, 0, request_id=text)["duplicate"] is True
    assert session.exit(text, context=Json({text: text}))["approved"] is True
    session.enter(text, 9)
    session.waive(text, text)
    session.conclude(text, context=Json({text: text}))
    batch = message(text, observation_id="b", notes=text, justification={text: text})
    assert session.batch(batch)["results"][0]["ignored_eliminated"] == [text]

    events = session.events()
    assert events[0]["payload"]["metadata"] == {text: text}
    assert [events[0]["notes"], events[1]["notes"], events[-1]["notes"]] == [text] * 3
    assert events[1]["payload"] == {
        "source_id": text,
        "observation_id": text,
        "eliminated": [text],
        "justification": {text: [text]},
    }
    assert events[5]["payload"]["waive_reason"] == text
    assert session("why", hypothesis_id=text)["eliminated_by"]["source_id"] == text
    assert session("list_obligations")["obligations"][0]["obligation_id"] == text
    assert session("list_conclusions")["conclusions"][0]["conclusion_id"] == text
    found = call(tx, "list_sessions", hypothesis_space_id=text)["sessions"]
    assert [one["session_id"] for one in found] == [str(session.id)]
    space = {"hypothesis_space_id": text, "hypothesis_version": text}
    call(tx, "register_space", **space, hypotheses=ids)
    assert call(tx, "read_space", **space)["hypotheses"] == sorted(ids)
    assert session.is_whole()


@pytest.mark.parametrize("text", [*AWKWARD, ""], ids=named)
def test_any_text_is_an_id_of_a_context(tx: Connection, text: str) -> None:
    ids = [text, text[:-1] + "y", text + "y" if len(text.encode()) < 512 else "y"]
    call(tx, "create_context", context_id=text, hypotheses=ids)
    answer = eliminate_in_context(tx, text, text, "unknown", source_id=text, trigger=text)
    assert answer == {"applied": [text], "already_eliminated": ["unknown"]}
    found = call(tx, "recover_context", context_id=text)
    assert found["hypotheses"] == sorted({*ids})
    assert found["eliminated"] == [text]
    rows = tx.execute("select c.* from cmbs.context_elimination as c").fetchall()
    assert [row[:4] for row in rows] == [(text,) * 4]


# Every text argument that is an id: what it is called with, and its name.
IDS: list[tuple[str, dict[str, Any], str]] = [
    ("eliminate", {"source_id": "s", "observation_id": "o", "eliminated": []}, "source_id"),
    ("eliminate", {"source_id": "s", "observation_id": "o", "eliminated": []}, "observation_id"),
    ("enter_obligation", {"obligation_id": "p", "min_total_eliminations": 0}, "obligation_id"),
    ("enter_obligation", {"obligation_id": "p", "min_total_eliminations": 0}, "request_id"),
    ("request_exit", {"obligation_id": "o"}, "obligation_id"),
    ("request_exit", {"obligation_id": "o"}, "request_id"),
    ("waive_obligation", {"obligation_id": "o", "reason": "r"}, "obligation_id"),
    ("waive_obligation", {"obligation_id": "o", "reason": "r"}, "request_id"),
    ("declare_conclusion", {"conclusion_id": "c"}, "conclusion_id"),
    ("declare_conclusion", {"conclusion_id": "c"}, "request_id"),
    ("request_termination", {}, "request_id"),
]


@pytest.mark.parametrize("text", [*TOO_LONG, ""], ids=named)
@pytest.mark.parametrize(("verb", "sent", "argument"), IDS, ids=str)
def test_an_id_too_long(
    tx: Connection, verb: str, sent: dict[str, Any], argument: str, text: str
) -> None:
    session = Session(tx)
    session.enter("o", 0)
    error = session.refuses(errors.InvalidRequest, verb, **{**sent, argument: text})
    assert error.details["member"] == argument
    assert len(str(error)) < 4096


ABOUT_IDENTITIES: list[tuple[str, dict[str, Any], str]] = [
    ("create_principal", {"kind": "agent", "roles": ["agent"]}, "name"),
    ("create_principal", {"name": "n", "kind": "agent", "roles": ["agent"]}, "tenant"),
    ("change_principal", {}, "name"),
    ("create_token", {"digest": b"d" * 32, "prefix": "cmbs_"}, "name"),
    ("read_principal", {}, "name"),
    ("read_principal", {"name": "n"}, "tenant"),
    ("list_principals", {}, "tenant"),
    ("list_tokens", {}, "tenant"),
    ("audit_identities", {}, "tenant"),
]


@pytest.mark.parametrize("text", [*TOO_LONG, "", "x" * 129], ids=named)
@pytest.mark.parametrize(("verb", "sent", "argument"), ABOUT_IDENTITIES, ids=str)
def test_a_name_too_long(
    tx: Connection, verb: str, sent: dict[str, Any], argument: str, text: str
) -> None:
    error = refused(tx, errors.InvalidRequest, verb, **{**sent, argument: text})
    assert error.details["member"] == argument
    assert len(str(error)) < 4096


# What would look like another name, or not stay on its line, is none.
LABELS = [
    text for text in AWKWARD if text == text.strip() and not re.search(r"[\x01-\x1f\x7f]", text)
]


@pytest.mark.parametrize("text", [text[:30] for text in LABELS], ids=named)
def test_any_text_is_a_name(tx: Connection, text: str) -> None:
    sent = {"name": text, "tenant": text, "kind": "agent", "roles": ["agent"]}
    made = call(tx, "create_principal", **sent, source_prefixes=[text])
    assert (made["name"], made["tenant"], made["source_prefixes"]) == (text, text, [text])
    shown = {"digest": b"d" * 32, "prefix": "cmbs_"}
    call(tx, "create_token", name=text, tenant=text, **shown)
    mine = {"credential": b"d" * 32}
    assert call(tx, "identify", **mine)["name"] == text
    session = declare(tx, **mine)["session_id"]
    message = {"source_id": text, "observation_id": "o", "eliminated": ["a"]}
    assert call(tx, "eliminate", session_id=session, **message, **mine)["audit_event_id"]
    events = call(tx, "audit_trace", session_id=session, **mine)["events"]
    assert [event["actor"] for event in events] == [text, text]
    assert call(tx, "verify", session_id=session, **mine)["ok"] is True
    found = call(tx, "read_principal", name=text, tenant=text)
    assert call(tx, "list_principals", tenant=text)["principals"] == [found]
    assert {**found, "duplicate": False} == made
    assert call(tx, "verify_identities")["ok"] is True


CONTEXT_MESSAGE = {"context_id": "k", "eliminated": ["a"], "source_id": "s", "trigger": "t"}
OF_CONTEXTS: list[tuple[str, dict[str, Any], str]] = [
    ("create_context", {"hypotheses": ["a"]}, "context_id"),
    ("create_context", {"context_id": "new"}, "hypotheses"),
    ("eliminate_in_context", CONTEXT_MESSAGE, "context_id"),
    ("eliminate_in_context", CONTEXT_MESSAGE, "eliminated"),
    ("eliminate_in_context", CONTEXT_MESSAGE, "source_id"),
    ("eliminate_in_context", CONTEXT_MESSAGE, "trigger"),
    ("read_context_survivors", {}, "context_id"),
    ("read_context_eliminated", {}, "context_id"),
    ("recover_context", {}, "context_id"),
]


@pytest.mark.parametrize("text", [*TOO_LONG, None], ids=named)
@pytest.mark.parametrize(("verb", "sent", "argument"), OF_CONTEXTS, ids=str)
def test_an_id_of_a_context_too_long(
    tx: Connection, verb: str, sent: dict[str, Any], argument: str, text: str | None
) -> None:
    begin_context(tx, "k")
    value = ["a", text] if argument in ("hypotheses", "eliminated") else text
    error = refused(tx, errors.InvalidRequest, verb, **{**sent, argument: value})
    assert error.details["member"] == argument
    assert len(str(error)) < 4096


@pytest.mark.parametrize("text", ["", *TOO_LONG], ids=named)
def test_a_hypothesis_too_long(tx: Connection, text: str) -> None:
    sent: dict[str, Any] = {"session_id": uuid4(), "ontology": Json(ONTOLOGY)}
    ids = ["a", text]
    refused(tx, errors.InvalidRequest, "declare_session", hypotheses=ids, **sent)
    refused(tx, errors.InvalidRequest, "register_universe", hypotheses=ids)
    space = {"hypothesis_space_id": "s", "hypothesis_version": "1"}
    refused(tx, errors.InvalidRequest, "register_space", hypotheses=ids, **space)
    session = Session(tx)
    sent = {"source_id": "s", "observation_id": "o"}
    session.refuses(errors.InvalidRequest, "eliminate", eliminated=ids, **sent)
    wrong = Json([message("a", text)])
    session.refuses(errors.InvalidRequest, "eliminate_batch", messages=wrong)


@pytest.mark.parametrize("field", ONTOLOGY)
def test_ontology_fields(tx: Connection, field: str) -> None:
    for text in ("x" * 2048, "é" * 1024):
        sent = Json({**ONTOLOGY, field: text})
        assert declare(tx, ontology=sent)["snapshot"]["ontology"][field] == text
    for text in ("x" * 2049, "é" * 1024 + "x"):
        sent = Json({**ONTOLOGY, field: text})
        error = refused(
            tx,
            psycopg.Error,
            "declare_session",
            session_id=uuid4(),
            ontology=sent,
            hypotheses=["a"],
        )
        assert errors.classify(error) == INVALID
        assert error.details["member"] == f"ontology.{field}"


def test_a_declare_may_name_any_space_that_an_ontology_may(tx: Connection) -> None:
    sent = {**ONTOLOGY, "hypothesis_space_id": "x" * 2048}
    error = refused(
        tx, errors.SpaceNotFound, "declare_session", session_id=uuid4(), ontology=Json(sent)
    )
    assert error.details["hypothesis_space_id"] == "x" * 2048


NOTED: list[tuple[str, dict[str, Any]]] = [
    ("eliminate", {"source_id": "s", "observation_id": "o", "eliminated": []}),
    ("enter_obligation", {"obligation_id": "p", "min_total_eliminations": 0}),
    ("request_exit", {"obligation_id": "o"}),
    ("waive_obligation", {"obligation_id": "o", "reason": "r"}),
    ("declare_conclusion", {"conclusion_id": "c"}),
    ("request_termination", {}),
    ("declare_session", {"ontology": Json(ONTOLOGY), "hypotheses": ["a"]}),
    ("eliminate_batch", {}),
]


@pytest.mark.parametrize(("verb", "sent"), NOTED, ids=str)
def test_notes(tx: Connection, verb: str, sent: dict[str, Any]) -> None:
    session = Session(tx)
    if verb in ("request_exit", "waive_obligation"):
        session.enter("o", 0)

    def with_notes(notes: str) -> dict[str, Any]:
        if verb == "eliminate_batch":
            return {"messages": Json([message("a", notes=notes)])}
        if verb == "declare_session":
            return {**sent, "session_id": uuid4(), "notes": notes}
        return {**sent, "notes": notes}

    for notes in ("n" * 4097, "é" * 2048 + "n", "n" * 1_000_000):
        error = refused(
            tx, errors.PayloadTooLarge, verb, **{"session_id": session.id, **with_notes(notes)}
        )
        assert error.details["member"] == "notes"
    answer = call(tx, verb, **{"session_id": session.id, **with_notes("é" * 2048)})
    event = call(
        tx,
        "audit_event",
        session_id=answer["snapshot"]["session_id"],
        event_id=answer["audit_event_id"],
    )
    assert event["notes"] == "é" * 2048


# Lists as PostgreSQL writes them, sent as text.
PLAIN = ["{b,a}", "[0:1]={b,a}", "[-5:-4]={b,a}", "[100:101]={b,a}", '{"b",a,a}']
WRONG = [
    "{{a,b},{c,d}}",
    "{{a}}",
    "[0:0][3:4]={{a,b}}",
    "{a,NULL}",
    "{NULL}",
    "[0:1]={a,NULL}",
    '{a,""}',
    "{a,b",
    "a",
    "",
    "[1:2]={a}",
    "[2147483647:2147483648]={a,b}",
]


@pytest.mark.parametrize("ids", PLAIN)
def test_a_list_with_any_bounds(tx: Connection, ids: str) -> None:
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ids}
    answer = call(tx, "declare_session", **sent)
    assert answer["snapshot"]["survivors"] == ["a", "b"]
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    applied = session("eliminate", source_id="s", observation_id="o", eliminated=ids)
    assert applied["applied_eliminated"] == ["a", "b"]
    assert applied["ignored_eliminated"] == []
    assert session.last_event()["payload"]["eliminated"][:2] == ["b", "a"]
    again = session.eliminate("a", "b", source_id="s", observation_id="o")
    assert again["duplicate"] is True
    assert session.is_whole()
    call(tx, "create_context", context_id="k", hypotheses=ids)
    sent = {"context_id": "k", "eliminated": ids, "source_id": "s", "trigger": "t"}
    assert call(tx, "eliminate_in_context", **sent)["applied"] == ["a", "b"]


@pytest.mark.parametrize("ids", WRONG)
def test_no_list(tx: Connection, ids: str) -> None:
    session = Session(tx)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("register_universe", {"hypotheses": ids}),
        (
            "declare_session",
            {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ids},
        ),
        (
            "eliminate",
            {
                "session_id": session.id,
                "source_id": "s",
                "observation_id": "o",
                "eliminated": ids,
            },
        ),
    ]
    for verb, sent in calls:
        error = refused(tx, psycopg.Error, verb, **sent)
        assert errors.classify(error) in (INVALID, TOO_LARGE), (verb, error.sqlstate)


@pytest.mark.nightly
@pytest.mark.slow("a million ids")
def test_a_million_ids_and_one_more(tx: Connection) -> None:
    session = Session(tx, ["0", "999999", "x"])
    name = "select cmbs.eliminate(%s, 's', %s, array(select g::text from generate_series(1, %s) g))"
    with pytest.raises(errors.PayloadTooLarge) as caught, tx.transaction():
        tx.execute(name.encode(), [session.id, "o", 1_000_001])
    assert caught.value.details == {"member": "eliminated", "limit": "1000000 ids"}
    assert len(session.events()) == 1
    (answer,) = tx.execute(name.encode(), [session.id, "o", 1_000_000]).fetchone() or ({},)
    assert answer["applied_eliminated"] == ["999999"]
    assert len(answer["ignored_eliminated"]) == 999_999
    assert answer["snapshot"]["survivors"] == ["0", "x"]
    assert session.is_whole()


NUMBERS: list[tuple[str, dict[str, Any], str]] = [
    ("enter_obligation", {"obligation_id": "o"}, "min_total_eliminations"),
    ("audit_trace", {}, "limit"),
    ("audit_lines", {}, "limit"),
    ("explain", {}, "limit"),
    ("diff", {"from_event_id": NO_EVENT, "to_event_id": NO_EVENT}, "limit"),
    ("whatif", {"without_source": "s"}, "limit"),
]


@pytest.mark.parametrize("value", ["9223372036854775808", "1e400", "1.5", "x", "", "-1", "NaN"])
@pytest.mark.parametrize(("verb", "sent", "argument"), NUMBERS, ids=str)
def test_numbers(
    tx: Connection, verb: str, sent: dict[str, Any], argument: str, value: str
) -> None:
    error = Session(tx).refuses(psycopg.Error, verb, **{**sent, argument: value})
    assert errors.classify(error) == INVALID


@pytest.mark.parametrize("value", ["", "x", "00000000", "0" * 33, "' or true --"])
@pytest.mark.parametrize("argument", ["session_id", "as_of"])
def test_uuids(tx: Connection, argument: str, value: str) -> None:
    session = Session(tx)
    sent = {"session_id": session.id, argument: value}
    error = refused(tx, psycopg.Error, "query_belief", **sent)
    assert errors.classify(error) == INVALID


POLICIES = [
    '{"stability_window": 1e131000}',
    '{"stability_window": 1e400}',
    '{"stability_window": 99999999999999999999}',
    '{"stability_window": 9223372036854775808}',
    '{"stability_window": 0.0000001}',
    '{"stability_window": -0.5}',
    '{"stability_window": []}',
    '{"stability_window": {"a": 1}}',
    '{"stability_window": "1\'; drop table"}',
    '{"stability_window": 1, "stability_window": 2}',
    '{"stability_window": false}',
    '{"validate_hypotheses": "on"}',
    '{"validate_hypotheses": []}',
    '{"allow_forced_termination": 1}',
    '{"allow_forced_termination": {}}',
    '{"Validate_hypotheses": true}',
    '{"validate_hypotheses ": true}',
    '{"": true}',
]


@pytest.mark.parametrize("policy", POLICIES)
def test_policies(tx: Connection, policy: str) -> None:
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a"]}
    refused(tx, errors.InvalidRequest, "declare_session", policy=policy, **sent)
    refused(tx, errors.InvalidRequest, "set_policy_defaults", policy=policy)


@pytest.mark.parametrize(
    ("written", "window"), [("1e3", 1000), ("1000", 1000), ("0", 0), ("-0", 0)]
)
def test_a_window_is_a_number_however_it_is_written(
    tx: Connection, written: str, window: int
) -> None:
    found = declare(tx, policy=f'{{"stability_window": {written}}}')["snapshot"]["policy"]
    assert found["stability_window"] == window


def test_text_with_a_nul_never_arrives(tx: Connection) -> None:
    session = Session(tx)
    for ids in (["a\0"], ["a"]):
        with pytest.raises(psycopg.DataError), tx.transaction():
            session.eliminate(*ids, source_id="s\0" if ids == ["a"] else "s")
    for surrogate in ("\ud800", "a\udfff"):
        with pytest.raises((psycopg.DataError, UnicodeEncodeError)), tx.transaction():
            session.eliminate(surrogate)
    # Bytes that are no UTF-8 are refused where they come in.
    with pytest.raises(psycopg.DataError), tx.transaction():
        tx.execute("select cmbs.why(%s, convert_from('\\xff', 'UTF8'))", [session.id])
    assert len(session.events()) == 1


def test_the_longest_texts_fit_into_every_index(tx: Connection) -> None:
    """Random letters, which no index can compress."""
    letters = random.Random(1)

    def text(n_bytes: int) -> str:
        return "".join(chr(letters.randrange(0x800, 0xD800)) for _ in range(n_bytes // 3))

    ids = [text(512) for _ in range(3)]
    space = {"hypothesis_space_id": text(512), "hypothesis_version": text(2048)}
    call(tx, "register_space", **space, hypotheses=ids)
    graph = {"causal_graph_ref": text(2048), "causal_graph_version": text(2048)}
    bundle = Json({**space, **graph})
    session = Session(tx, ids, ontology=bundle)
    assert declare(tx, None, ontology=bundle)["snapshot"]["survivors"] == sorted(ids)
    Session(tx, ontology=Json({**graph, **space, "hypothesis_space_id": text(2048)}))
    observed = {"source_id": text(512), "observation_id": text(512)}
    session.eliminate(ids[0], **observed, notes=text(4096))
    assert session.eliminate(ids[0], **observed)["duplicate"] is True
    session.enter(text(512), request_id=text(512))
    session.waive(session.snapshot()["active_obligation_id"], text(4096), request_id=text(512))
    session.conclude(text(512), request_id=text(512))
    assert session.is_whole()
    context = text(512)
    call(tx, "create_context", context_id=context, hypotheses=ids)
    provenance = {"source_id": text(512), "trigger": text(512)}
    assert eliminate_in_context(tx, context, *ids, **provenance)["applied"] == sorted(ids)
