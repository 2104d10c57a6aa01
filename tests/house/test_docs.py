"""The snippets of the documentation are run as they stand, and what they promise is looked for."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs.api.shell import upkeep
from cmbs.deploy.resources import verb_files
from docs import generate
from tests.support import analytics
from tests.support.beliefs import Session
from tests.support.web import Client
from tests.tee.serving import serving

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```(sh|sql)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text()
    for page in sorted(
        [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "sql").glob("*.md")]
    )
}
# The blocks of docs/sharding.md are run by tests/deploy/test_plproxy.py.
_RUN_HERE = [
    name for name, text in _PAGES.items() if _BLOCK.search(text) and name != "docs/sharding.md"
]
# Each starts servers and databases of its own, for longer than all others together.
_LONG = {
    f"docs/{page}.md"
    for page in ("approve-and-execute", "gate-your-first-write", "identities", "operating", "tee")
}
_WITH_PYTHON = {name for name, text in _PAGES.items() if _PYTHON.search(text)}
# Their blocks are about something that a test brings along.
_WITH_NAMES = {"docs/sql.md", "docs/analytics.md", "docs/operating.md"}
# `# -> TEXT`: the output since the promise before, or since the beginning, holds this text.
_PROMISE = re.compile(r"^(?:#|--) -> (.+)$", re.MULTILINE)
_KEPT = "@@ as promised? @@"
_PSQL = '"$PSQL" -X -v ON_ERROR_STOP=1 "$DATABASE"'
# Roles and databases are the cluster's and outlive the database of a test.
_CLEAN = "\n".join(
    f"{_PSQL} -qc 'drop {thing}' 2> clean"
    for thing in (
        "database if exists cmbs_restored",
        "database if exists cmbs_again",
        "role if exists ann",
        "role if exists bea",
    )
)
_RUN = f"{sys.executable} -P -m cmbs"
_CMBS = f'cmbs() {{ {_RUN} "$@"; }}'
_PROGRAMS = ("curl", "python3", "sha256sum", "createdb", "pg_dump", "pg_dumpall", "pg_restore")


@pytest.mark.slow("a page may have forty commands")
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.nightly if page in _LONG else ()) for page in _RUN_HERE],
)
def test_the_blocks_of_a_page_run_in_order(
    page: str, web: Client, database: str, server: SimpleNamespace, tmp_path: Path
) -> None:
    if page == "docs/analytics.md":
        analytics.load(database)
    blocks = [_as_shell(*block) for block in _BLOCK.findall(_PAGES[page])]
    script = "\n".join(["set -euo pipefail", _CMBS, _CLEAN, *blocks, _CLEAN])
    path = f"{server.own.bindir}:{os.environ['PATH']}" if server.own else os.environ["PATH"]
    psql = shutil.which("psql", path=path) or "psql"
    named = [name for name in _PROGRAMS if name in script]
    if missing := [name for name in ("bash", psql, *named) if not shutil.which(name, path=path)]:
        pytest.skip(f"the snippets of {page} need {', '.join(missing)}")
    done = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", str(web.base_url))],
        cwd=tmp_path,
        env={
            **os.environ,
            **{"PSQL": psql, "DATABASE": database, "PAGER": "cat", "PATH": path},
            **{"PYTHONPATH": str(ROOT), "DATABASE_URL": database},
            **{"PGHOST": server.host, "PGPORT": str(server.port), "PGUSER": server.user},
            **{"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "no_proxy": "*"},
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Python, of which a page may have some as well, has a test of its own.
    promises = [one for _, block in _BLOCK.findall(_PAGES[page]) for one in _PROMISE.findall(block)]
    for promise, said in zip(promises, done.stdout.split(_KEPT)[:-1], strict=True):
        assert _loosely(promise) in _loosely(said)


def _as_shell(language: str, block: str) -> str:
    """A block for bash, which marks in its output where a promise was made."""
    if language == "sh":
        block = block.replace("python3 run.py", _RUN)
        return _PROMISE.sub(f"echo '{_KEPT}'", block)
    return f"{_PSQL} <<'END OF SQL'\n" + _PROMISE.sub(rf"\\echo {_KEPT}", block) + "END OF SQL"


def _loosely(text: str) -> str:
    """Without the spaces that JSON leaves to its writer."""
    return re.sub(r"\s*([:,])\s*", r"\1", text)


@pytest.mark.parametrize("page", ["docs/gate-your-first-write.md", "docs/approve-and-execute.md"])
def test_a_page_that_makes_principals_has_a_server_of_its_own(page: str) -> None:
    """In a folder that the account of root's PostgreSQL can reach, as it cannot root's home."""
    folder = re.findall(r"^CMBS_DATA_DIR=(\S+) python3 run.py serve$", _PAGES[page], re.MULTILINE)
    assert folder == re.findall(r"^export CMBS_DATA_DIR=(\S+)$", _PAGES[page], re.MULTILINE)
    assert [Path(one).parent for one in folder] == [Path("/tmp")]


def test_every_snippet_is_of_a_kind_that_is_run() -> None:
    fences = re.findall(r"^```(.+)$", "\n".join(_PAGES.values()), re.MULTILINE)
    assert set(fences) == {"json", "python", "sh", "sql"}
    assert _WITH_NAMES < _WITH_PYTHON


def test_the_python_of_the_page_on_sql_runs(db: psycopg.Connection[Any]) -> None:
    session = Session(db, ["dns", "disk_full"])
    (block,) = _PYTHON.findall(_PAGES["docs/sql.md"])
    found: dict[str, Any] = {"ADDRESS": db.info.dsn, "SESSION": session.id}
    exec(block, found)
    assert found["answer"]["applied_eliminated"] == ["dns"]


def test_the_python_for_analysts_runs(db: psycopg.Connection[Any]) -> None:
    Session(db, ["dns", "disk_full"]).eliminate("dns")
    (block,) = _PYTHON.findall(_PAGES["docs/analytics.md"])
    found: dict[str, Any] = {"ADDRESS": db.info.dsn}
    exec(block, found)
    assert found["columns"]["n_survivors"] == (2, 1)
    assert found["columns"]["seq"] == (1, 2)


@pytest.mark.parametrize("page", sorted(_WITH_PYTHON - _WITH_NAMES))
def test_the_python_of_a_page_runs_in_order(
    page: str,
    web: Client,
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text = _PAGES[page]
    found: dict[str, Any] = {"URL": str(web.base_url), "ADDRESS": database, "__name__": "page"}
    with contextlib.ExitStack() as up:
        if page == "docs/tee.md":
            found["TEE"] = up.enter_context(serving(database))
        promises = _executed(page, text, found)
    said = capsys.readouterr().out.split(_KEPT)[:-1]
    assert promises or re.search(r"^\s*assert ", text, re.MULTILINE)
    for no, promise in enumerate(promises):
        # Promises that follow each other are about the same output.
        told = next(text for text in reversed(said[: no + 1]) if text.strip())
        assert _loosely(promise) in _loosely(told)


def test_receivers_check_signatures_as_the_page_for_operators_shows() -> None:
    """With what the server really sends."""
    found: dict[str, Any] = {}
    exec(_PYTHON.findall(_PAGES["docs/operating.md"])[0], found)
    secret, body = "s" * 24, b'{"type": "interrupt.opened"}'
    message = upkeep._Message(UUID(int=1), UUID(int=2), "http://x", secret, body.decode())
    headers = upkeep._signed(message, body)
    is_genuine = found["is_genuine"]
    assert is_genuine(headers, body, secret)
    assert is_genuine(
        {**headers, "webhook-signature": f"v1,x {headers['webhook-signature']}"}, body, secret
    )
    assert not is_genuine(headers, body + b" ", secret)
    assert not is_genuine(headers, body, "t" * 24)
    assert not is_genuine({**headers, "webhook-id": "another"}, body, secret)
    late = int(headers["webhook-timestamp"]) + 301
    assert not is_genuine(headers, body, secret, now=late)


def test_the_page_on_providers_shows_the_example() -> None:
    block = _PYTHON.findall(_PAGES["docs/writing-a-provider.md"])[0]
    example = (ROOT / "examples" / "provider" / "slow_page.py").read_text()
    assert example.split('"""\n\n', 1)[1] == block


