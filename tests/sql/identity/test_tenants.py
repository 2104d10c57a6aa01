"""What is one tenant's is not there for another."""

from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.schema.test_privileges import OPERATE, WEBHOOK, arguments_of
from tests.sql.verdict.scene import rich_arbitration
from tests.support.beliefs import (
    NOBODY,
    ONTOLOGY,
    Connection,
    Session,
    background,
    begin_context,
    declare,
    refused,
)
from tests.support.callers import (
    ROLES,
    Held,
    caller,
    identity_events,
    is_whole,
    principal,
    token_id,
)
from tests.tee.scene import Graph, edge_id, node, rich_tee, said, set_mirror

SPACE = {"hypothesis_space_id": "space", "hypothesis_version": "1"}


def verbs_of(connection: Connection, argument: str) -> list[str]:
    """The verbs whose first argument this is: those of tomorrow, too."""
    rows = connection.execute(
        "select proname from pg_proc where pronamespace = 'cmbs'::regnamespace "
        "and proargnames[1] = %s order by 1",
        [argument],
    )
    # Imports are the owner's, a declare is told that the id is taken, and webhooks and the mirror
    # are for who sees every tenant.
    apart = ("import_events", "declare_session", *OPERATE)
    return [verb for (verb,) in rows if verb not in apart]


def two(connection: Connection) -> tuple[bytes, bytes]:
    """Callers of two tenants, each with every role."""
    ours, theirs = (caller(connection, "ann", *ROLES, tenant=one) for one in ("acme", "other"))
    return ours, theirs


def test_a_foreign_session_is_not_found(tx: Connection) -> None:
    ours, theirs = two(tx)
    session = Held(tx, ours)
    session.enter("o", 0)
    session.eliminate("d", source_id="s", observation_id="before")
    verbs = verbs_of(tx, "p_session_id")
    assert len(verbs) > 15
    for verb in verbs:
        sent = arguments_of(session, verb) | {"credential": theirs}
        error = refused(tx, errors.SessionNotFound, verb, **sent)
        nobody = refused(tx, errors.SessionNotFound, verb, **sent | {"session_id": NOBODY})
        assert error.message == nobody.message
        assert error.details == {"session_id": str(session.id)}, verb
        assert nobody.details == {"session_id": str(NOBODY)}, verb
    assert session.is_whole()


def test_what_takes_no_session_shows_none(tx: Connection) -> None:
    ours, theirs = two(tx)
    session = Held(tx, ours)
    assert call(tx, "list_sessions", credential=theirs)["sessions"] == []
    (found,) = call(tx, "list_sessions", credential=ours)["sessions"]
    assert found["session_id"] == str(session.id)
    of = "select session_id from cmbs.verify_all(p_credential => %s)"
    assert tx.execute(of, [theirs]).fetchall() == []
    assert tx.execute(of, [ours]).fetchall() == [(session.id,)]


def test_a_declare_under_a_foreign_id(tx: Connection) -> None:
    """The one place where existence shows: the id cannot be given twice."""
    ours, theirs = two(tx)
    session = Held(tx, ours)
    for hypotheses in (list("abcd"), ["x"]):
        sent = {"ontology": Json(ONTOLOGY), "hypotheses": hypotheses, "credential": theirs}
        error = refused(tx, errors.Conflict, "declare_session", session_id=session.id, **sent)
        assert error.details == {"session_id": str(session.id)}
    again = declare(tx, session_id=session.id, credential=ours)
    assert again["duplicate"] is True


