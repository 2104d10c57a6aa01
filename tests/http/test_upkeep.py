"""What a server does unasked: it sweeps what is due, and tells webhooks of questions."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs.api.shell import upkeep
from cmbs.database.calls import call
from cmbs.database.pool import Database
from tests.http.test_unavailable import waits_for_a_lock
from tests.sql.verdict.scene import GRANT, Scene, allow, deny, op, tool_call
from tests.support.beliefs import Connection, Session
from tests.support.callers import caller
from tests.support.served import Served, running
from tests.support.servers import reachable_folder, until
from tests.support.web import bearer, serving, token_of

SECRET = "a secret that only the receiver knows"
MARK = "nobody's business"
ASKS = GRANT | {"constraint.asks": deny("A", on_fail="ask")}
ALLOWS, ASKS_B = allow("A"), deny("B", on_fail="ask")
LOOPS = ("sweep", "webhooks")
PAUSE = 0.02


class Receiver:
    """A server that is told: what came, and with what it answers, the last for ever."""

    def __init__(self, *statuses: int) -> None:
        self.got: list[SimpleNamespace] = []
        self.holds, self.released = threading.Semaphore(0), threading.Event()
        self.is_slow = False
        self.statuses = list(statuses)
        receiver, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                with lock:
                    receiver.got.append(
                        SimpleNamespace(path=self.path, headers=self.headers, body=body)
                    )
                    more = len(receiver.statuses) > 1
                    status = receiver.statuses.pop(0) if more else receiver.statuses[0]
                if receiver.is_slow:
                    receiver.released.wait(60)
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    self.send_header("set-cookie", "a=b")
                    self.send_header("location", "/elsewhere")
                    self.end_headers()
                    self.wfile.write(b"x" * 100)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"

    def __enter__(self) -> "Receiver":
        self.thread = threading.Thread(target=self.server.serve_forever, args=[0.01])
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def is_signed(got: SimpleNamespace) -> bool:
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    expected = base64.b64encode(hmac.digest(SECRET.encode(), signed, hashlib.sha256))
    return bool(got.headers["webhook-signature"] == f"v1,{expected.decode()}")


class Told(Scene):
    """A session that asks about every call, and a webhook that is told of it."""

    def __init__(self, connection: Connection, url: str | None) -> None:
        super().__init__(connection, ASKS)
        self.admin = caller(connection, "admin", "admin", tenant="*")
        self.hook(url)

    def hook(self, url: str | None) -> None:
        sent = {"url": url, "secret": url and SECRET, "tenant": "default"}
        call(self.connection, "set_webhook", **sent, credential=self.admin)

    def ask(self) -> str:
        answer = self.propose(tool_call("A", {"n": MARK}))
        question: str = answer["items"][0]["interrupt_id"]
        return question

    def messages(self) -> list[tuple[Any, ...]]:
        """The outbox as analysts see it."""
        return self.connection.execute(
            "select m.event, m.state, m.n_attempts, m.last_error from cmbs.webhook_message as m "
            "order by m.created_at, m.message_id"
        ).fetchall()

    def is_so(self, *expected: tuple[Any, ...]) -> None:
        until(lambda: self.messages() == [*expected])


def shift(connection: Connection, later: str) -> None:
    """Let the clock of the kernel be later."""
    connection.execute(
        "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
        f"as $$ select clock_timestamp() + '{later}'::interval $$".encode()
    )


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[Any]]]:
    caplog.set_level(logging.INFO)

    def lines() -> list[Any]:
        found = [json.loads(one.message) for one in caplog.records if one.name == "cmbs.upkeep"]
        assert {(line.pop("event"), line.pop("level")) for line in found} <= {("upkeep", "warning")}
        assert all(line.pop("ts").endswith("Z") for line in found)
        return found

    yield lines
    assert SECRET not in caplog.text
    assert MARK not in caplog.text


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What went wrong, each time that it did."""
    found: list[str] = []
    note = upkeep.Upkeep._note

    def noted(self: upkeep.Upkeep, what: str, error: BaseException) -> None:
        note(self, what, error)
        found.append(f"{what} {type(error).__name__}")

    monkeypatch.setattr(upkeep.Upkeep, "_note", noted)
    return found


