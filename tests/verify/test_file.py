"""The offline verifier on good files: golden vectors, canonical text, the command."""

import io
import itertools
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from cmbs import verify
from tests.sql.log.test_vectors import CASES, HASHES, VECTORS
from tests.support import bundles, corpus
from tests.support.servers import ROOT

LINES = bundles.vector_log(VECTORS / "chain.json")
HEAD = json.loads(LINES[-1])["event_hash"]


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_bytes(b"".join(LINES))
    return path


@pytest.fixture
def bundle_file(tmp_path: Path) -> Path:
    path = tmp_path / "logs.zip"
    path.write_bytes(bundles.zipped(bundles.members([LINES])))
    return path


# Golden vectors


def test_the_golden_chain() -> None:
    log = verify.Log()
    events = [log.feed(line) for line in LINES]
    log.finish()
    assert [event.seq for event in events] == list(range(1, 14))
    assert log.snapshot()["survivors"] == ["replication_lag"]
    assert (log.head_hash, log.terminated) == (HEAD, True)
    assert events[2].eliminated == ["disk_full"]
    assert events[2].record == json.loads(LINES[2])["record"]


@pytest.mark.parametrize("vector", HASHES["canonical"], ids=lambda vector: vector["input"][:20])
def test_golden_canonical_text(vector: dict[str, str]) -> None:
    assert verify.canonical(verify.parse(vector["input"])) == vector["canonical"]


@pytest.mark.parametrize(("sets", "belief"), CASES)
def test_golden_hashes(sets: dict[str, Any], belief: dict[str, Any]) -> None:
    universe = verify.Universe(sets["sorted"])
    assert universe.digest == sets["universe_digest"]
    mask = bytearray(len(universe.full_mask()))
    for one in belief["survivors"]:
        rank = universe.ranks[one]
        mask[rank // 8] |= 1 << rank % 8
    assert universe.hash(mask) == belief["survivors_hash"]
    if belief["survivors"] == sets["sorted"]:
        assert universe.full_mask() == mask


@pytest.mark.parametrize("kind", ["values", "numbers"])
def test_canonical_text_is_that_of_postgresql(tx: psycopg.Connection[Any], kind: str) -> None:
    random = Random(7)
    make = {"values": corpus.some_object, "numbers": some_number}[kind]
    texts = [str(make(random)) for _ in range(5000)]
    rows = tx.execute(
        "select u.text::jsonb::text from unnest(%s::text[]) with ordinality as u (text, no) "
        "order by u.no",
        [texts],
    )
    for text, (expected,) in zip(texts, rows.fetchall(), strict=True):
        assert verify.canonical(verify.parse(text)) == expected
        assert verify.canonical(verify.parse(expected)) == expected


def some_number(random: Random) -> str:
    def digits(most: int) -> str:
        return "".join(random.choice("0001259") for _ in range(random.randrange(1, most)))

    whole = digits(30).lstrip("0") or "0"
    part = "." + digits(30) if random.random() < 0.5 else ""
    exponent = random.choice(["e", "E"]) + random.choice(["", "+", "-"]) + digits(4)
    return random.choice(["", "-"]) + whole + part + (exponent if random.random() < 0.5 else "")


# Bundles


def test_a_bundle(bundle_file: Path) -> None:
    done: list[int] = []
    (found,) = verify.check(bundle_file, done.append)
    assert (found.ok, found.rows_checked, found.head_hash) == (True, 13, HEAD)
    assert sum(done) == 13
    with verify.Bundle(bundle_file) as bundle:
        assert bundle.n_events == 13
        (entry,) = bundle.sessions
        assert list(bundle.lines(entry))[1:] == [line[:-1] for line in LINES[1:]]
        universe = bundle.universe(entry["universe_digest"])
        assert "replication_lag" in universe.ids


def test_a_bundle_of_real_logs(tx: psycopg.Connection[Any], tmp_path: Path) -> None:
    sessions = corpus.make(tx, 5, 60)
    logs = corpus.export(tx, sessions)
    path = tmp_path / "logs.zip"
    path.write_bytes(bundles.zipped(bundles.members(list(logs.values()))))
    found = list(verify.check(path))
    assert {one.session_id for one in found if one.ok} == set(map(str, sessions))
    assert sum(one.rows_checked for one in found) == sum(map(len, logs.values()))


# The command


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The package as a command, with nothing but what is in it."""
    command = [sys.executable, "-S", "-m", "cmbs.verify", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command(log_file: Path, bundle_file: Path) -> None:
    for path in (log_file, bundle_file):
        done = run(path)
        assert (done.returncode, done.stderr) == (0, "")
        line, summary = done.stdout.splitlines()
        assert line == f"ok      6f9619ff-8b86-4d01-b42d-00c04fc964ff  13 rows  {HEAD}"
        assert summary.startswith("checked 1 session, 13 rows in ")
        assert summary.endswith(": every chain is whole")


def test_the_head(log_file: Path, bundle_file: Path) -> None:
    assert run(log_file, "--head", HEAD).returncode == 0
    log_file.write_bytes(b"".join(LINES[:-1]))
    assert run(log_file).returncode == 0
    done = run(log_file, "--head", HEAD)
    assert done.returncode == 1
    assert "BROKEN  6f9619ff-8b86-4d01-b42d-00c04fc964ff  event 12: the log does not" in done.stdout
    assert run(log_file, "--head", "x").returncode == 2
    assert run(bundle_file, "--head", HEAD).returncode == 2


def test_the_snapshot(log_file: Path) -> None:
    done = run(log_file, "--snapshot")
    assert json.loads(done.stdout)["survivors"] == ["replication_lag"]
    assert done.stderr.startswith("ok ")


def test_progress_on_a_terminal(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, clock = io.StringIO(), itertools.count(0, 2)
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    assert verify.main([str(log_file)]) == 0
    assert "100%" in shown.getvalue()
    assert "rows/s  0:00 left" in shown.getvalue()


def test_usage(tmp_path: Path) -> None:
    assert run().returncode == 2
    assert run("--help").returncode == 0
    assert run(tmp_path / "nothing").returncode == 1
