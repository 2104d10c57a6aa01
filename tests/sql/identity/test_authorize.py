"""Who is let in: tokens, roles, sources, and logins that somebody registered."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.sql.schema.test_privileges import (
    APPROVE,
    DIGEST,
    FINDS_NOTHING,
    KEEP,
    MAY_CALL,
    OPERATE,
    PROPOSE,
    SET_POLICY,
    SWEEP,
    UPKEEP,
    VERBS,
    WATCH,
    arguments_of,
)
from tests.support.beliefs import Connection, Session, background, begin_context, message, refused
from tests.support.callers import (
    ROLES,
    Held,
    caller,
    digest,
    identity_events,
    is_whole,
    principal,
    token,
    token_id,
)
from tests.tee.scene import Graph

# Which roles may call a verb: one of these is enough.
_BY_ROLES: list[tuple[set[str], Iterable[str]]] = [
    (
        {"agent", "encoder", "tool"},
        (
            *("eliminate", "eliminate_batch", "eliminate_in_context", *PROPOSE),
            *("merge_node_tombstones", "merge_edge_tombstones"),
        ),
    ),
    (
        {"agent"},
        (
            *("enter_obligation", "request_exit", "declare_conclusion", "request_termination"),
            *("create_context", "register_space", "register_universe", "create_incident"),
        ),
    ),
    ({"agent", "encoder"}, ("merge_hypothesis",)),
    ({"agent", "policy"}, ("declare_session",)),
    ({"policy"}, ("waive_obligation", "set_policy_defaults", *SET_POLICY)),
    # Who holds the token, or sets policy.
    ({"agent", "encoder", "tool", "policy"}, ("narrow_capability", "revoke_capability")),
    ({"agent", "encoder", "tool", "policy"}, SWEEP),
    ({"approver"}, APPROVE),
    (
        {"admin"},
        (
            *("create_principal", "change_principal"),
            *("create_token", "rotate_token", "revoke_token"),
            *(OPERATE - WATCH),
        ),
    ),
    (
        {"admin", "auditor"},
        (
            *("read_principal", "read_token", "list_principals", "list_tokens"),
            *("audit_identities", "verify_identities"),
        ),
    ),
    ({"admin", "auditor", "monitor"}, WATCH),
    # Who it is itself; whoever watches reads nothing else.
    (set(ROLES), {"identify"}),
    (set(), KEEP),
]
MAY = {verb: roles for roles, verbs in _BY_ROLES for verb in verbs}


@contextmanager
def logged_in(connection: Connection, login: str) -> Iterator[None]:
    connection.execute(sql.SQL("set session authorization {}").format(sql.Identifier(login)))
    try:
        yield
    finally:
        connection.execute("reset session authorization")


def is_refused(connection: Connection, credential: bytes) -> Any:
    """What the refusal says of the credential."""
    error = refused(connection, errors.Unauthenticated, "revision", credential=credential)
    assert error.message == (
        "Who calls is not known. Show a token that is valid here; administrators make them."
    )
    return error.details["credential"]


# Tokens


@pytest.mark.parametrize("wrong", [b"", b"x", b"x" * 31, b"x" * 33, b"x" * 100_000, b"x" * 32])
def test_an_unknown_token(tx: Connection, wrong: bytes) -> None:
    mine = caller(tx, "ann")
    assert is_refused(tx, wrong) == "unknown"
    assert is_refused(tx, digest(mine.hex())) == "unknown"
    (stored,) = tx.execute("select credential_hash from cmbs_store.api_token").fetchone() or (b"",)
    assert is_refused(tx, stored) == "unknown", "what is stored opens nothing"


def test_a_token_ends_to_the_microsecond(tx: Connection) -> None:
    principal(tx, "ann")
    mine = token(tx, "ann", expires_at="2090-01-01T00:00:00.000001Z")
    set_clock(tx, "2090-01-01T00:00:00.000000Z")
    assert call(tx, "revision", credential=mine)
    for ts in ("2090-01-01T00:00:00.000001Z", "2091-01-01T00:00:00.000000Z"):
        set_clock(tx, ts)
        assert is_refused(tx, mine) == "expired"


def test_revoked_and_disabled(tx: Connection) -> None:
    principal(tx, "ann")
    mine, other = token(tx, "ann"), token(tx, "ann", "other")
    call(tx, "revoke_token", token_id=token_id(mine))
    assert is_refused(tx, mine) == "revoked"
    assert call(tx, "revision", credential=other)
    call(tx, "change_principal", name="ann", is_enabled=False)
    assert is_refused(tx, other) == "its principal is disabled"


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_a_transaction_that_keeps_its_snapshot(db: Connection, level: str) -> None:
    """It would go on with a token after it was revoked."""
    mine = caller(db, "ann")
    db.execute("set default_transaction_isolation = " + repr(level))
    error = refused(db, errors.Forbidden, "revision", credential=mine)
    assert "read committed" in error.details["problem"]
    db.execute("set default_transaction_isolation = 'read uncommitted'")
    refused(db, errors.Forbidden, "revision", credential=mine)
    db.execute("reset default_transaction_isolation")
    assert call(db, "revision", credential=mine)


def test_the_verbs_of_a_token(tx: Connection) -> None:
    session = Session(tx)
    principal(tx, "ann", *ROLES)
    for verb in sorted(VERBS - {"import_events"}):
        mine = token(tx, "ann", verb, verbs=[verb])
        for other in ("revision", "query_belief"):
            if other != verb:
                sent = {"session_id": session.id} if other == "query_belief" else {}
                error = refused(tx, errors.Forbidden, other, credential=mine, **sent)
                assert error.details == {"verb": other, "verbs": [verb]}
    mine = token(tx, "ann", "narrow", verbs=["query_belief"])
    assert call(tx, "query_belief", session_id=session.id, credential=mine)


def test_a_token_for_one_tenant_of_all(tx: Connection) -> None:
    ours, theirs = (caller(tx, tenant, "agent", tenant=tenant) for tenant in ("acme", "other"))
    principal(tx, "eve", *ROLES, tenant="*")
    all_of_them = token(tx, "eve", "all", tenant="*")
    one = token(tx, "eve", "one", tenant="*", scope_tenant="acme")
    mine, foreign = Held(tx, ours), Held(tx, theirs)
    for session in (mine, foreign):
        assert session("query_belief", credential=all_of_them)
    assert mine("query_belief", credential=one)
    with pytest.raises(errors.SessionNotFound), tx.transaction():
        foreign("query_belief", credential=one)
    assert Held(tx, one)("query_belief", credential=ours), "what it makes belongs there"
    with pytest.raises(errors.SessionNotFound), tx.transaction():
        Held(tx, all_of_them)("query_belief", credential=ours)


@pytest.mark.parametrize(
    "verb",
    ["create_principal", "change_principal", "create_token", "rotate_token", "revoke_token"],
)
def test_who_is_shut_out_while_waiting_changes_nothing(database: str, verb: str) -> None:
    """The first of two changes takes the second one's right away, and the second finds out."""
    with background(database) as calls, psycopg.connect(database) as first:
        root, ann = caller(first, "root", "admin"), caller(first, "ann", "agent")
        first.commit()
        new = {"digest": digest("another"), "prefix": "cmbs_other"}
        sent: dict[str, Any] = {
            "create_principal": {"name": "eve", "kind": "agent", "roles": ["agent"]},
            "change_principal": {"name": "ann", "roles": ["policy"]},
            "create_token": {"name": "ann", **new},
            "rotate_token": {"token_id": token_id(ann), **new},
            "revoke_token": {"token_id": token_id(ann)},
        }[verb]
        call(first, "change_principal", name="root", is_enabled=False)
        late = calls.call(verb, **sent, credential=root)
        calls.wait_until_blocked()
        first.commit()
        assert isinstance(late.exception(), errors.Unauthenticated)
        assert [event["verb"] for event in identity_events(first)][-1] == "CHANGE_PRINCIPAL"
        assert len(identity_events(first)) == 5
        assert is_whole(first)


