"""A front and two nodes, made by the SQL of docs/sharding.md, and one database beside them."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.deploy import migrate
from cmbs.deploy.embedded import Server
from tests.sql.log.test_vectors import CHAIN, pin_event_ids, set_clock
from tests.support.beliefs import ONTOLOGY, Connection
from tests.support.servers import ROOT, until

NODES = ["fleet_node0", "fleet_node1"]
DATABASES = [*NODES, "fleet_alone", "fleet_front"]
_BLOCK = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Refusal:
    """An error, and if it is a verb's its texts, without what PL/Proxy writes before them."""

    state: str | None
    message: str | None = None
    detail: str | None = None
    hint: str | None = None


@dataclass(frozen=True)
class Fleet:
    server: Server
    admin: Connection
    front: Connection
    alone: Connection
    nodes: list[Connection]

    def connect(self, database: str = DATABASES[-1], user: str = "postgres") -> Connection:
        return psycopg.connect(self.server.conninfo(database, user), autocommit=True)

    def node_of(self, session_id: UUID) -> Connection:
        ((slot,),) = rows(self.front, "select plproxy.slot(%s)", session_id)
        return self.nodes[int(slot) % len(self.nodes)]

    def set_clock(self, ts: str) -> None:
        for database in [self.alone, *self.nodes]:
            set_clock(database, ts)

    @contextlib.contextmanager
    def counted_ids(self) -> Iterator[None]:
        """Ids that are not all alike, and the same everywhere: a session takes them from 1 on."""
        source = "'00000000-0000-4000-8000-' || lpad(nextval('cmbs_store.id')::text, 12, '0')"
        for database in [self.alone, *self.nodes]:
            database.execute("create sequence if not exists cmbs_store.id")
            database.execute("alter sequence cmbs_store.id restart")
            database.execute("grant usage on sequence cmbs_store.id to cmbs_kernel")
            database.execute(
                "create or replace function cmbs_store.random_id() returns uuid language sql "
                f"volatile as $$ select ({source})::uuid $$".encode()
            )
        try:
            yield
        finally:
            for database in [self.alone, *self.nodes]:
                pin_event_ids(database, CHAIN["events"][0]["event_id"])

    def both(self, verb: str, **arguments: object) -> Any:
        """What the front and the single server say alike: the answer, or the refusal."""
        expected = outcome(self.alone, verb, **arguments)
        assert outcome(self.front, verb, **arguments) == expected
        return expected

    @contextlib.contextmanager
    def away(self, node: int) -> Iterator[None]:
        name = sql.Identifier(NODES[node])
        self.admin.execute(sql.SQL("alter database {} allow_connections false").format(name))
        try:
            self._disconnect(NODES[node])
            yield
        finally:
            self.admin.execute(sql.SQL("alter database {} allow_connections true").format(name))
            # PL/Proxy learns that a connection was cut when it uses it.
            with contextlib.suppress(psycopg.errors.AdminShutdown):
                call(self.front, "register_universe", hypotheses=["again"])

    def _disconnect(self, database: str) -> None:
        others = "from pg_stat_activity where datname = %s and pid <> all(%s)"
        ours = [node.info.backend_pid for node in self.nodes]
        until(
            lambda: (
                not self.admin.execute(
                    f"select pg_terminate_backend(pid) {others}".encode(), [database, ours]
                ).fetchall()
            )
        )


def outcome(connection: Connection, verb: str, **arguments: object) -> Any:
    try:
        return call(connection, verb, **arguments)
    except psycopg.Error as error:
        if not (error.sqlstate or "").startswith("MB"):
            return Refusal(error.sqlstate)
        told = error.diag
        texts = [told.message_primary, told.message_detail, told.message_hint]
        if connection.info.dbname == DATABASES[-1]:
            origin = rf"cmbs(_everywhere)?\.{verb}\([0-9]+\): \[fleet_node[01]\] REMOTE ERROR: "
            prefixes = [origin, "Remote detail: ", "Remote hint: "]
            texts = [_without(*both) for both in zip(texts, prefixes, strict=True)]
        return Refusal(error.sqlstate, *texts)


def _without(text: str | None, prefix: str) -> str | None:
    if text is None:
        return None
    found = re.match(prefix, text)
    assert found, f"{text!r} does not begin with {prefix}"
    return text[found.end() :]


def rows(connection: Connection, query: str, *arguments: object) -> list[Any]:
    return connection.execute(query.encode(), arguments or None).fetchall()


def declare(connection: Connection, session_id: UUID, **more: object) -> Any:
    sent = {"ontology": Json(ONTOLOGY), "hypotheses": ["a", "b", "c", "d"]} | more
    return call(connection, "declare_session", session_id=session_id, **sent)


def eliminate(connection: Connection, session_id: UUID, observation_id: str, *ids: str) -> Any:
    return call(
        connection,
        "eliminate",
        session_id=session_id,
        source_id="source",
        observation_id=observation_id,
        eliminated=list(ids),
    )


def blocks() -> tuple[str, str]:
    """The page's SQL: what makes the front, and what asks a node for the verbs."""
    front, verbs = _BLOCK.findall((ROOT / "docs" / "sharding.md").read_text())
    return front, verbs


@contextlib.contextmanager
def fleet(server: Server) -> Iterator[Fleet]:
    """One clock and one source of event ids everywhere, so that hashes can be compared."""
    with contextlib.ExitStack() as stack:
        admin = stack.enter_context(psycopg.connect(server.conninfo(), autocommit=True))
        for name in DATABASES:
            stack.callback(admin.execute, f'drop database if exists "{name}" with (force)')
        admin.execute(f"create database {NODES[0]}")
        migrate.migrate(server.conninfo(NODES[0]))
        with psycopg.connect(server.conninfo(NODES[0]), autocommit=True) as node:
            pin_event_ids(node, CHAIN["events"][0]["event_id"])
            set_clock(node, CHAIN["events"][0]["ts"])
        for name in DATABASES[1:3]:
            admin.execute(f"create database {name} template {NODES[0]}")
        admin.execute(f"create database {DATABASES[-1]} template template0")
        opened = [
            stack.enter_context(psycopg.connect(server.conninfo(name), autocommit=True))
            for name in DATABASES
        ]
        make_front, ask_for_verbs = blocks()
        for no, name in enumerate(NODES):
            address = f"host=node{no} dbname=cmbs"
            assert make_front.count(address) == 1
            real = f"host={server.socket_dir} port={server.port} dbname={name}"
            make_front = make_front.replace(address, real)
        opened[-1].execute(make_front.encode())
        ((verbs,),) = rows(opened[0], ask_for_verbs)
        opened[-1].execute(verbs.encode())
        yield Fleet(server, admin, opened[3], opened[2], opened[:2])
