"""Ids are opaque: what a client sends in paths, headers and bodies arrives as it was."""

from typing import Any
from uuid import uuid4

import pytest

from tests.client.test_methods import BUNDLE, declare
from tests.http.test_ids import IDS

# A header has no control characters, and no space at either end.
KEYS = [
    key for key in IDS if key.strip(" \t\r\n\x01\x7f") == key and not set(key) & set("\r\n\x01\x7f")
]


def test_hypotheses_in_a_path_and_in_a_query(client: Any) -> None:
    session = declare(client, *IDS)
    for name in IDS:
        assert client.why(session, name).hypothesis_id == name
        assert client.explain(session, name)["hypothesis"]["hypothesis_id"] == name


def test_obligations_sources_and_conclusions(client: Any) -> None:
    session = declare(client)
    for name in IDS:
        entered = client.enter_obligation(session, name, 0, notes=name)
        assert entered.snapshot.active_obligation_id == name
        assert client.request_exit(session, name).approved
        client.enter_obligation(session, name, 0)
        assert client.waive_obligation(session, name, name).approved
        client.eliminate(session, name, name, [name, "dns", name])
        assert client.declare_conclusion(session, name, {name: name}).approved
        assert client.whatif(session, name, name)["removed"] == 1
    assert [one.conclusion_id for one in client.list_conclusions(session)] == IDS
    assert [one.obligation_id for one in client.list_obligations(session)] == [
        name for name in IDS for _ in "12"
    ]


def test_spaces(client: Any, subtests: pytest.Subtests) -> None:
    for name in IDS:
        with subtests.test(repr(name)):
            client.register_space(name, name, [name])
            space = client.read_space(name, name)
            assert (space.hypothesis_space_id, space.hypothesis_version) == (name, name)
            ontology = {
                "hypothesis_space_id": name,
                "hypothesis_version": name,
                "causal_graph_ref": name,
                "causal_graph_version": name,
            }
            session, snapshot = client.declare_session(ontology)
            assert (snapshot.survivors, snapshot.ontology.to_dict()) == ([name], ontology)
            assert next(client.list_sessions(hypothesis_space_id=name)).session_id == session


def test_request_ids(client: Any) -> None:
    assert len(KEYS) > 50
    session = declare(client)
    for key in KEYS:
        event_id = client.declare_conclusion(session, "c", request_id=key).event_id
        assert client.audit_event(session, event_id).payload["request_id"] == key
        assert client.declare_conclusion(session, "c", request_id=key).duplicate is True


def test_a_session_id_in_capitals_is_the_same(client: Any) -> None:
    mine = str(uuid4())
    session, _ = client.declare_session(BUNDLE, ["a"], session_id=mine.upper())
    assert session == mine
    assert client.eliminate(mine.upper(), "s", "o", ["a"]).applied == ["a"]
    trace = client.audit_trace(mine.upper())
    assert client.audit_trace(mine, trace[0].event_id.upper()) == trace[1:]
    assert client.audit_event(mine, trace[1].event_id.upper()) == trace[1]
