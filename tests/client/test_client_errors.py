"""Every error of the protocol arrives as its class, with what the server told of it."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs import errors
from cmbs.answers import OntologyBundle
from tests.client.between import Answered, fronting
from tests.client.conftest import Connect
from tests.client.test_methods import BUNDLE, CAUSES, declare
from tests.http.test_unavailable import login
from tests.support.beliefs import NO_EVENT, NOBODY, ONTOLOGY, contents
from tests.support.web import serving

UNKNOWN = OntologyBundle(**ONTOLOGY | {"hypothesis_space_id": "no such space"})
STRICT = {"validate_hypotheses": True}


def terminated(client: Any) -> Any:
    session = declare(client, "a")
    client.request_termination(session)
    return client.declare_conclusion(session, "c")


def other_content(client: Any) -> Any:
    session = declare(client)
    client.declare_conclusion(session, "c", request_id="r")
    return client.declare_conclusion(session, "d", request_id="r")


CALLS: dict[type[errors.BeliefError], Callable[[Any], Any]] = {
    errors.SessionNotFound: lambda client: client.query_belief(NOBODY),
    errors.ObligationNotFound: lambda client: client.request_exit(declare(client), "o"),
    errors.EventNotFound: lambda client: client.audit_event(declare(client), NO_EVENT),
    errors.SpaceNotFound: lambda client: client.declare_session(UNKNOWN),
    errors.IncidentNotFound: lambda client: client.declare_session(
        BUNDLE, universe_from={"tee_incident": "nowhere"}
    ),
    errors.SessionTerminated: terminated,
    errors.Conflict: other_content,
    errors.HeadMismatch: lambda client: client.declare_conclusion(
        declare(client), "c", expected_head=NO_EVENT
    ),
    errors.InvalidRequest: lambda client: client.declare_conclusion(declare(client), ""),
    errors.InvalidHypothesisId: lambda client: client.eliminate(
        declare(client, policy=STRICT), "s", "o", ["gremlins"]
    ),
    errors.PayloadTooLarge: lambda client: client.declare_conclusion(
        declare(client), "c", notes="n" * 5000
    ),
}


@pytest.mark.parametrize("kind", CALLS)
def test_what_the_server_refuses(client: Any, kind: type[errors.BeliefError]) -> None:
    with pytest.raises(kind) as caught:
        CALLS[kind](client)
    error = caught.value
    assert type(error) is kind
    assert isinstance(error, psycopg.DatabaseError)
    assert (error.code, error.sqlstate) == (kind.api_code, kind.sqlstate)
    assert re.fullmatch(r"[A-Z].*\.", error.message)
    assert error.details
    assert str(error) == f"{error.code}: {error.message} {error.details}"


FAILURES = [
    errors.Unauthenticated,
    errors.MethodNotAllowed,
    errors.UnsupportedMediaType,
    errors.RateLimited,
    errors.PolicyNotFound,
    errors.ToolNotFound,
    errors.SchemaNotFound,
    errors.ClaimNotFound,
    errors.PermitNotFound,
    errors.InterruptNotFound,
]
SEEN = {errors.Forbidden, errors.NotFound, errors.Internal, errors.Unavailable}
# In tests/client/test_identities.py, where there are principals.
SEEN |= {errors.PrincipalNotFound, errors.TokenNotFound}


def test_every_class_is_met() -> None:
    assert set(errors.BeliefError.__subclasses__()) == {*CALLS, *FAILURES, *SEEN}


@pytest.mark.parametrize("kind", FAILURES, ids=lambda kind: kind.__name__)
def test_what_this_client_never_provokes(connect: Connect, kind: type[errors.BeliefError]) -> None:
    with fronting() as front:
        body = b'{"error": {"code": "%s", "message": "m", "details": null}}'
        answer = Answered(kind.status, body % kind.api_code.encode())
        front.lie = lambda asked, behind: answer
        with pytest.raises(kind) as caught:
            connect(front.address, retries=0).healthz()
    assert (caught.value.code, caught.value.message) == (kind.api_code, "m")
    assert caught.value.details == {}


def test_a_status_alone_is_no_error_of_the_protocol(connect: Connect) -> None:
    with fronting() as front:
        body = b'{"error": {"code": "%s", "message": "m", "details": null}}'
        for code, kind in (
            (b"CONFLICT", errors.HeadMismatch),
            (b"INVALID_REQUEST", errors.InvalidRequest),
            (b"OTHER", errors.Unavailable),
        ):
            answer = Answered(412, body % code)
            front.lie = lambda asked, behind, answer=answer: answer
            with pytest.raises(kind) as caught:
                connect(front.address, retries=0).healthz()
            assert type(caught.value) is kind


def test_a_login_without_the_role(connect: Connect, database: str) -> None:
    with login(database) as name, serving(database, name) as address:
        client = connect(address)
        with pytest.raises(errors.Forbidden):
            client.declare_session(BUNDLE, CAUSES)


def test_a_path_that_the_server_does_not_have(connect: Connect, site: SimpleNamespace) -> None:
    with pytest.raises(errors.NotFound):
        connect(f"{site.address}/elsewhere").query_belief(NOBODY)


def test_a_server_that_fails_tells_its_request_id(
    connect: Connect, database: str, db: psycopg.Connection[Any]
) -> None:
    with serving(database) as address:
        client = connect(address, retries=1)
        session = declare(client)
        db.execute("drop function cmbs_store.check_envelope")
        with pytest.raises(psycopg.InternalError) as caught:
            client.eliminate(session, "s", "o", [])
    assert isinstance(caught.value, errors.Internal)
    assert caught.value.details.keys() == {"request_id"}


def test_a_database_that_is_away(connect: Connect, database: str) -> None:
    with serving(make_conninfo(database, dbname="nowhere"), patience=0.1) as address:
        client = connect(address, retries=0)
        with pytest.raises(psycopg.OperationalError) as caught:
            client.query_belief(NOBODY)
        assert isinstance(caught.value, errors.Unavailable)
        assert client.healthz().status == "ok"


def test_what_no_request_can_carry(
    connect: Connect, database: str, db: psycopg.Connection[Any]
) -> None:
    with serving(database) as address:
        client = connect(address)
        session = declare(client)
        before = contents(db)
        for call in (
            lambda: client.eliminate(session, "s", "o", "dns"),
            lambda: client.eliminate(session, "s", "o", 7),
            lambda: client.eliminate(session, "s", "o", ["a\0"]),
            lambda: client.eliminate(session, "s", "o\ud800", []),
            lambda: client.eliminate(session, "s", "o", [], {"a": float("nan")}),
            lambda: client.eliminate(session, "s", "o", [], {"a": object()}),
            lambda: client.eliminate(session, None, "o", []),
            lambda: client.eliminate_batch(session, [{"source_id": "s"}]),
            lambda: client.eliminate_batch(session, []),
            lambda: client.declare_conclusion(session, "c", expected_head='x"'),
            lambda: client.declare_conclusion(session, "c", request_id=""),
            lambda: client.declare_conclusion(session, "c", request_id="a\nb"),
            lambda: client.declare_conclusion(session, "c", request_id=" a"),
            lambda: client.request_exit(session, ""),
            lambda: client.request_exit(session, "a\0"),
            lambda: client.request_exit(session, "\ud800"),
            lambda: client.request_exit(session, "x" * 600),
            lambda: client.request_exit(session, "x" * 60_000),
            lambda: client.why(session, ""),
            lambda: client.explain(session, "x" * 100_000),
            lambda: client.explain(session, "\ud800"),
            lambda: client.read_space("", "v"),
            lambda: client.register_space("s", "", ["a"]),
            lambda: client.declare_session(BUNDLE, "abc"),
            lambda: client.declare_session(BUNDLE, []),
            lambda: client.declare_session(BUNDLE, ["a"], session_id="no uuid"),
            lambda: client.query_belief(session, "yesterday"),
        ):
            with pytest.raises(errors.InvalidRequest) as caught:
                call()
            assert caught.value.message
        deep: dict[str, Any] = {}
        for _ in range(5000):
            deep = {"a": deep}
        with pytest.raises(errors.InvalidRequest):
            client.eliminate(session, "s", "o", [], deep)
        assert contents(db) == before