def test_no_lock_on_a_foreign_session(database: str) -> None:
    """Neither waits the foreigner while its owner writes, nor the owner for the foreigner."""
    with (
        psycopg.connect(database) as owner,
        psycopg.connect(database) as foreigner,
        psycopg.connect(database, autocommit=True) as admin,
    ):
        ours, theirs = two(admin)
        session = Held(admin, ours)
        foreigner.execute("set lock_timeout = '1ms'")
        owner.execute("set lock_timeout = '1ms'")
        foreigner.commit()
        owner.commit()
        mine = {"session_id": session.id, "credential": ours}
        call(owner, "declare_conclusion", **mine, conclusion_id="c")
        for verb in verbs_of(admin, "p_session_id"):
            sent = arguments_of(session, verb) | {"credential": theirs}
            with pytest.raises(errors.SessionNotFound), foreigner.transaction():
                call(foreigner, verb, **sent)
        owner.commit()
        for verb in [*verbs_of(admin, "p_session_id"), "declare_session"]:
            sent = arguments_of(session, verb) | {"credential": theirs}
            with foreigner.transaction():
                with pytest.raises(errors.BeliefError), foreigner.transaction():
                    call(foreigner, verb, **sent)
                call(owner, "declare_conclusion", **mine, conclusion_id=verb)
                owner.commit()


def test_contexts(tx: Connection) -> None:
    ours, theirs = two(tx)
    sent = {"context_id": "k", "hypotheses": list("abcd")}
    call(tx, "create_context", **sent, credential=ours)
    for verb in verbs_of(tx, "p_context_id"):
        if verb == "create_context":
            continue
        more = arguments_of(Session(tx), verb) | {"credential": theirs}
        error = refused(tx, errors.SessionNotFound, verb, **more)
        assert error.details == {"context_id": "k"}
        assert call(tx, verb, **more | {"credential": ours})
    error = refused(tx, errors.Conflict, "create_context", **sent, credential=theirs)
    assert error.details == {"context_id": "k"}
    assert call(tx, "create_context", **sent, credential=ours)["duplicate"] is True
    begin_context(tx, "of the default")
    with pytest.raises(errors.SessionNotFound), tx.transaction():
        call(tx, "recover_context", context_id="of the default", credential=ours)


def test_incidents(tx: Connection) -> None:
    ours, theirs = two(tx)
    for credential in (ours, theirs):
        call(tx, "merge_hypothesis", **arguments_of(Session(tx), "merge_hypothesis"),
             credential=credential)  # fmt: skip
    created = {"incident_id": "i", "node_ids": ["a", "b"]}
    assert call(tx, "create_incident", **created, credential=ours)["created"] is True
    verbs = verbs_of(tx, "p_incident_id")
    assert len(verbs) == 6
    for verb in verbs:
        sent = arguments_of(Session(tx), verb) | {"credential": theirs}
        if verb == "create_incident":
            continue
        error = refused(tx, errors.IncidentNotFound, verb, **sent)
        nobody = refused(tx, errors.IncidentNotFound, verb, **sent | {"incident_id": "nobody"})
        assert (error.details, nobody.details) == ({"incident_id": "i"}, {"incident_id": "nobody"})
        assert error.message == nobody.message
        assert call(tx, verb, **sent | {"credential": ours})
    for universe in ({}, {"node_ids": ["a", "b"]}, {"node_ids": ["b"]}):
        sent = {"incident_id": "i", **universe, "credential": theirs}
        error = refused(tx, errors.Conflict, "create_incident", **sent)
        assert error.details == {"incident_id": "i"}, "and nothing of what it is pinned to"
    from_it = {"universe_from": Json({"tee_incident": "i"}), "ontology": Json(ONTOLOGY)}
    for credential in (theirs, None):
        # Who sees all makes sessions of the default tenant, which has no such incident either.
        sent = {"session_id": NOBODY, **from_it, "credential": credential}
        error = refused(tx, errors.IncidentNotFound, "declare_session", **sent)
        assert error.details == {"incident_id": "i"}
    assert call(tx, "declare_session", session_id=NOBODY, **from_it, credential=ours)
    assert call(tx, "read_incident", incident_id="i")["universe"] == ["a", "b"], "who sees all does"