# Roles


def test_every_verb_is_in_the_table() -> None:
    assert set(MAY) < VERBS


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_roles(tx: Connection, verb: str) -> None:
    session = Session(tx)
    call(tx, "register_space", **arguments_of(session, "register_space"))
    for given in ("create_context", "merge_hypothesis", "create_incident"):
        call(tx, given, **arguments_of(session, given))
    principal(tx, "known", "agent")
    call(tx, "create_token", name="known", digest=DIGEST, prefix="cmbs_known")
    if verb in ("request_exit", "waive_obligation"):
        session.enter("o", 0)
    session.eliminate("d", source_id="s", observation_id="before")
    sent = arguments_of(session, verb)
    may = MAY.get(verb, {*ROLES} - {"monitor"})
    for role in ROLES:
        # Only who sees every tenant has to do with the webhooks and the mirror.
        tenant = "*" if verb in OPERATE else None
        mine = caller(tx, f"principal {role}", role, tenant=tenant)
        if role in may and verb in FINDS_NOTHING:
            # Let in, as far as to learn that there is no such thing.
            refused(tx, FINDS_NOTHING[verb], verb, **sent, credential=mine)
        elif role in may:
            with tx.transaction(force_rollback=True):
                call(tx, verb, **sent, credential=mine)
        else:
            error = refused(tx, errors.Forbidden, verb, **sent, credential=mine)
            if verb != "import_events":
                assert set(error.details["required_roles"]) == may
                assert error.details["principal"] == f"principal {role}"


