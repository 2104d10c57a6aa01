"""`cmbs tee serve` and `cmbs tee mirror` as processes: what they say, and how they end."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import grpc
import httpx
import psycopg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from psycopg.conninfo import make_conninfo

from cmbs.cli import main
from cmbs.database.calls import call
from cmbs.tee import wire
from tests.support.beliefs import Session
from tests.support.commands import table
from tests.support.served import Served, free_port
from tests.support.servers import ROOT, reachable_folder, until
from tests.support.web import token_of
from tests.tee.serving import SAID, delta, say

TLS = ROOT / "tests" / "http" / "tls"
COMMAND = [sys.executable, "-m", "cmbs", "tee"]
MADE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d \((now|\d+ s ago)\)")


def as_server(database: str) -> str:
    return make_conninfo(database, user="cmbs_server")


@contextlib.contextmanager
def tee(
    *arguments: str, env: dict[str, str] | None = None
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A Tee that serves; its first line and the process."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *arguments],
        cwd=ROOT,
        env=kept | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            yield running.stdout.readline(), running
        finally:
            running.kill()


def refusal(*arguments: str, status: int = 4) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == status, done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def port_of(line: str) -> str:
    return line.split(" (gRPC")[0].rpartition(":")[2]


def test_it_serves_until_it_is_told_to_stop(database: str) -> None:
    with tee("--no-auth", "--database-url", as_server(database)) as (line, process):
        assert line.startswith("the Tee is ready: 127.0.0.1:")
        assert line.endswith("nobody needs a token (--no-auth)\n")
        address = f"127.0.0.1:{port_of(line)}"
        with grpc.insecure_channel(address) as channel:
            say(channel, "MergeHypothesis", delta("ab"))
            say(channel, "CreateIncident", incident_id="i")
            healthy = health_pb2_grpc.HealthStub(channel)
            asked = health_pb2.HealthCheckRequest(service=wire.SERVICE)
            assert healthy.Check(asked).status == health_pb2.HealthCheckResponse.SERVING
            # A call that is under way is answered before it ends.
            answers = []
            with psycopg.connect(database) as holder:
                holder.execute("select from cmbs_store.incident for update")
                waiting = threading.Thread(
                    target=lambda: answers.append(
                        say(
                            channel,
                            "MergeNodeTombstones",
                            **{"incident_id": "i", "node_ids": ["a"], "provenance": SAID},
                        )
                    )
                )
                waiting.start()
                with psycopg.connect(database, autocommit=True) as looking:
                    until(lambda: waits_for_a_lock(looking))
                process.send_signal(signal.SIGTERM)
                until(lambda: is_refusing(address))
            waiting.join()
            assert [*answers[0].applied_ids] == ["a"]
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def waits_for_a_lock(looking: "psycopg.Connection[tuple[object, ...]]") -> bool:
    query = (
        "select from pg_stat_activity where wait_event_type = 'Lock' and usename = 'cmbs_server'"
    )
    return looking.execute(query).fetchone() is not None


def is_refusing(address: str) -> bool:
    """Whether who comes now is not let in any more."""
    with grpc.insecure_channel(address) as late, contextlib.suppress(grpc.RpcError):
        # A connection of the last moment may be neither let in nor turned away.
        late.unary_unary(wire.METHODS["GetMainGraph"].path)(b"", timeout=2)
        return False
    return True


def test_tokens_and_tls(database: str) -> None:
    agent = token_of(database, "agent", "agent").text
    files = ("--tls-cert", str(TLS / "certificate.pem"), "--tls-key", str(TLS / "key.pem"))
    with tee(*files, "--database-url", as_server(database)) as (line, _):
        assert "https://127.0.0.1:" in line
        assert line.endswith("every request needs a token\n")
        trusted = grpc.ssl_channel_credentials((TLS / "certificate.pem").read_bytes())
        with grpc.secure_channel(f"127.0.0.1:{port_of(line)}", trusted) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                say(channel, "GetMainGraph")
            assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
            rpc = channel.unary_unary(wire.METHODS["GetMainGraph"].path)
            assert rpc(b"", metadata=[("authorization", f"Bearer {agent}")]) == b""
            for wrong in ("", "Basic abc", f"Bearer {agent} {agent}", "Bearer"):
                with pytest.raises(grpc.RpcError) as caught:
                    rpc(b"", metadata=[("authorization", wrong)])
                assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
                assert agent not in caught.value.details()


@pytest.mark.nightly
@pytest.mark.slow("a process for each refusal")
def test_what_it_refuses_to_serve(database: str) -> None:
    url = ("--database-url", as_server(database))
    assert "nobody could come in, as there is no token" in refusal("serve", *url)
    half = refusal("serve", "--no-auth", *url, "--tls-cert", "/none", status=2)
    assert "TLS needs both" in half
    unknown = refusal("serve", "--no-auth", *url, "--host", "nowhere.invalid", status=5)
    assert "is not known" in unknown
    empty = make_conninfo(database, dbname="template1")
    assert "run cmbs migrate" in refusal("serve", "--no-auth", "--database-url", empty, status=5)
    with tee("--no-auth", *url) as (line, _):
        taken = refusal("serve", "--no-auth", *url, "--port", port_of(line), status=5)
        assert taken.endswith("cannot be served on; choose another with --port")
    token_of(database, "agent", "agent")
    assert "so --no-auth is refused" in refusal("serve", "--no-auth", *url)


@pytest.mark.nightly
@pytest.mark.slow("two servers and a database of their own")
def test_beside_a_server_on_one_data_directory() -> None:
    """Embedded: the server is told to mirror to the Tee beside it, and does."""
    with reachable_folder() as folder:
        served = Served(folder)
        served.start()
        try:
            served.await_ready()
            env = {"CMBS_DATA_DIR": str(served.data_dir)}
            with tee(env=env) as (line, process):
                assert line.endswith("this machine needs no token\n"), process.stderr
                address = f"127.0.0.1:{port_of(line)}"
                told = subprocess.run(
                    [*COMMAND, "mirror", "set", address],
                    cwd=ROOT,
                    env=os.environ | env,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
                assert told == f"new sessions  mirrored to {address}\n"
                with grpc.insecure_channel(address) as channel:
                    say(channel, "MergeHypothesis", delta("abc"))
                    mirrored_over_http(served, channel)
        finally:
            served.end()


def mirrored_over_http(served: Served, channel: grpc.Channel) -> None:
    ontology = {
        "hypothesis_space_id": "space",
        "hypothesis_version": "1",
        "causal_graph_ref": "tee",
        "causal_graph_version": "1",
    }
    sent = {"ontology": ontology, "hypotheses": ["a", "b", "c"]}
    with httpx.Client(base_url=served.address) as client:
        session = client.post("/v1/sessions", json=sent).json()["session_id"]
        said = {"source_id": "s", "observation_id": "1", "eliminated": ["b"]}
        assert client.post(f"/v1/sessions/{session}/eliminate", json=said).status_code == 200

    def is_told() -> bool:
        with contextlib.suppress(grpc.RpcError):
            view = say(channel, "GetLiveView", incident_id=session)
            return {node.id for node in view.nodes} == {"a", "c"}
        return False

    until(is_told, 60)


def test_the_commands_of_the_mirror(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str) -> str:
        assert main(["tee", "mirror", *arguments, "--database-url", database]) == 0
        return capsys.readouterr().out

    assert run("status").splitlines()[0] == "endpoint  none"
    assert main(["tee", "mirror", "list", "--database-url", database]) == 0
    assert capsys.readouterr() == ("", "cmbs: no message waits or was refused\n")
    address = f"127.0.0.1:{free_port()}"
    assert run("set", address) == f"new sessions  mirrored to {address}\n"
    with psycopg.connect(database, autocommit=True) as connection:
        session = Session(connection, "ab")
        session.eliminate("a")
        call(
            connection,
            "settle_mirror",
            session_id=session.id,
            seq=0,
            error="NOT_FOUND: \x1b[1m",
            is_refused=True,
        )
    assert run("status").splitlines()[:-1] == [
        f"endpoint  {address}",
        "waiting   1 message",
        "refused   1 message",
        "sessions  1 with messages that wait or were refused",
        "retries   0",
    ]
    listed = table(run("list"))
    assert [*listed[0]] == ["session", "event", "state", "made", "tries", "last error"]
    assert all(MADE.fullmatch(row.pop("made")) for row in listed)
    assert [[*row.values()] for row in listed] == [
        [str(session.id), "1", "dead", "1", "NOT_FOUND: \\u001b[1m"],
        [str(session.id), "2", "pending", "0", "-"],
    ]
    assert '"state": "dead"' in run("list", "--json").splitlines()[0]
    for one in ([], [str(session.id)], [str(session.id)[:8]], ["last"]):
        assert run("retry", *one) == "2 messages of 1 session will be sent again\n"
    assert run("off") == "new sessions  not mirrored\n"
    assert main(["tee", "mirror", "set", "nowhere", "--database-url", database]) == 4
    assert "endpoint must be host:port" in capsys.readouterr().err
