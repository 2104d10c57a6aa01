"""Whatever is passed wrongly is refused as the server would refuse it, and says what was wrong."""

import inspect
import socket
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.answers import OntologyBundle, SessionPolicy
from cmbs.client import Client
from cmbs.errors import BeliefError, InvalidRequest, SessionNotFound, Unavailable
from tests.client.conftest import Connect
from tests.client.test_methods import BUNDLE, CAUSES, declare
from tests.support.beliefs import NO_EVENT

OWN: list[Any] = [1]
OWN.append(OWN)
WRONG = [
    *(None, 0, 3, True, 2.5, 10**5000, "", "ab", "a\0", "\ud800", b"ab", object, datetime.min),
    *([], [None], [3], [[]], {3, "a"}, {}, {"a": 1}, {3: 1}, ("a", None), OWN, {"a": OWN}),
    *(OntologyBundle("a", "b", "c", OWN), SessionPolicy(stability_window=OWN)),  # type: ignore[arg-type]
]
# What the messages and reads are passed when it is right.
RIGHT = {
    "source_id": "s",
    "observation_id": "o",
    "eliminated": ["dns"],
    "messages": [{"source_id": "s", "observation_id": "o", "eliminated": ["dns"]}],
    "obligation_id": "o",
    "min_total_eliminations": 0,
    "reason": "r",
    "conclusion_id": "c",
    "ontology": BUNDLE,
    "hypotheses": CAUSES,
    "event_id": NO_EVENT,
    "from_event_id": NO_EVENT,
    "to_event_id": NO_EVENT,
    "hypothesis_id": "dns",
    "hypothesis_space_id": "space",
    "hypothesis_version": "v1",
    "name": "planner",
    "kind": "agent",
    "roles": ["agent"],
    "token_id": NO_EVENT,
}
METHODS = [
    name
    for name, it in vars(Client).items()
    if callable(it) and name[0] != "_" and len(inspect.signature(it).parameters) > 1
]


@pytest.mark.parametrize("name", METHODS)
def test_nothing_is_an_error_of_python(connect: Connect, site: SimpleNamespace, name: str) -> None:
    client = connect(site.address, verify=True)
    parameters = [*inspect.signature(getattr(Client, name)).parameters.values()][1:]
    required = {one.name for one in parameters if one.default is one.empty}
    session = declare(client)
    codes: dict[str, tuple[str, object]] = {}
    for chosen in parameters:
        for wrong in WRONG:
            right = RIGHT | {"session_id": session}
            given = {one: right[one] for one in required} | {chosen.name: wrong}
            try:
                told = getattr(client, name)(**given)
                if isinstance(told, Iterator):
                    [*islice(told, 2)]
            except BeliefError as error:
                codes[error.code] = chosen.name, wrong
    assert "INVALID_REQUEST" in codes
    assert not codes.keys() & {"UNAVAILABLE", "INTERNAL"}, codes


class Halfway:
    """A message that does not say what it eliminates."""

    source_id, observation_id = "s", "o"