def test_who_calls_is_asked_before_anything_else(tx: Connection) -> None:
    """Whatever else is wrong, a caller without a role learns that alone."""
    mine = caller(tx, "ann")
    wrong = {"session_id": None, "source_id": "", "observation_id": None, "eliminated": None}
    refused(tx, errors.Forbidden, "eliminate", **wrong, credential=mine)
    refused(tx, errors.Unauthenticated, "eliminate", **wrong, credential=b"x")


# Sources


def test_sources(tx: Connection) -> None:
    mine = caller(tx, "ann", "agent", prefixes=["adapter://", "é"])
    session = Held(tx, mine)
    for source_id in ("adapter://", "adapter://x", "é1"):
        assert session.eliminate("a", source_id=source_id)["audit_event_id"]
    for source_id in ("adapter:/", "ADAPTER://x", " adapter://", "e\u0301"):
        sent = {"source_id": source_id, "observation_id": "o", "eliminated": ["b"]}
        error = session.refuses(errors.Forbidden, "eliminate", **sent, credential=mine)
        assert error.details == {
            "principal": "ann",
            "source_id": source_id,
            "source_prefixes": ["adapter://", "é"],
        }
    assert {event["actor"] for event in session.events()} == {"ann"}
    assert Session(tx).connection is tx
    assert call(tx, "verify", session_id=session.id)["ok"] is True


@pytest.mark.parametrize(("prefixes", "is_any"), [([], False), ([""], True)])
def test_no_source_and_any(tx: Connection, prefixes: list[str], is_any: bool) -> None:
    session = Held(tx, caller(tx, "ann", "agent", prefixes=prefixes))
    if is_any:
        assert session.eliminate("a", source_id="whatever")["applied_eliminated"] == ["a"]
        return
    with pytest.raises(errors.Forbidden), tx.transaction():
        session.eliminate("a", source_id="whatever")


def test_sources_of_a_batch(tx: Connection) -> None:
    mine = caller(tx, "ann", "tool", prefixes=["mine/"])
    session = Session(tx)
    good = [message("a", observation_id=str(no), source_id=f"mine/{no}") for no in range(3)]
    for index in range(4):
        sent = [*good[:index], message("b", observation_id="bad", source_id="x"), *good[index:]]
        error = session.refuses(
            errors.Forbidden, "eliminate_batch", messages=Json(sent), credential=mine
        )
        assert error.details == {
            "principal": "ann",
            "source_id": "x",
            "source_prefixes": ["mine/"],
            "index": index,
        }
    assert session.batch(*good, credential=mine)["duplicate"] is False
    assert [event["actor"] for event in session.events()] == ["postgres", "ann", "ann", "ann"]


def test_sources_of_a_context(tx: Connection) -> None:
    begin_context(tx, "k")
    mine = caller(tx, "ann", "encoder", prefixes=["mine/"])
    sent = {"context_id": "k", "eliminated": ["a"], "trigger": "t", "credential": mine}
    refused(tx, errors.Forbidden, "eliminate_in_context", **sent, source_id="other")
    found = call(tx, "eliminate_in_context", **sent, source_id="mine/1")
    assert found["applied"] == ["a"]


def test_sources_of_an_incident(tx: Connection) -> None:
    graph = Graph(tx)
    graph.merge(["a", "b"], [("a", "b")])
    graph.incident("i")
    mine = caller(tx, "ann", "encoder", prefixes=["mine/"])
    edge = ("a", "b", "DEPENDS_ON")
    for verb, rule_out, what in (
        ("merge_node_tombstones", graph.rule_out, "a"),
        ("merge_edge_tombstones", graph.rule_out_edges, edge),
    ):
        with pytest.raises(errors.Forbidden) as caught, tx.transaction():
            rule_out("i", what, source_id="other", credential=mine)
        assert caught.value.details["source_prefixes"] == ["mine/"], verb
        found = rule_out("i", what, source_id="mine/1", credential=mine)
        assert len(found["applied"]) == 1
    told = tx.execute("select source_id, actor from cmbs.incident_tombstone").fetchall()
    assert told == [("mine/1", "ann")] * 2


