"""The sample: the same for everybody, true to the protocol, and loaded once."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cmbs.database.calls import call
from cmbs.sample import week
from cmbs.verify.build import one_file
from tests.cli.test_cli import run
from tests.support import analytics
from tests.support.beliefs import Session

# Of `cmbs sample` with nothing said: whoever follows a page must see what it shows.
_DIGEST = "bc015b019a11872cceb03de6247a8bd229657126a8ea37bff48b4788ad1fc2b1"
# Every verb, and every reason that a gate may give.
_REASONS = {
    ("REQUEST_EXIT", "approved"),
    ("REQUEST_EXIT", "minimum eliminations not met"),
    ("WAIVE_OBLIGATION", "waived"),
    ("DECLARE_CONCLUSION", "accepted"),
    ("DECLARE_CONCLUSION", "active obligation blocks conclusion"),
    ("REQUEST_TERMINATION", "active obligation blocks termination"),
    ("REQUEST_TERMINATION", "approved by force"),
    ("REQUEST_TERMINATION", "approved"),
    ("REQUEST_TERMINATION", "conclusion not stable"),
    ("REQUEST_TERMINATION", "force not allowed by policy"),
    ("REQUEST_TERMINATION", "termination requires a singleton survivor"),
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.zip"
    week.write(path, analytics.SEED, analytics.SESSIONS)
    return path


@pytest.mark.nightly
def test_the_same_bytes_for_everybody(bundle: Path, tmp_path: Path) -> None:
    assert hashlib.sha256(bundle.read_bytes()).hexdigest() == _DIGEST
    done = run(tmp_path, "sample", "-o", str(tmp_path / "again.zip"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
    other = run(tmp_path, "sample", "-o", str(tmp_path / "other.zip"), "--seed", "2")
    assert other.returncode == 0
    assert (tmp_path / "other.zip").read_bytes() != bundle.read_bytes()
    again = run(tmp_path, "sample", "-o", str(tmp_path / "other.zip"))
    assert again.stderr == (
        f"cmbs: {tmp_path / 'other.zip'} is already there; choose another name, or --force\n"
    )
    nowhere = run(tmp_path, "sample", "-o", str(tmp_path / "no" / "x.zip"))
    assert nowhere.stderr.endswith("cannot be written: No such file or directory\n")
    assert not (tmp_path / "data").exists(), "a bundle needs no database"


def test_it_verifies_without_a_database(bundle: Path, tmp_path: Path) -> None:
    program = tmp_path / "verify.py"
    program.write_text(one_file())
    done = subprocess.run(
        [sys.executable, "-I", str(program), str(bundle)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("checked 200 sessions, ")


def test_it_has_something_of_everything() -> None:
    played = list(week.sessions(analytics.SEED, analytics.SESSIONS))
    records = [json.loads(json.loads(line)["record"]) for one in played for line in one.lines]
    assert 2_000 < len(records) < 10_000
    decided = {
        (one["verb"], one["payload"]["reason"]) for one in records if "reason" in one["payload"]
    }
    assert decided == _REASONS
    days = {one["ts"][:10] for one in records}
    assert len(days) >= 7
    # Ended, given up, and left open with and without an obligation.
    assert {(one.is_terminated, len(one.survivors) == 1) for one in played} == {
        *((True, True), (True, False), (False, True), (False, False))
    }
    assert any(one.obligation for one in played)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [0, 2, 3, 2**31])
def test_any_other_week_verifies(seed: int, database: str, db: psycopg.Connection[Any]) -> None:
    analytics.load(database, seed, 50)
    found = db.execute("select count(*), bool_and(ok) from cmbs.verify_all()").fetchone()
    assert found == (50, True)


def test_it_is_loaded_once(tmp_path: Path, database: str, db: psycopg.Connection[Any]) -> None:
    mine = Session(db)
    first = run(tmp_path, "sample", "--sessions", "3", url=database)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("imported 3 sessions, ")
    before = db.execute("select count(*), sum(audit_seq) from cmbs.session").fetchone()
    second = run(tmp_path, "sample", "--sessions", "3", "--seed", "2", url=database)
    assert (second.returncode, second.stdout) == (4, "")
    assert second.stderr.startswith("cmbs: 3 sessions of a sample are here already; ")
    assert db.execute("select count(*), sum(audit_seq) from cmbs.session").fetchone() == before
    # A session of the sample that was left open goes on like any other.
    left = "select session_id from cmbs.session where not terminated and session_id <> %s"
    for (session_id,) in db.execute(left, [mine.id]).fetchall():
        sent = {"source_id": "s", "observation_id": "o", "eliminated": ["network/dns"]}
        call(db, "eliminate", session_id=session_id, **sent)
        assert call(db, "verify", session_id=session_id)["ok"] is True


@pytest.mark.parametrize("options", [("--sessions", "0"), ("--seed", "-1"), ("--seed", "x")])
def test_usage(options: tuple[str, str], tmp_path: Path) -> None:
    assert run(tmp_path, "sample", *options).returncode == 2