def test_graphs(tx: Connection) -> None:
    """One id, and two nodes: neither what it is, nor who said so, nor the version is shared."""
    ours, theirs = (Graph(tx, credential=credential) for credential in two(tx))
    first = ours.merge([node("a", label="ours", hypothetical=True)], [("a", "b")])
    assert first["created"] == ["a", edge_id("a", "b")]
    again = theirs.merge([node("a", "MECHANISM", label="theirs", by=said("them"))], [("a", "c")])
    assert again == {"created": ["a", edge_id("a", "c")], "merged": [], "conflicts": []}
    theirs.merge(["x"])
    (found,) = ours("read_main_graph")["nodes"]
    assert (found["type"], found["label"], found["hypothetical"]) == ("SERVICE", "ours", True)
    assert [one["source"] for one in found["provenance"]] == ["encoder"]
    assert ours.all() == ({"a"}, {edge_id("a", "b")})
    assert theirs.all() == ({"a", "x"}, {edge_id("a", "c")})
    assert Graph(tx).all() == (set(), set())
    assert ours.incident("o")["universe_anchor"] == "v1"
    assert theirs.incident("t")["universe_anchor"] == "v2"
    refused(tx, errors.InvalidRequest, "create_incident", **ours.by, incident_id="p",
            node_ids=["x"])  # fmt: skip
    # The graph of the other has it, and ours does not.
    assert ours.rule_out("o", "x", "a")["unmatched"] == ["x"]
    assert ours.live("o") == (set(), set())
    assert theirs.live("t")[0] == {"a", "x"}


def test_dead_edges_are_of_the_sessions_own_graph(tx: Connection) -> None:
    ours, theirs = (Graph(tx, credential=credential) for credential in two(tx))
    for graph in (ours, theirs):
        graph.merge(["a", "b", "c"], [("a", "b"), ("b", "c")] if graph is ours else [("b", "c")])
    ours.incident("o")
    sent = {"universe_from": Json({"tee_incident": "o", "edges": True})}
    session = Held(tx, ours.by["credential"], None, **sent)
    theirs.merge([], [("a", "c")])
    assert session.eliminate("a")["applied_eliminated"] == ["a", edge_id("a", "b")]
    assert session.is_whole()


def test_no_lock_on_a_foreign_graph_or_incident(database: str) -> None:
    """Who merges or rules out in one tenant holds up nobody in another."""
    with (
        psycopg.connect(database) as owner,
        psycopg.connect(database) as foreigner,
        psycopg.connect(database, autocommit=True) as admin,
    ):
        ours, theirs = two(admin)
        for credential in (ours, theirs):
            Graph(admin, credential=credential).merge(["a", "b"])
        Graph(admin, credential=ours).incident("o")
        Graph(admin, credential=theirs).incident("t")
        for connection in (owner, foreigner):
            connection.execute("set lock_timeout = '1ms'")
            connection.commit()
        mine, other = Graph(owner, credential=ours), Graph(foreigner, credential=theirs)
        mine.merge(["new"])
        mine.rule_out("o", "a")
        mine.incident("not committed yet")
        assert other.merge(["new"])["created"] == ["new"]
        assert other.rule_out("t", "a")["applied"] == ["a"]
        with pytest.raises(errors.IncidentNotFound), foreigner.transaction():
            other.rule_out("o", "a")
        with pytest.raises(errors.Conflict), foreigner.transaction():
            other.incident("o")


def test_the_mirror_is_for_who_sees_every_tenant(tx: Connection) -> None:
    ours, _ = two(tx)
    session = Held(tx, ours)
    for verb in sorted(OPERATE):
        sent = arguments_of(session, verb) | {"credential": ours}
        if verb == "set_webhook":
            sent["tenant"] = "*"
        refused(tx, errors.Forbidden, verb, **sent)
    set_mirror(tx)
    mirrored = Held(tx, ours)
    (told,) = call(tx, "take_mirror")["sessions"]
    assert told["session_id"] == str(mirrored.id), "a session of any tenant, declared since"


def test_spaces(tx: Connection) -> None:
    """One name and version, and two lists."""
    ours, theirs = two(tx)
    for mine, ids in ((ours, ["a"]), (theirs, ["b", "c"])):
        found = call(tx, "register_space", **SPACE, hypotheses=ids, credential=mine)
        assert found["duplicate"] is False
    for mine, ids in ((ours, ["a"]), (theirs, ["b", "c"])):
        assert call(tx, "read_space", **SPACE, credential=mine)["hypotheses"] == ids
        assert declare(tx, None, credential=mine)["snapshot"]["survivors"] == ids
    refused(tx, errors.SpaceNotFound, "read_space", **SPACE)
    other = {"hypotheses": ["x"], "credential": ours}
    refused(tx, errors.Conflict, "register_space", **SPACE, **other)


