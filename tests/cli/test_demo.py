"""The program of examples/, over real HTTP: what it prints is true, and it notices what is not."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from cmbs.deploy import cluster
from tests.support.servers import ROOT
from tests.support.web import Client, token_of

PROGRAM = ROOT / "examples" / "replay_demo.py"
DEMO = [sys.executable, "-P", "-m", "cmbs", "demo"]
NOWHERE = "http://127.0.0.1:1"
HOLDS = "Everything holds: what the server says it believes is what its log leads to."

Change = Callable[[str, bytes], bytes]


def run(*command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True, timeout=60
    )


def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program without the project and without any package (-I -S)."""
    return run(sys.executable, "-I", "-S", PROGRAM, *arguments, http_proxy=NOWHERE)


def session_of(out: str) -> str:
    (found,) = set(re.findall(r"/v1/sessions/([0-9a-f-]{36})", out))
    return str(found)


def members(out: str) -> dict[str, Any]:
    """What the program computed from the log and compared with the snapshot."""
    compared = out.partition("\n6. ")[2].partition("\n7. ")[0]
    found = dict(re.findall(r"^ +(\w+) = (.+)$", compared, re.MULTILINE))
    return {**found, "survivors": json.loads(found["survivors"].replace("'", '"'))}


@pytest.mark.parametrize("command", ["the program", "cmbs demo --url"])
def test_it_prints_what_the_server_believes(web: Client, command: str) -> None:
    url = str(web.base_url)
    done = alone(url) if command == "the program" else run(*DEMO, "--url", url)
    assert (done.returncode, done.stderr, done.stdout.splitlines()[-1]) == (0, "", HOLDS)
    snapshot = web.get(f"/v1/sessions/{session_of(done.stdout)}").json()
    computed = members(done.stdout)
    assert computed == {key: snapshot[key] for key in computed} | {"audit_seq": "3"}
    assert computed["survivors"] == ["bad_deploy", "pool_exhausted", "replication_lag"]


def test_it_can_be_run_again(web: Client) -> None:
    url = str(web.base_url)
    runs = [alone(f"{url}/") for _ in range(2)]
    assert [done.returncode for done in runs] == [0, 0]
    assert len({session_of(done.stdout) for done in runs}) == 2
    assert len(web.get("/v1/sessions").json()["sessions"]) == 2


@pytest.mark.nightly
def test_a_server_of_its_own_that_leaves_nothing() -> None:
    # Nothing of the environment is for it, a token of another server included.
    elsewhere = {"CMBS_DATA_DIR": "/nowhere", "CMBS_TOKEN": "cmbs_of_another"}
    done = run(*DEMO, DATABASE_URL="postgresql://x@127.0.0.1:1/none", **elsewhere)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, HOLDS)
    assert members(done.stdout)["audit_seq"] == "3"
    assert_nothing_is_left(done.stderr)


def test_it_can_be_ended_and_leaves_nothing() -> None:
    with subprocess.Popen(DEMO, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert_nothing_is_left(said)


def assert_nothing_is_left(said: str) -> None:
    found = re.fullmatch(
        r"cmbs: a server in (/tmp/cmbs-demo-\w+) runs for as long as this takes\n", said
    )
    assert found, said
    assert not Path(found[1]).exists()
    assert [command for _, command in cluster._commands() if found[1] in command] == []


def test_a_token_from_the_environment(web: Client, database: str) -> None:
    url, token = str(web.base_url), token_of(database, "demo", "agent", "auditor").text
    for command in ([sys.executable, "-I", "-S", PROGRAM, url], [*DEMO, "--url", url]):
        done = run(*command, CMBS_TOKEN=token)
        assert (done.returncode, done.stderr, done.stdout.splitlines()[-1]) == (0, "", HOLDS)
        assert token not in done.stdout
        done = run(*command, CMBS_TOKEN="")
        assert done.returncode == 1
        assert "was refused with 401" in done.stderr


@pytest.mark.parametrize(
    ("url", "token", "said"),
    [
        ("http://10.0.0.1:8000", "cmbs_s3cret", "use https"),
        ("http://localhost.example.org", "cmbs_s3cret", "use https"),
        (NOWHERE, "cmbs_s3cret\n", "CMBS_TOKEN does not hold a token"),
        (NOWHERE, "cmbs_s3cr\u00e9t", "CMBS_TOKEN does not hold a token"),
    ],
)
def test_a_token_that_is_not_sent(url: str, token: str, said: str) -> None:
    done = run(sys.executable, "-I", "-S", PROGRAM, url, CMBS_TOKEN=token)
    assert done.returncode == 1
    assert said in done.stderr
    assert "s3cr" not in done.stdout + done.stderr


@pytest.mark.parametrize("url", [NOWHERE, "nonsense"])
def test_nobody_answers(url: str) -> None:
    for done in (alone(url), run(*DEMO, "--url", url)):
        assert done.returncode == 1
        assert re.fullmatch(rf"replay_demo: no answer from {url}/.+\n", done.stderr), done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["--nope"], [NOWHERE, "more"]])
