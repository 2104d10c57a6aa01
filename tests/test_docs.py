"""The SQL in the documentation is run as it stands."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from docs import generate
from tests.beliefs import Session

ROOT = Path(__file__).resolve().parent.parent
_SQL = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Roles are the cluster's and outlive the database of a test.
_CLEAN = "drop role if exists ann;"


@pytest.mark.parametrize("page", ["README.md", "BELIEF_PROTOCOL.md"])
def test_the_sql_of_a_page_runs(page: str, database: str, server: SimpleNamespace) -> None:
    blocks = _SQL.findall((ROOT / page).read_text())
    assert blocks
    psql = server.own.bindir / "psql" if server.own else shutil.which("psql")
    done = subprocess.run(
        [psql, "-X", "-v", "ON_ERROR_STOP=1", database],
        input="\n".join([_CLEAN, *blocks, _CLEAN]),
        capture_output=True,
        text=True,
        env={**os.environ, "PAGER": "cat"},
    )
    assert done.returncode == 0, done.stderr
    if page == "README.md":
        assert '"ok" : true' in done.stdout
        assert re.search(r"hypothesis_id\s*-+\s*replication_lag\s*\(1 row\)", done.stdout)


def test_the_python_of_the_readme_runs(db: psycopg.Connection[Any]) -> None:
    session = Session(db, ["dns", "disk_full"])
    (block,) = _PYTHON.findall((ROOT / "README.md").read_text())
    found: dict[str, Any] = {"ADDRESS": db.info.dsn, "SESSION": session.id}
    exec(block, found)
    assert found["answer"]["applied_eliminated"] == ["dns"]


def test_every_verb_is_documented() -> None:
    text = (ROOT / "BELIEF_PROTOCOL.md").read_text()
    verbs = {path.stem for path in (ROOT / "sql" / "verbs").glob("*.sql")}
    assert {verb for verb in verbs if f"`cmbs.{verb}" not in text} == set()


@pytest.mark.parametrize("page", generate.pages())
def test_the_reference_is_current(page: str) -> None:
    is_current = (ROOT / "docs" / page).read_text() == generate.pages()[page]
    assert is_current, "run .venv/bin/python -m docs.generate and commit what it writes"


def test_pages_link_to_what_is_there() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
    assert len((ROOT / "README.md").read_text().splitlines()) <= 200