def test_defaults_of_a_policy(tx: Connection) -> None:
    """A tenant without its own has those that there were from the beginning."""
    ours, theirs = two(tx)
    call(tx, "set_policy_defaults", policy=Json({"stability_window": 3}), credential=ours)

    def window(credential: bytes | None) -> int:
        found = declare(tx, credential=credential)["snapshot"]["policy"]["stability_window"]
        return int(found)

    assert [window(ours), window(theirs), window(None)] == [3, 0, 0]
    call(tx, "set_policy_defaults", policy=Json({"stability_window": 5}))
    assert [window(ours), window(theirs), window(None)] == [3, 0, 5]
    rows = tx.execute(
        "select tenant, stability_window, set_by from cmbs_store.policy_default order by 1"
    ).fetchall()
    assert rows == [("*", 0, "cmbs"), ("acme", 3, "ann"), ("default", 5, "postgres")]


def test_who_sees_all_may_name_one(tx: Connection) -> None:
    ours, theirs = two(tx)
    call(tx, "register_space", **SPACE, hypotheses=["a"], credential=ours)
    assert call(tx, "read_space", **SPACE, tenant="acme")["hypotheses"] == ["a"]
    sent = {"policy": Json({"stability_window": 3}), "tenant": "acme"}
    call(tx, "set_policy_defaults", **sent)
    assert declare(tx, credential=ours)["snapshot"]["policy"]["stability_window"] == 3
    assert declare(tx, credential=theirs)["snapshot"]["policy"]["stability_window"] == 0
    refused(tx, errors.Forbidden, "set_policy_defaults", **sent, credential=theirs)
    refused(tx, errors.Forbidden, "read_space", **SPACE, tenant="acme", credential=theirs)
    for odd in ("", "acme ", "ac\tme"):
        refused(tx, errors.InvalidRequest, "read_space", **SPACE, tenant=odd)


def test_a_declare_again_by_who_sees_all(tx: Connection) -> None:
    """It is for the tenant that the session is of, with the spaces and defaults of that one."""
    ours, _ = two(tx)
    call(tx, "register_space", **SPACE, hypotheses=["a"], credential=ours)
    sent = {"policy": Json({"stability_window": 3})}
    call(tx, "set_policy_defaults", **sent, credential=ours)
    first = declare(tx, None, credential=ours)
    again = declare(tx, None, session_id=UUID(first["session_id"]))
    assert again == {**first, "duplicate": True}
    with pytest.raises(errors.SpaceNotFound), tx.transaction():
        declare(tx, None)


def test_views(tx: Connection) -> None:
    ours, _ = two(tx)
    session = Held(tx, ours)
    session.enter("o", 1)
    session.eliminate("a")
    session.exit("o")
    session.conclude()
    call(tx, "create_context", context_id="k", hypotheses=["a"], credential=ours)
    given = {"eliminated": ["a"], "source_id": "s", "trigger": "t", "credential": ours}
    call(tx, "eliminate_in_context", context_id="k", **given)
    everything = caller(tx, "everything", *ROLES, tenant="acme")
    call(tx, "set_webhook", **WEBHOOK, tenant="acme")
    rich_arbitration(tx, everything)
    set_mirror(tx)
    rich_tee(tx, credential=ours)
    views = tx.execute("select viewname from pg_views where schemaname = 'cmbs'").fetchall()
    granted = "cmbs_analyst, cmbs_auditor"
    for tenant in ("acme", "other"):
        tx.execute(f"create role login_{tenant} login in role {granted}".encode())
        principal(tx, f"login_{tenant}", "auditor", tenant=tenant, is_login=True)
    tx.execute(f"create role stranger login in role {granted}".encode())
    for login, sees in (("login_acme", True), ("login_other", False), ("stranger", False)):
        tx.execute(f"set session authorization {login}".encode())
        for (view,) in views:
            if view == "reason_code":
                continue  # Of nobody: it explains what the others hold.
            about = view in ("principal", "api_token", "identity_event")
            (n,) = tx.execute(f"select count(*) from cmbs.{view}".encode()).fetchone() or (0,)
            if about:
                query = f"select distinct tenant from cmbs.{view}"
                assert set(tx.execute(query.encode())) <= {(login.removeprefix("login_"),)}
            else:
                assert (n > 0) is sees, (login, view)
        tx.execute("reset session authorization")