def test_how_the_program_is_called(arguments: list[str]) -> None:
    done = alone(*arguments)
    assert done.returncode == 1
    assert "python examples/replay_demo.py [URL]" in done.stderr


def test_a_server_of_its_own_that_does_not_start(tmp_path: Path) -> None:
    done = run(*DEMO, CMBS_PG_BINDIR=str(tmp_path))
    assert done.returncode == 5
    said = done.stderr.splitlines()
    assert said[1:] == [
        "cmbs: the server did not start: "
        f"cmbs: CMBS_PG_BINDIR is {tmp_path}, which has no postgres and initdb"
    ]
    assert_nothing_is_left(f"{said[0]}\n")


@contextlib.contextmanager
def between(url: str, change: Change) -> Iterator[str]:
    """A proxy that passes everything on, and changes the answers to GET."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.pass_on(None)

        def do_POST(self) -> None:
            self.pass_on(self.rfile.read(int(self.headers["content-length"])))

        def pass_on(self, body: bytes | None) -> None:
            headers = {name: self.headers[name] for name in ("accept", "content-type")}
            answer = httpx.request(
                self.command, url + self.path, content=body, headers=headers, trust_env=False
            )
            content = answer.content if body else change(self.path, answer.content)
            self.send_response(answer.status_code)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            thread.join()


def in_log(old: bytes, new: bytes, line: int) -> Change:
    """One text of one line, changed once."""

    def change(path: str, body: bytes) -> bytes:
        lines = body.splitlines()
        if path.endswith("/audit"):
            assert old in lines[line]
            lines[line] = lines[line].replace(old, new, 1)
        return b"\n".join(lines)

    return change


def without(line: int) -> Change:
    def change(path: str, body: bytes) -> bytes:
        lines = body.splitlines()
        if path.endswith("/audit"):
            del lines[line]
        return b"\n".join(lines)

    return change


def in_other(end: str, old: bytes, new: bytes) -> Change:
    def change(path: str, body: bytes) -> bytes:
        if re.search(end, path):
            assert old in body
            return body.replace(old, new, 1)
        return body

    return change


TAMPERED: dict[str, tuple[Change, str]] = {
    "nothing": (lambda _, body: body, ""),
    "a byte of a source": (in_log(b"tool://df", b"tool://dg", 1), "event_hash should be"),
    "a byte of what went": (in_log(b'[\\"dns\\"]', b'[\\"dnt\\"]', 2), "event_hash should be"),
    "a byte of a hash": (in_log(b'{"event_hash": "', b'{"event_hash": "x', 1), "event_hash should"),
    "a byte of a name": (in_log(b'"record"', b'"recorb"', 1), "has not the form"),
    "a byte of the JSON": (in_log(b'"record": "', b'"record": ""', 0), "has not the form"),
    "a hypothesis": (in_log(b'"hypotheses": ["bad', b'"hypotheses": ["Bad', 0), "universe_digest"),
    "the first line": (without(0), "session_id, seq should be"),
    "a line between": (without(1), "session_id, seq should be"),
    "the last line": (without(-1), "survivors should be"),
    "the snapshot": (in_other(r"/sessions/[^/]+$", b'"bad_deploy"', b'"dns"'), "survivors should"),
    "the head": (in_other(r"/sessions/[^/]+$", b'head_hash": "', b'head_hash": "0'), "audit_head_"),
    "the verdict": (in_other("/verify$", b"true", b"false"), "ok should be True"),
}


# Each makes the program play the story anew; one of each kind with a push.
_PUSHED = {"nothing", "a byte of the JSON", "a line between"}


@pytest.mark.parametrize(
    "what",
    [pytest.param(one, marks=() if one in _PUSHED else pytest.mark.nightly) for one in TAMPERED],
)
def test_what_was_tampered_with_is_noticed(web: Client, what: str) -> None:
    change, sentence = TAMPERED[what]
    with between(str(web.base_url), change) as url:
        done = alone(url)
    assert done.returncode == (1 if sentence else 0)
    assert (HOLDS in done.stdout) == (sentence == "")
    assert re.fullmatch(rf"replay_demo: .*{sentence}.+\n" if sentence else "", done.stderr), (
        done.stderr
    )
