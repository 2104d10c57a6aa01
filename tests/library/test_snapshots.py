"""Snapshots: of servers, made by hand, and asked for without their survivors."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import asdict, replace
from math import log2
from typing import Any

import pytest

from cmbs.answers import ActiveObligation, BeliefSnapshot, SessionPolicy
from cmbs.belief_server import BeliefServer
from tests.library.kit import IDS, NO_ID, ONTOLOGY, declared

HAND_MADE = BeliefSnapshot("s", ONTOLOGY, ["a", "b"], False, None, NO_ID)


def of_server() -> BeliefSnapshot:
    server = BeliefServer()
    session_id = declared(server)
    server.enter_obligation(session_id, "o", 2)
    return server.eliminate(session_id, "s", "1", ["a"]).snapshot


def by_hand() -> BeliefSnapshot:
    return replace(HAND_MADE)


def minimal() -> BeliefSnapshot:
    members = of_server().to_dict()
    del members["survivors"]
    return BeliefSnapshot.from_dict(members)


def same(snapshot: BeliefSnapshot) -> BeliefSnapshot:
    return snapshot


def pickled(snapshot: BeliefSnapshot) -> BeliefSnapshot:
    made: BeliefSnapshot = pickle.loads(pickle.dumps(snapshot))
    return made


def from_dict(snapshot: BeliefSnapshot) -> BeliefSnapshot:
    return BeliefSnapshot.from_dict(snapshot.to_dict())


KINDS = [of_server, by_hand, minimal]
WAYS = [same, copy, deepcopy, pickled, from_dict]
MEMBERS = {
    *("session_id", "ontology", "survivors", "n_survivors", "n_hypotheses", "entropy_proxy"),
    *("terminated", "active_obligation_id", "active_obligation", "policy", "survivors_hash"),
    *("audit_seq", "audit_head_event_id", "audit_head_hash"),
    *("is_contradicted", "owner", "declared_at", "audit_head_at"),
}


def test_a_snapshot_has_the_members_of_the_protocol() -> None:
    snapshot = of_server()
    members = snapshot.to_dict()
    assert members.keys() == MEMBERS
    assert members["survivors"] == ["b", "c", "d"]
    assert members["active_obligation"] == {
        "obligation_id": "o",
        "min_total_eliminations": 2,
        "eliminated_since_entry": 1,
        "satisfiable": True,
    }
    assert (members["n_survivors"], members["entropy_proxy"]) == (3, log2(3))
    for name in MEMBERS - {"ontology", "active_obligation", "policy"}:
        assert getattr(snapshot, name) == members[name]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_equal(
    kind: Callable[[], BeliefSnapshot], way: Callable[[BeliefSnapshot], BeliefSnapshot]
) -> None:
    snapshot = kind()
    made = way(snapshot)
    assert isinstance(made, BeliefSnapshot)
    assert made == snapshot
    assert repr(made) == repr(snapshot)
    assert made.to_dict() == snapshot.to_dict()
    assert hasattr(made, "survivors") is (kind is not minimal)
    assert made.n_survivors == snapshot.n_survivors
    changed = snapshot.to_dict() | {"terminated": True}
    assert made != BeliefSnapshot.from_dict(changed)
    assert made != snapshot.to_dict()


def test_survivors_are_made_when_they_are_read(
    server: BeliefServer, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    universe = server._sessions.of(session_id).session.universe
    read = universe.members

    def spy(mask: bytes) -> list[str]:
        made.append(mask)
        return read(mask)

    monkeypatch.setattr(universe, "members", spy)
    snapshot = server.eliminate(session_id, "s", "1", ["a"]).snapshot
    assert (snapshot.n_survivors, snapshot.entropy_proxy) == (3, log2(3))
    assert made == []
    server.eliminate(session_id, "s", "2", ["b"])
    assert snapshot.survivors is snapshot.survivors == ["b", "c", "d"]
    assert len(made) == 1


@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 1000])
def test_entropy_and_number(server: BeliefServer, n: int) -> None:
    snapshot = server.declare_session(ONTOLOGY, map(str, range(n))).snapshot
    assert (snapshot.n_survivors, len(snapshot.survivors)) == (n, n)
    assert snapshot.survivors == sorted(map(str, range(n)))
    assert snapshot.entropy_proxy == (log2(n) if n > 1 else 0.0)


def test_one_made_by_hand_needs_nothing_after_the_head() -> None:
    assert (HAND_MADE.n_survivors, HAND_MADE.entropy_proxy) == (2, 1.0)
    members = HAND_MADE.to_dict()
    assert members.keys() == MEMBERS - {
        *("n_hypotheses", "audit_head_hash", "audit_seq", "survivors_hash"),
        *("policy", "active_obligation", "owner", "declared_at", "audit_head_at"),
    }
    keywords = BeliefSnapshot(
        session_id="s",
        ontology=ONTOLOGY,
        survivors=["a", "b"],
        terminated=False,
        active_obligation_id=None,
        audit_head_event_id=NO_ID,
    )
    assert keywords == HAND_MADE


def test_to_dict_is_a_copy() -> None:
    snapshot = of_server()
    members = snapshot.to_dict()
    members["survivors"].clear()
    members["ontology"].clear()
    members["policy"].clear()
    assert snapshot == from_dict(snapshot)
    assert snapshot.survivors == ["b", "c", "d"]


@pytest.mark.parametrize("kind", [of_server, by_hand])
def test_replacing_a_member(kind: Callable[[], BeliefSnapshot]) -> None:
    snapshot = kind()
    ended = replace(snapshot, terminated=True)
    assert ended.to_dict() == snapshot.to_dict() | {"terminated": True}
    fewer = replace(snapshot, survivors=["b"])
    assert (fewer.survivors, fewer.n_survivors, fewer.entropy_proxy) == (["b"], 1, 0.0)
    assert len(snapshot.survivors) > 1


def test_number_and_survivors_agree_after_a_change() -> None:
    snapshot = of_server()
    snapshot.survivors.remove("b")
    assert (snapshot.n_survivors, snapshot.entropy_proxy) == (2, 1.0)
    snapshot.survivors = []
    assert (snapshot.n_survivors, snapshot.to_dict()["survivors"]) == (0, [])


def test_one_without_survivors_says_so() -> None:
    snapshot = minimal()
    assert (snapshot.n_survivors, snapshot.entropy_proxy) == (3, log2(3))
    assert "survivors" not in snapshot.to_dict()
    assert "survivors=" not in repr(snapshot)
    with pytest.raises(AttributeError, match=r"query_belief\(\) has them"):
        print(snapshot.survivors)
    assert snapshot != of_server()


def test_a_snapshot_has_no_other_members() -> None:
    for snapshot in (of_server(), HAND_MADE, minimal()):
        with pytest.raises(AttributeError, match="no attribute 'survivor'"):
            print(getattr(snapshot, "survivor"))  # noqa: B009
        with pytest.raises(TypeError):
            hash(snapshot)


def test_repr_shows_what_there_is() -> None:
    names: dict[str, Any] = {"BeliefSnapshot": BeliefSnapshot, "OntologyBundle": type(ONTOLOGY)}
    names |= {"SessionPolicy": SessionPolicy, "ActiveObligation": ActiveObligation}
    for snapshot in (of_server(), HAND_MADE):
        assert eval(repr(snapshot), names) == snapshot


def test_as_a_dataclass() -> None:
    snapshot = of_server()
    assert asdict(snapshot)["survivors"] == ["b", "c", "d"]
    assert asdict(snapshot)["ontology"] == ONTOLOGY.to_dict()
    assert IDS[1:] == snapshot.survivors