def test_the_environment_is_for_others(
    database: str, db: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would see the questions, and a receiver the password of who started the server."""
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login operator password hush\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("NO_PROXY", "")
    with Receiver(200) as proxy, Receiver(200) as receiver:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/hook"))
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            scene.is_so(("interrupt.opened", "delivered", 1, None))
        assert proxy.got == []
        assert [got.headers["authorization"] for got in receiver.got] == [None]


def test_a_receiver_is_told_until_it_takes_it(
    database: str, db: Connection, logged: Callable[[], list[Any]]
) -> None:
    with Receiver(500, 503, 204) as receiver:
        scene = Told(db, receiver.url)
        question = scene.ask()
        with serving(database, upkeep=PAUSE):
            scene.is_so(("interrupt.opened", "pending", 1, "answered 500"))
            shift(db, "1 minute")
            scene.is_so(("interrupt.opened", "pending", 2, "answered 503"))
            shift(db, "2 minutes")
            scene.is_so(("interrupt.opened", "delivered", 3, None))
        assert len(receiver.got) == 3
        assert all(is_signed(got) and got.path == "/hook" for got in receiver.got)
        assert len({got.headers["webhook-id"] for got in receiver.got}) == 1
        assert {got.body for got in receiver.got} == {receiver.got[0].body}, "it is as it was"
        told = json.loads(receiver.got[0].body)
        assert (told["type"], told["data"]["interrupt_id"]) == ("interrupt.opened", question)
        assert told["data"]["action"]["args"] == {"n": MARK}
        headers = receiver.got[-1].headers
        assert headers["content-type"] == "application/json"
        assert headers["cookie"] is None
    assert logged() == []


def test_an_answer_is_told_too(database: str, db: Connection) -> None:
    with Receiver(200) as receiver:
        scene = Told(db, receiver.url)
        question = scene.ask()
        resolved = {"interrupt_id": question, "resolution": "decline"}
        scene("resolve_interrupt", scene.approver, **resolved)
        with serving(database, upkeep=PAUSE):
            opened, done = (f"interrupt.{what}" for what in ("opened", "resolved"))
            scene.is_so((opened, "delivered", 1, None), (done, "delivered", 1, None))
        told = {json.loads(got.body)["type"]: json.loads(got.body) for got in receiver.got}
        assert told[done]["data"]["resolution"]["resolution"] == "decline"


def test_what_is_never_taken_is_dead_and_stays_to_be_seen(database: str, db: Connection) -> None:
    with Receiver(*range(501, 513), 200) as receiver:
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            for attempt in range(1, 12):
                # The number says that this attempt was settled, and not only taken.
                scene.is_so(("interrupt.opened", "pending", attempt, f"answered {500 + attempt}"))
                shift(db, f"{9 * attempt} hours")
            dead = ("interrupt.opened", "dead", 12, "answered 512")
            scene.is_so(dead)
            shift(db, "1000 hours")
            scene.ask()
            scene.is_so(dead, ("interrupt.opened", "delivered", 1, None))
        assert len(receiver.got) == 13


def test_who_is_gone_is_told_no_more(database: str, db: Connection) -> None:
    with Receiver(410) as receiver:
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            scene.is_so(("interrupt.opened", "dead", 1, "answered 410"))


def test_nobody_is_told_where_nobody_is_to_be(database: str, db: Connection) -> None:
    scene = Told(db, "http://127.0.0.1:9/hook")
    scene.ask()
    scene.hook(None)
    with serving(database, upkeep=PAUSE):
        scene.is_so(("interrupt.opened", "dead", 1, "nobody is to be told"))


def test_a_receiver_sends_nobody_elsewhere(database: str, db: Connection) -> None:
    with Receiver(307) as receiver:
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            scene.is_so(("interrupt.opened", "pending", 1, "answered 307"))
        assert [got.path for got in receiver.got] == ["/hook"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/x", "https://[/", "http://nowhere.invalid/"])
def test_who_cannot_be_reached_is_tried_again(
    database: str, db: Connection, url: str, logged: Callable[[], list[Any]]
) -> None:
    scene = Told(db, url)
    scene.ask()
    with serving(database, upkeep=PAUSE):
        until(lambda: scene.messages()[0][3])
    ((_, state, n_attempts, failure),) = scene.messages()
    assert (state, n_attempts) == ("pending", 1)
    assert failure.startswith("could not be reached: ")
    assert "/" not in failure, "the address is not told"
    assert logged() == []


def test_slow_receivers_take_only_so_much(database: str, db: Connection) -> None:
    with Receiver(200) as receiver:
        receiver.is_slow = True
        scene = Told(db, receiver.url)
        for _ in range(6):
            scene.ask()
        with serving(database, upkeep=PAUSE) as address:
            until(lambda: len(receiver.got) == 4)
            # Others are served meanwhile, and swept.
            assert httpx.get(f"{address}/readyz").status_code == 200
            taken = [row for row in scene.messages() if row[2] == 1]
            assert (len(taken), len(receiver.got)) == (4, 4)
            receiver.is_slow = False
            receiver.released.set()
            scene.is_so(*[("interrupt.opened", "delivered", 1, None)] * 6)


def test_who_answers_too_late_is_tried_again(
    database: str, db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_PATIENCE", 0.1)
    with Receiver(200) as receiver:
        receiver.is_slow = True
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            failure = "did not answer within 0.1 seconds"
            scene.is_so(("interrupt.opened", "pending", 1, failure))


def test_a_server_that_stops_waits_for_no_receiver(
    database: str, db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_PATIENCE", 1000)
    with Receiver(200) as receiver:
        receiver.is_slow = True
        scene = Told(db, receiver.url)
        scene.ask()
        with serving(database, upkeep=PAUSE):
            until(lambda: receiver.got)
        assert scene.messages() == [("interrupt.opened", "pending", 1, None)]


def test_a_permit_that_ran_out_is_released_without_anybody_calling(
    database: str, db: Connection
) -> None:
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}})
    permit = scene.propose(tool_call("A"))["items"][0]["permit_id"]
    with serving(database, upkeep=PAUSE):
        until(lambda: scene.last_event()["verb"] == "SWEEP_EXPIRED")
    event = scene.last_event()
    assert event["actor"] == "api"
    assert event["payload"]["permits"] == [permit]
    (token,) = (
        one for one in scene("list_capabilities")["capability_tokens"] if one["holder"] == "agent"
    )
    assert token["left"] == token["budgets"]
    assert scene.is_whole()


def test_what_was_deferred_is_tried_again_without_anybody_calling(
    database: str, db: Connection
) -> None:
    waits = deny("A", when=op("missing", "fact.ready"), on_fail="defer")
    limits = {"v": 1, "max_attempts": 2, "backoff_ms": 1}
    scene = Scene(db, GRANT | {"constraint.waits": waits, "policy.deferrals": limits})
    assert scene.propose(tool_call("A"))["decision"] == "defer"
    with serving(database, upkeep=PAUSE):
        until(lambda: scene("list_deferrals")["deferrals"][0]["status"] == "exhausted")
    tries = scene("list_deferrals")["deferrals"][0]["tries"]
    assert [one["by"] for one in tries] == ["agent", "api", "api"]
    assert {event["actor"] for event in scene.session.events()[-2:]} == {"agent"}
    assert scene.is_whole()


def test_one_session_that_is_broken_keeps_no_other_waiting(
    database: str, db: Connection, logged: Callable[[], list[Any]], rounds: list[str]
) -> None:
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}})
    scene.propose(tool_call("A"))
    db.execute(
        "create function cmbs_store.fails() returns trigger language plpgsql "
        "as $$ begin raise exception 'on purpose'; end $$"
    )
    db.execute(
        "create trigger fails before update on cmbs_store.session for each row "
        f"when (old.session_id = '{scene.id}') execute function cmbs_store.fails()".encode()
    )
    pack = Json({"pack": "pack", "version": 1})
    scene.session = Session(db, "ab", credential=scene.agent, arbitration=pack)
    scene.id = scene.session.id
    scene.tokens[scene.agent] = scene.issue()
    with serving(database, upkeep=PAUSE):
        until(lambda: len(rounds) > 3)
        scene.propose(tool_call("A"))
        until(lambda: scene.last_event()["verb"] == "SWEEP_EXPIRED")
    (line,) = logged()
    assert line == {
        "upkeep": "sweep",
        "error": "RaiseException",
        "sqlstate": "P0001",
        "message": "on purpose",
    }


def test_a_session_that_is_being_written_is_left_for_later(
    database: str, db: Connection, logged: Callable[[], list[Any]]
) -> None:
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}})
    scene.propose(tool_call("A"))
    query = "select from cmbs_store.session where session_id = %s for update"
    asked = make_conninfo(database, options="-c lock_timeout=50")
    with psycopg.connect(database) as holder:
        holder.execute(query, [scene.id])
        with serving(asked, upkeep=PAUSE):
            waits_for_a_lock(database)
            holder.rollback()
            until(lambda: scene.last_event()["verb"] == "SWEEP_EXPIRED")
    assert logged() == []


def test_a_database_that_is_away_is_told_once_and_found_again(
    database: str,
    db: Connection,
    logged: Callable[[], list[Any]],
    rounds: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upkeep, "_DOUBLINGS", 1)
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}})
    name = db.info.dbname
    away = f'alter database "{name}" allow_connections '
    ended = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s and usename "
    ended += "= 'cmbs_server'"
    with (
        psycopg.connect(database, dbname="postgres", autocommit=True) as elsewhere,
        serving(database, upkeep=PAUSE, patience=0.2),
    ):
        elsewhere.execute(f"{away} false".encode())
        elsewhere.execute(ended.encode(), [name])
        # A connection may end in the midst of a call, and then there are none.
        until(lambda: min(rounds.count(f"{one} PoolTimeout") for one in LOOPS) > 2)
        elsewhere.execute(f"{away} true".encode())
        scene.propose(tool_call("A"))
        until(lambda: scene.last_event()["verb"] == "SWEEP_EXPIRED")
    lines = [(line["upkeep"], line["error"]) for line in logged()]
    assert len(lines) == len(set(lines)), "each is told once"
    assert {(one, "PoolTimeout") for one in LOOPS} <= set(lines)


def test_what_takes_no_writing_is_left_as_it_is(
    database: str, db: Connection, logged: Callable[[], list[Any]], rounds: list[str]
) -> None:
    scene = Told(db, "http://127.0.0.1:9/hook")
    scene.apply(ASKS | {"policy.permits": {"v": 1, "ttl_ms": 1}, "constraint.asks": ALLOWS})
    scene.propose(tool_call("A"))
    seq = scene.last_event()["seq"]
    options = "-c default_transaction_read_only=on"
    with serving(make_conninfo(database, options=options), upkeep=PAUSE):
        until(lambda: {f"{one} ReadOnlySqlTransaction" for one in LOOPS} <= set(rounds))
    assert scene.last_event()["seq"] == seq
    assert logged() == []


def test_it_ends_though_a_wait_swallows_that_it_is_to_end(database: str, db: Connection) -> None:
    """As asyncio.wait_for does up to Python 3.11, if what it waits for comes at that moment."""

    class Swallowing(Database):
        async def rows(self, verb: str, **arguments: object) -> list[bytes]:
            asked = asyncio.ensure_future(super().rows(verb, **arguments))
            try:
                return await asyncio.shield(asked)
            except asyncio.CancelledError:
                return await asked

    async def run(holder: psycopg.Connection[Any]) -> None:
        store = Swallowing(make_conninfo(database, user="cmbs_server"), 3, 10, 30)
        async with store.opened(), asyncio.timeout(30):
            async with upkeep.Upkeep(store, PAUSE).running():
                await asyncio.to_thread(waits_for_a_lock, database)
                asyncio.get_running_loop().call_later(0.2, holder.rollback)
            assert not [one for one in asyncio.all_tasks() if "_forever" in repr(one)]

    with psycopg.connect(database) as holder:
        holder.execute("lock table cmbs_store.open_item in access exclusive mode")
        asyncio.run(run(holder))


def test_without_upkeep_nothing_is_done_unasked(database: str, db: Connection) -> None:
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}})
    scene.propose(tool_call("A"))
    with serving(database) as address:
        assert httpx.get(f"{address}/readyz").status_code == 200
    assert scene.last_event()["verb"] == "PROPOSE"


@pytest.mark.nightly
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.nightly), "2"])
def test_a_server_does_it_by_itself_and_ends_at_once(
    database: str, db: Connection, workers: str
) -> None:
    scene = Scene(db, GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}, "constraint.b": ASKS_B})
    scene.propose(tool_call("A"))
    asked = scene.propose(tool_call("B"))
    path = f"/v1/sessions/{scene.id}/interrupts/{asked['items'][0]['interrupt_id']}"
    headers = bearer(token_of(database, "reader", "auditor"))
    url = make_conninfo(database, user="cmbs_server")
    with reachable_folder() as folder, ThreadPoolExecutor(1) as threads:
        arguments = ("--workers", workers, "--database-url", url)
        with running(Served(folder, arguments)) as served:
            until(lambda: scene.last_event()["verb"] == "SWEEP_EXPIRED")
            address = f"{served.address}{path}?wait=55"
            poll = threads.submit(httpx.get, address, headers=headers, timeout=60)
            asks = "select count(*) from pg_stat_activity where query like '%read_interrupt%' "
            asks += "and datname = current_database() and pid <> pg_backend_pid()"
            until(lambda: db.execute(asks.encode()).fetchone() != (0,))
            assert served.end() == 0
            assert poll.result().json()["status"] == "pending"
        assert "upkeep" not in served.err
    assert scene.is_whole()