def test_what_a_session_takes_of_an_incident_is_of_the_source_tee(tx: Connection) -> None:
    """Whoever declares it speaks for no source by that: what is ruled out was so before."""
    graph = Graph(tx)
    graph.merge(["a", "b"])
    graph.incident("i")
    graph.rule_out("i", "a")
    mine = caller(tx, "ann", "agent", prefixes=["mine/"])
    session = Held(tx, mine, None, universe_from=Json({"tee_incident": "i"}))
    _, taken = session.events()
    assert (taken["actor"], taken["payload"]["source_id"]) == ("ann", "tee")
    assert (taken["payload"]["observation_id"], taken["delta"]["eliminated"]) == ("i", ["a"])
    sent = {"source_id": "tee", "observation_id": "o", "eliminated": ["b"]}
    session.refuses(errors.Forbidden, "eliminate", **sent, credential=mine)


def test_a_repeat_by_somebody_who_may_not_speak_for_the_source(tx: Connection) -> None:
    """What was recorded is not for him to hear again; for another who may speak it is a repeat."""
    session = Session(tx)
    first = session.eliminate("a", source_id="s1", observation_id="o")
    sent = {"source_id": "s1", "observation_id": "o", "eliminated": ["a"]}
    stranger = caller(tx, "ann", "agent", prefixes=["s2"])
    session.refuses(errors.Forbidden, "eliminate", **sent, credential=stranger)
    batch = {"messages": Json([sent]), "credential": stranger}
    session.refuses(errors.Forbidden, "eliminate_batch", **batch)
    other = caller(tx, "bob", "tool", prefixes=["s"])
    again = session("eliminate", **sent, credential=other)
    assert (again["duplicate"], again["audit_event_id"]) == (True, first["audit_event_id"])
    assert session.last_event()["actor"] == "postgres"


# Policy


def test_forced_termination_is_declared_by_the_policy_role(tx: Connection) -> None:
    force = Json({"allow_forced_termination": True})
    tx.execute("create role bob login in role cmbs_agent")
    with logged_in(tx, "bob"):
        assert Session(tx, policy=force), "nobody is there yet who could have the role"
    agent = caller(tx, "ann", "agent")
    policy = caller(tx, "eve", "policy")
    with pytest.raises(errors.Forbidden) as caught, tx.transaction():
        Held(tx, agent, policy=force)
    assert caught.value.details["required_roles"] == ["policy"]
    with logged_in(tx, "bob"), pytest.raises(errors.Forbidden), tx.transaction():
        Session(tx, policy=force)
    assert Held(tx, agent, policy=Json({"allow_forced_termination": False}))
    declared = Held(tx, policy, policy=force)
    assert declared.terminate(context=Json({"force": True}), credential=agent)["approved"] is True


def test_a_default_of_the_policy_role_counts_for_everybody(tx: Connection) -> None:
    agent, policy = caller(tx, "ann", "agent"), caller(tx, "eve", "policy")
    sent = {"policy": Json({"allow_forced_termination": True})}
    refused(tx, errors.Forbidden, "set_policy_defaults", **sent, credential=agent)
    call(tx, "set_policy_defaults", **sent, credential=policy)
    assert Held(tx, agent).declared["snapshot"]["policy"]["allow_forced_termination"] is True


# Logins


@pytest.fixture
def bob(tx: Connection) -> Connection:
    tx.execute("create role bob login in role cmbs_agent, cmbs_auditor, cmbs_policy, cmbs_admin")
    return tx


def test_a_login_by_its_grants(bob: Connection) -> None:
    with logged_in(bob, "bob"):
        found = call(bob, "identify")
    assert (found["name"], found["tenant"], found["source_prefixes"]) == ("bob", "default", None)
    assert found["roles"] == ["agent", "encoder", "tool", "policy", "auditor", "admin"]