def test_whose_something_is_cannot_be_changed(tx: Connection) -> None:
    ours, _ = two(tx)
    Held(tx, ours)
    begin_context(tx, "k")
    for table in ("session", "context"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), tx.transaction():
            tx.execute(f"update cmbs_store.{table} set tenant = 'other'".encode())


# At the same time


def test_a_token_that_is_revoked_while_it_is_used(database: str) -> None:
    """Of each that uses it at most the call that had begun is answered; none begins after."""
    with (
        background(database) as calls,
        psycopg.connect(database, autocommit=True) as admin,
    ):
        mine = caller(admin, "ann", "agent")
        sessions = [Held(admin, mine) for _ in range(8)]

        def sent(no: int) -> dict[str, object]:
            return {"session_id": sessions[no % 8].id, "conclusion_id": str(no)}

        before = [calls.call("declare_conclusion", **sent(no), credential=mine) for no in range(32)]
        revoked = calls.call("revoke_token", token_id=token_id(mine))
        revoked.result()
        after = [calls.call("declare_conclusion", **sent(no), credential=mine) for no in range(16)]
        assert all(isinstance(one.exception(), errors.Unauthenticated) for one in after)
        answered = [one for one in before if one.exception() is None]
        for one in before:
            assert one.exception() is None or isinstance(one.exception(), errors.Unauthenticated)
        (events,) = admin.execute(
            "select count(*) from cmbs.audit_event where verb = 'DECLARE_CONCLUSION'"
        ).fetchone() or (0,)
        assert events == len(answered)


def test_two_tenants_change_at_once(database: str) -> None:
    """Each log without a gap, and what is stored is what they lead to."""
    with background(database) as calls, psycopg.connect(database, autocommit=True) as admin:
        tenants = ("acme", "other")
        running = [
            calls.call(
                "create_principal",
                name=f"{no}",
                kind="agent",
                roles=["agent"],
                tenant=tenants[no % 2],
            )
            for no in range(12)
        ]
        assert all(one.result()["duplicate"] is False for one in running)
        running = [
            calls.call("change_principal", name=f"{no}", roles=["tool"], tenant=tenants[no % 2])
            for no in range(12)
        ]
        assert all(one.result()["roles"] == ["tool"] for one in running)
        for tenant in tenants:
            seqs = [event["seq"] for event in identity_events(admin, tenant)]
            assert seqs == list(range(1, 13))
        assert is_whole(admin)


def test_an_open_transaction_of_one_tenant_holds_up_no_other(database: str) -> None:
    """Whatever its administrator leaves open, revocations elsewhere are made at once."""
    with (
        background(database) as calls,
        psycopg.connect(database) as open_one,
        psycopg.connect(database) as other,
    ):
        ours, theirs = two(other)
        more = caller(other, "bob", tenant="other")
        other.commit()
        other.execute("set lock_timeout = '1ms'")
        other.commit()
        sent = {"name": "new", "kind": "agent", "roles": ["agent"]}
        for verb, given in (
            ("revoke_token", {"token_id": token_id(ours)}),
            ("change_principal", {"name": "ann", "roles": ["agent"]}),
            ("create_principal", sent),
        ):
            call(open_one, verb, **given, credential=ours)
            for their_verb, named in (
                ("change_principal", {"name": "bob", "is_enabled": False}),
                ("revoke_token", {"token_id": token_id(more)}),
            ):
                call(other, their_verb, **named, credential=theirs)
                other.rollback()
            if verb != "create_principal":
                call(other, "create_principal", **sent, credential=theirs)
                other.rollback()
                open_one.rollback()
        # Names take turns, for one of * is one everywhere.
        waiting = calls.call("create_principal", **sent, credential=theirs)
        calls.wait_until_blocked()
        open_one.commit()
        assert waiting.result()["tenant"] == "other"
        assert is_whole(other)