FINE = {"source_id": "s", "observation_id": "o", "eliminated": ["dns"]}
BLAMED: list[tuple[Callable[[Any, Any], Any], dict[str, Any]]] = [
    (lambda c, d: c.declare_session(None, CAUSES), {"member": "ontology"}),
    (lambda c, d: c.declare_session("incident", CAUSES), {"member": "ontology"}),
    (lambda c, d: c.declare_session(BUNDLE, [None]), {"member": "hypotheses"}),
    (lambda c, d: c.declare_session(BUNDLE, {"a", 3}), {"member": "hypotheses"}),
    (lambda c, d: c.declare_session(BUNDLE, CAUSES, object()), {"member": "metadata"}),
    (lambda c, d: c.declare_session(BUNDLE, CAUSES, policy=object()), {"member": "policy"}),
    (lambda c, d: c.declare_session(BUNDLE, universe_from="INC"), {"member": "universe_from"}),
    (lambda c, d: c.declare_session(BUNDLE, universe_from=["INC"]), {"member": "universe_from"}),
    (
        lambda c, d: c.declare_session(BUNDLE, universe_from={"tee_incident": object()}),
        {"member": "universe_from"},
    ),
    (lambda c, d: c.declare_session(BUNDLE, CAUSES, session_id=0), {"member": "session_id"}),
    (lambda c, d: c.declare_session(BUNDLE, CAUSES, session_id=""), {"member": "session_id"}),
    (lambda c, d: c.query_belief(None), {"member": "session_id"}),
    (lambda c, d: c.query_belief(d), {"member": "session_id"}),
    (lambda c, d: c.audit_trace(d), {"member": "session_id"}),
    (lambda c, d: c.eliminate(d, "s", "o", []), {"member": "session_id"}),
    (lambda c, d: c.audit_trace(d[0], 5), {"member": "since_event_id"}),
    (lambda c, d: c.audit_event(d[0], None), {"member": "event_id"}),
    (lambda c, d: c.eliminate(d[0], "s", "o", ["a", 3]), {"member": "eliminated"}),
    (lambda c, d: c.eliminate(d[0], "s", "o", ["a\0"]), {"member": "eliminated"}),
    (lambda c, d: c.eliminate(d[0], "s", object(), []), {"member": "observation_id"}),
    (lambda c, d: c.eliminate(d[0], "s", "o", [], {"a": OWN}), {"member": "justification"}),
    (lambda c, d: c.eliminate(d[0], "s", "o", [], request_id=3), {"member": "request_id"}),
    (lambda c, d: c.declare_conclusion(d[0], "c", request_id=3), {"member": "request_id"}),
    (lambda c, d: c.declare_conclusion(d[0], "c", expected_head=5), {"member": "expected_head"}),
    (lambda c, d: c.declare_conclusion(d[0], "c", expected_head=[5]), {"member": "expected_head"}),
    (lambda c, d: c.declare_conclusion(d[0], "c", expected_head=b"5"), {"member": "expected_head"}),
    (lambda c, d: c.eliminate_batch(d[0], None), {"member": "messages"}),
    (lambda c, d: c.eliminate_batch(d[0], FINE), {"member": "messages"}),
    (lambda c, d: c.eliminate_batch(d[0], "ab"), {"member": "messages"}),
    (lambda c, d: c.eliminate_batch(d[0], [None]), {"member": "messages", "index": 0}),
    (lambda c, d: c.eliminate_batch(d[0], [FINE, "ab"]), {"member": "messages", "index": 1}),
    (
        lambda c, d: c.eliminate_batch(d[0], [FINE, {"source_id": "s"}]),
        {"member": "eliminated", "index": 1},
    ),
    (
        lambda c, d: c.eliminate_batch(d[0], [FINE, FINE, Halfway()]),
        {"member": "eliminated", "index": 2},
    ),
    (
        lambda c, d: c.eliminate_batch(d[0], [FINE, FINE | {"observation_id": object()}]),
        {"member": "observation_id", "index": 1},
    ),
    (
        lambda c, d: c.eliminate_batch(d[0], [FINE, FINE | {"source_id": ""}]),
        {"member": "source_id", "index": 1},
    ),
    (lambda c, d: c.explain(d[0], 3), {"member": "hypothesis_id"}),
    (lambda c, d: c.explain(d[0], limit=10**5000), {"member": "limit"}),
    (lambda c, d: c.whatif(d[0], 3), {"member": "without_source"}),
    (lambda c, d: next(c.list_sessions(hypothesis_space_id=3)), {"member": "hypothesis_space_id"}),
]


@pytest.mark.parametrize(("call", "blamed"), BLAMED)
def test_the_right_member_is_blamed(
    client: Any, call: Callable[[Any, Any], Any], blamed: dict[str, Any]
) -> None:
    declared = client.declare_session(BUNDLE, CAUSES)
    with pytest.raises(InvalidRequest) as caught:
        call(client, declared)
    details = dict(caught.value.details)
    assert details.pop("problem")
    assert details == blamed
    assert client.query_belief(declared.session_id).audit_seq == 1


def test_an_empty_session_id_declares_nothing(client: Any) -> None:
    newest = next(client.list_sessions(), None)
    for given in ("", 0, False):
        with pytest.raises(InvalidRequest):
            client.declare_session(BUNDLE, CAUSES, session_id=given)
    assert next(client.list_sessions(), None) == newest
    with pytest.raises(SessionNotFound):
        client.query_belief("")


def test_a_uuid_may_be_written_in_any_way(client: Any) -> None:
    session = declare(client)
    written = "{" + session.replace("-", "").upper() + "}"
    assert client.declare_session(BUNDLE, CAUSES, session_id=written).session_id == session
    head = client.eliminate(written, "s", "o", []).event_id.replace("-", "")
    assert client.declare_conclusion(written, "c", expected_head=head).approved is True
    assert [one.verb for one in client.audit_trace(written, head)] == ["DECLARE_CONCLUSION"]
    assert client.audit_event(written, head).verb == "ELIMINATE"


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1:8711", "localhost:8711", "", "//127.0.0.1", "http://", "http://:80"),
        *("http:127.0.0.1", "ftp://127.0.0.1", "http://127.0.0.1:x", "http://127.0.0.1:99999"),
        *("http://\0", None, b"http://127.0.0.1", 8711),
    ],
)
def test_an_address_that_is_none(connect: Connect, address: Any) -> None:
    with pytest.raises(ValueError, match="base_url must be the address of a server") as caught:
        connect(address)
    assert repr(address) in str(caught.value)


def test_after_it_was_closed(connect: Connect, site: SimpleNamespace) -> None:
    client = connect(site.address)
    session = declare(client)
    client.close()
    for call in (
        client.healthz,
        lambda: client.eliminate(session, "s", "o", []),
        lambda: next(client.list_sessions()),
        lambda: client.audit_trace(session),
    ):
        with pytest.raises(RuntimeError, match="The client was closed"):
            call()


def test_a_server_that_is_away_is_told_of_in_two_parts(connect: Connect) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        client = connect(f"http://127.0.0.1:{taken.getsockname()[1]}", retries=1)
        for call in (client.healthz, lambda: client.audit_trace("s")):
            with pytest.raises(Unavailable) as caught:
                call()
            told = "".join(traceback.format_exception(caught.value))
            assert told.count("Traceback (most recent call last)") == 2
            assert told.count("direct cause of the following exception") == 1