def test_a_registered_login(bob: Connection) -> None:
    """Its principal says what it may, whatever it was granted."""
    principal(bob, "bob", "encoder", prefixes=["mine/"], tenant="acme", is_login=True)
    acme = Held(bob, caller(bob, "ann", "agent", tenant="acme"))
    home = Session(bob)
    sent = {"observation_id": "o", "eliminated": ["a"]}
    with logged_in(bob, "bob"):
        found = call(bob, "identify")
        assert (found["tenant"], found["roles"]) == ("acme", ["encoder"])
        mine = {**sent, "session_id": acme.id}
        assert call(bob, "eliminate", **mine, source_id="mine/1")["applied_eliminated"] == ["a"]
        for wrong, error in (
            ({**mine, "source_id": "other"}, errors.Forbidden),
            ({**sent, "session_id": home.id, "source_id": "mine/1"}, errors.SessionNotFound),
        ):
            with pytest.raises(error), bob.transaction():
                call(bob, "eliminate", **wrong)
        with pytest.raises(errors.Forbidden), bob.transaction():
            call(bob, "list_principals")
        assert bob.execute("select session_id from cmbs.session").fetchall() == [(acme.id,)]
    assert acme.last_event()["actor"] == "bob"
    call(bob, "change_principal", name="bob", is_enabled=False, tenant="acme")
    with logged_in(bob, "bob"):
        for statement in ("select cmbs.tenant()", "select * from cmbs.session"):
            with pytest.raises(errors.Forbidden), bob.transaction():
                bob.execute(statement.encode())


@pytest.mark.parametrize("tenant", ["default", "*"])
def test_a_login_whose_name_a_principal_with_tokens_has(tx: Connection, tenant: str) -> None:
    """In a log of the tenant one could not be told from the other."""
    mine = caller(tx, "bob", "agent", tenant=tenant)
    tx.execute("create role bob login in role cmbs_agent")
    with logged_in(tx, "bob"):
        with pytest.raises(errors.Forbidden), tx.transaction():
            call(tx, "tenant")
        assert call(tx, "identify", credential=mine)["name"] == "bob"


def test_such_a_login_elsewhere(tx: Connection) -> None:
    """Where it may not write it may share its name; an owner may write anywhere."""
    caller(tx, "bob", "agent", tenant="acme")
    tx.execute("create role bob login in role cmbs_agent")
    with logged_in(tx, "bob"):
        assert call(tx, "tenant") == "default"
    tx.execute("grant cmbs_owner to bob")
    with logged_in(tx, "bob"), pytest.raises(errors.Forbidden) as caught, tx.transaction():
        call(tx, "tenant")
    assert "principal with tokens" in caught.value.details["problem"]


def test_a_login_with_the_name_of_the_server(tx: Connection) -> None:
    tx.execute("create role api login in role cmbs_agent")
    with logged_in(tx, "api"), pytest.raises(errors.Forbidden), tx.transaction():
        call(tx, "tenant")


# The server


def test_the_first_principal_ends_that_the_server_is_api(tx: Connection) -> None:
    session = Session(tx)
    with logged_in(tx, "cmbs_server"):
        found = call(tx, "identify")
        assert (found["name"], found["tenant"]) == ("api", "*")
        assert "admin" not in found["roles"]
        with pytest.raises(errors.Forbidden), tx.transaction():
            call(tx, "create_principal", name="ann", kind="agent", roles=["admin"])
        session.eliminate("a")
    assert session.last_event()["actor"] == "api"
    mine = caller(tx, "ann", "agent")
    with logged_in(tx, "cmbs_server"):
        # The revision is told to anybody; contexts and imports the server does not have.
        for verb in sorted(MAY_CALL["cmbs_server"] - UPKEEP - {"revision"}):
            with pytest.raises(errors.Unauthenticated) as caught, tx.transaction():
                call(tx, verb, **arguments_of(session, verb))
            assert caught.value.details == {"credential": "missing"}
        for verb in sorted(UPKEEP):
            # What is due is done by no caller.
            assert call(tx, verb, **arguments_of(session, verb))
        assert session.eliminate("b", credential=mine)["applied_eliminated"] == ["b"]
    assert session.last_event()["actor"] == "ann"
    call(tx, "change_principal", name="ann", is_enabled=False)
    with logged_in(tx, "cmbs_server"):
        with pytest.raises(errors.Unauthenticated), tx.transaction():
            call(tx, "tenant", credential=mine)
        with pytest.raises(errors.Unauthenticated), tx.transaction():
            call(tx, "tenant")


def test_it_ends_for_a_transaction_that_runs(database: str) -> None:
    with (
        psycopg.connect(database, user="cmbs_server") as running,
        psycopg.connect(database, user="cmbs_server") as keeping,
        psycopg.connect(database, autocommit=True) as admin,
    ):
        assert call(running, "identify")["name"] == "api"
        keeping.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with pytest.raises(errors.Forbidden):
            call(keeping, "identify")
        principal(admin, "ann", "agent")
        with pytest.raises(errors.Unauthenticated):
            call(running, "identify")
        assert is_whole(admin)
