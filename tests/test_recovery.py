"""The HTTP shell when its database goes away, comes back, or closes connections."""

from tests.beliefs import Connection
from tests.web import Client

SERVERS_CONNECTIONS = "from pg_stat_activity where usename = 'cmbs_server' and datname = %s"


def n_connections(db: Connection) -> int:
    query = f"select count(*) {SERVERS_CONNECTIONS}"
    (count,) = db.execute(query.encode(), [db.info.dbname]).fetchone() or (0,)
    return int(count)


def end_connections(db: Connection) -> int:
    """How many there were; each is gone when this returns."""
    query = f"select count(pg_terminate_backend(pid, 30000)) {SERVERS_CONNECTIONS}"
    (count,) = db.execute(query.encode(), [db.info.dbname]).fetchone() or (0,)
    return int(count)


def test_no_caller_notices_that_idle_connections_were_closed(web: Client, db: Connection) -> None:
    session = web.declare()
    for turn in range(5):
        assert end_connections(db) >= 1
        web.eliminate(session, observation=str(turn))
        for _ in range(9):
            assert web.get(session).status_code == 200
