"""cmbs.whatif; tests/sql/belief/test_whatif_brute_force.py compares it with what really happens."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, message, refused
from tests.support.oracle import hash_of

FORCE = {"context": Json({"force": True})}


def standing(session: Session) -> dict[str, Any]:
    members = ("n_survivors", "entropy_proxy", "survivors_hash", "terminated", "active_obligation")
    snapshot = session.snapshot()
    return {name: snapshot[name] for name in members}


def flips(answer: dict[str, Any]) -> list[tuple[int, Any, Any]]:
    """Which gates say otherwise: their number, and reason or error."""
    return [
        (flip["seq"], flip["recorded"]["reason"], flip["instead"]["error"] or flip["instead"])
        for flip in answer["flips"]
    ]


@pytest.mark.cold
def test_a_source_nobody_else_agrees_with(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("b", "a", source_id="bad")
    session.eliminate("a", "c", source_id="good")
    found = session("whatif", without_source="bad")
    assert found == {
        "session_id": str(session.id),
        "audit_head_event_id": session.last_event()["event_id"],
        "without_source": "bad",
        "without_observation": None,
        "removed": 1,
        "refused": 0,
        "recorded": standing(session),
        "instead": {
            "n_survivors": 2,
            "entropy_proxy": 1,
            "survivors_hash": hash_of("abcd", "bd"),
            "terminated": False,
            "active_obligation": None,
        },
        "n_returning": 1,
        "returning": ["b"],
        "n_gates": 0,
        "n_flips": 0,
        "flips": [],
    }


def test_one_observation_of_a_source_or_of_any(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("a", source_id="s", observation_id="o")
    session.eliminate("b", source_id="s", observation_id="p")
    session.eliminate("c", source_id="t", observation_id="o")

    def returning(**left_out: str) -> tuple[int, list[str]]:
        found = session("whatif", **left_out)
        return found["removed"], found["returning"]

    assert returning(without_source="s") == (2, ["a", "b"])
    assert returning(without_source="s", without_observation="o") == (1, ["a"])
    assert returning(without_observation="o") == (2, ["a", "c"])
    assert returning(without_observation="p") == (1, ["b"])


def test_without_a_message_that_did_nothing_nothing_changes(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("a", source_id="first")
    session.eliminate("a", "unknown", source_id="second")
    found = session("whatif", without_source="second")
    assert (found["removed"], found["returning"], found["n_flips"]) == (1, [], 0)
    assert found["instead"] == found["recorded"]
    found = session("whatif", without_source="first")
    assert found["returning"] == [], "the other source would have done it"


def test_an_exit_that_would_have_been_denied_and_all_that_hangs_on_it(tx: Connection) -> None:
    session = Session(tx, policy=Json({"allow_forced_termination": True}))
    session.enter("o", 2)
    session.eliminate("a", "b", source_id="bad")
    session.exit("o")
    session.enter("p", 0)
    session.exit("p")
    session.conclude()
    session.terminate(**FORCE)
    found = session("whatif", without_source="bad")
    blocked = {"approved": False, "error": None}
    assert flips(found) == [
        (4, "approved", blocked | {"reason": "minimum eliminations not met"}),
        (5, None, "CONFLICT"),
        (6, "approved", "OBLIGATION_NOT_FOUND"),
        (7, "accepted", blocked | {"reason": "active obligation blocks conclusion"}),
        (8, "approved by force", blocked | {"reason": "active obligation blocks termination"}),
    ]
    assert found["refused"] == 2
    assert found["instead"]["terminated"] is False
    assert found["instead"]["active_obligation"] == {
        "obligation_id": "o",
        "min_total_eliminations": 2,
        "eliminated_since_entry": 0,
        "satisfiable": True,
    }


def test_an_elimination_that_another_source_takes_over_counts_for_the_obligation(
    tx: Connection,
) -> None:
    session = Session(tx)
    session.eliminate("a", "b", source_id="bad")
    session.enter("o", 2)
    session.eliminate("a", "b", source_id="good")
    assert session.exit("o")["approved"] is False
    found = session("whatif", without_source="bad")
    assert flips(found) == [
        (
            5,
            "minimum eliminations not met",
            {"approved": True, "reason": "approved", "error": None},
        )
    ]
    assert found["returning"] == []
    assert found["instead"]["active_obligation"] is None


def test_after_an_earlier_end_nothing_counts(tx: Connection) -> None:
    session = Session(tx, "ab", policy=Json({"allow_forced_termination": True}))
    session.eliminate("a", "b", source_id="bad")
    session.eliminate("a", source_id="good")
    assert session.terminate()["approved"] is False
    session.eliminate("b", source_id="late")
    session.conclude()
    assert session.terminate(**FORCE)["approved"] is True
    found = session("whatif", without_source="bad")
    assert flips(found) == [
        (
            4,
            "termination requires a singleton survivor",
            {"approved": True, "reason": "approved", "error": None},
        ),
        (6, "accepted", "SESSION_TERMINATED"),
        (7, "approved by force", "SESSION_TERMINATED"),
    ]
    assert found["refused"] == 3
    assert found["returning"] == ["b"], "the late message would have been refused"
    assert found["instead"]["terminated"] is True


def test_flips_are_bounded_and_their_number_is_not(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 1)
    session.eliminate("a", source_id="bad")
    session.exit("o")
    for _ in range(150):
        session.conclude()
    for limit, length in ((None, 100), (1, 1), (1_000, 151)):
        found = session("whatif", without_source="bad", limit=limit)
        assert (found["n_gates"], found["n_flips"], len(found["flips"])) == (152, 151, length)
        assert found["flips"][0]["seq"] == 4


@pytest.mark.parametrize("n", [1, 7, 8, 9, 8192, 8193, 20_000])
def test_the_hash_of_what_would_survive(tx: Connection, n: int) -> None:
    ids = [f"h{number:05}" for number in range(n)]
    session = Session(tx, ids)
    session.eliminate(ids[0], ids[n // 2], *ids[-3:], source_id="bad")
    session.eliminate(ids[n // 2], *ids[:2], source_id="good")
    found = session("whatif", without_source="bad")
    survivors = set(ids) - {ids[n // 2], *ids[:2]}
    assert set(found["returning"]) == survivors - set(session.snapshot()["survivors"])
    assert found["instead"]["n_survivors"] == len(survivors)
    assert found["instead"]["survivors_hash"] == hash_of(ids, survivors)


@pytest.mark.parametrize("odd", ['s"\\\n', "a/b c", "%", "e\u0301", "\U0001f600", "x" * 512])
def test_any_id(tx: Connection, odd: str) -> None:
    session = Session(tx, [odd, "a"])
    session.eliminate(odd, source_id=odd, observation_id=odd)
    found = session("whatif", without_source=odd, without_observation=odd)
    assert (found["without_source"], found["without_observation"]) == (odd, odd)
    assert found["returning"] == [odd]


def test_reading_changes_nothing_and_waits_for_nobody(database: str, db: Connection) -> None:
    session = Session(db)
    session.eliminate("a", source_id="bad")
    with db.transaction():
        db.execute("select from cmbs_store.session for update")
        other = Session.__new__(Session)
        with type(db).connect(database, autocommit=True) as reader:
            reader.execute("set default_transaction_read_only = on; set lock_timeout = '1ms'")
            other.connection, other.id = reader, session.id
            assert other("whatif", without_source="bad")["returning"] == ["a"]
            assert other("explain")["eliminations"]["n_events"] == 1
    assert len(session.events()) == 2


def test_the_work_grows_with_the_log_and_not_with_its_square(db: Connection) -> None:
    """Rows read, which no other suite on the same machine can change."""
    read = (
        b"select sum(pg_stat_get_xact_tuples_returned(c.oid))::bigint from pg_class as c "
        b"where c.relnamespace = 'cmbs_store'::regnamespace and c.relkind = 'i'"
    )
    session, rows, n_events = Session(db, [f"h{n}" for n in range(4000)]), [], 1
    for n_rounds in (500, 1000, 2000):
        while n_events < n_rounds:
            named = [f"h{n}" for n in range(n_events, n_events + 250)]
            session.batch(
                *(message(one, observation_id=f"a{one}", source_id="bad") for one in named),
                *(message(one, observation_id=f"b{one}") for one in named[::2]),
            )
            n_events += 250
        with db.transaction():
            (before,) = db.execute(read).fetchone() or (0,)
            found = session("whatif", without_source="bad")
            (after,) = db.execute(read).fetchone() or (0,)
        assert found["n_returning"] == found["removed"] // 2
        rows.append((after - before) / found["removed"])
    assert max(rows) < 1.5 * min(rows), rows


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("a", source_id="s", observation_id="o")
    unknown = [
        {"without_source": "S"},
        {"without_source": "o"},
        {"without_observation": "s"},
        {"without_source": "s", "without_observation": "p"},
    ]
    for left_out in unknown:
        error = session.refuses(errors.EventNotFound, "whatif", **left_out)
        assert error.details == {
            "session_id": str(session.id),
            "source_id": left_out.get("without_source"),
            "observation_id": left_out.get("without_observation"),
        }
    for nothing in ("", "x" * 513):
        for member in ("without_source", "without_observation"):
            error = session.refuses(errors.InvalidRequest, "whatif", **{member: nothing})
            assert error.details["member"] == member
    error = session.refuses(errors.InvalidRequest, "whatif")
    assert error.details["member"] == "without_source"
    for limit in (0, -1, 1_001):
        error = session.refuses(errors.InvalidRequest, "whatif", without_source="s", limit=limit)
        assert error.details["member"] == "limit"
    refused(tx, errors.SessionNotFound, "whatif", session_id=NOBODY, without_source="s")
    refused(tx, errors.InvalidRequest, "whatif", session_id=None, without_source="s")