def test_every_view_and_column_is_on_the_page_for_analysts(db: psycopg.Connection[Any]) -> None:
    query = (
        "select c.relname, array_agg(a.attname::text order by a.attnum) from pg_class as c "
        "inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 "
        "where c.relnamespace = 'cmbs'::regnamespace and c.relkind = 'v' group by c.relname"
    )
    page = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (`[^|]+`) \|$", _PAGES["docs/analytics.md"], re.MULTILINE
    )
    told = {view: re.findall(r"`(\w+)`", columns) for view, columns in page}
    assert told == dict(db.execute(query).fetchall())


def test_the_page_on_policies_has_every_reason_code(db: psycopg.Connection[Any]) -> None:
    query = (
        "select code, stage, disposition, description from cmbs_store.reason_code "
        "order by stage_no, code"
    )
    told = re.findall(
        r"^\| `([A-Z_]+)` \| (\w+) \| (\w+) \| (.+) \|$", _PAGES["docs/policies.md"], re.MULTILINE
    )
    assert told == db.execute(query).fetchall()


def test_the_page_on_policies_has_every_keyword_of_schemas(db: psycopg.Connection[Any]) -> None:
    (keywords,) = db.execute("select cmbs_store.schema_keywords()").fetchone() or ([],)
    section = _PAGES["docs/policies.md"].partition("\n## JSON Schema\n")[2]
    assert re.findall(r"`([^`]+)`", section.split("\n\n")[1]) == keywords


def test_every_verb_is_documented() -> None:
    text = _PAGES["BELIEF_PROTOCOL.md"]
    verbs = {path.stem for path in verb_files()}
    assert {verb for verb in verbs if f"`cmbs.{verb}" not in text} == set()


@pytest.mark.parametrize("page", generate.pages())
def test_the_reference_is_current(page: str) -> None:
    is_current = _PAGES[f"docs/{page}"] == generate.pages()[page]
    assert is_current, "run .venv/bin/python -m docs.generate and commit what it writes"


def test_pages_link_to_what_is_there() -> None:
    for page, text in _PAGES.items():
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            if "://" not in target:
                assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"
    assert len(_PAGES["README.md"].splitlines()) <= 80, "one screen"


def _executed(page: str, text: str, found: dict[str, Any]) -> list[str]:
    """Runs the Python of a page; what it promises of what it prints."""
    promises: list[str] = []
    for block in _PYTHON.finditer(text):
        promises += _PROMISE.findall(block[1])
        # As many lines before it as on the page, so that an error names the line there.
        before = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(before + _PROMISE.sub(f"print({_KEPT!r})", block[1]), page, "exec"), found)
    return promises
