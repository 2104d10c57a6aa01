"""Random sessions by the real verbs: every verb, refused and denied ones too."""

import random
from uuid import UUID

from psycopg.types.json import Json

from cmbs.errors import BeliefError
from tests.support.beliefs import Connection, Session

_ODD = ["a b", "ä", 'q"\\', "\U0001f600", "\n", "\ue000", "%2F/", '"delta": {"eliminated": []}']


def play(connection: Connection, chance: random.Random, n_steps: int = 25) -> UUID:
    """One session; what its verbs refuse leaves no trace, as everywhere."""
    ids = [f"h{number}" for number in range(chance.choice([1, 2, 5, 30]))]
    ids += chance.sample(_ODD, chance.randrange(len(_ODD)))
    if not chance.randrange(20):
        ids += [f"n{number}" for number in range(9000)]
    policy = {
        "stability_window": chance.choice([0, 0, 1, 2]),
        "validate_hypotheses": chance.random() < 0.3,
        "allow_forced_termination": chance.random() < 0.3,
    }
    named = {name: policy[name] for name in policy if chance.random() < 0.6}
    session = Session(connection, ids, policy=Json(named) if named else None)
    for _ in range(chance.randrange(n_steps)):
        try:
            with connection.transaction():
                _step(session, chance, ids)
        except BeliefError:
            continue
    return session.id


def _step(session: Session, chance: random.Random, ids: list[str]) -> None:
    what = chance.randrange(12)
    notes = chance.choice([None, None, 'n "delta": {"eliminated": []}'])
    request_id = chance.choice([None, f"r{chance.randrange(9)}"])
    obligation = chance.choice(["o", "p", "ü"])
    if what < 6:
        some = chance.choices([*ids, "stranger"], k=chance.randrange(1 + min(len(ids), 12)))
        session.eliminate(
            *some,
            source_id=chance.choice(["s", "t", *_ODD]),
            observation_id=f"{chance.randrange(20)}",
            justification=Json({"delta": {"eliminated": []}}) if chance.random() < 0.3 else None,
            notes=notes,
        )
    elif what == 6:
        session.enter(obligation, chance.randrange(4), request_id=request_id, notes=notes)
    elif what == 7:
        session.exit(obligation, context=Json({"n": [1.50, None]}), request_id=request_id)
    elif what == 8:
        session.waive(obligation, request_id=request_id)
    elif what < 11:
        session.conclude(chance.choice("xy"), request_id=request_id, notes=notes)
    else:
        session.terminate(context=Json({"force": chance.random() < 0.3}), request_id=request_id)
