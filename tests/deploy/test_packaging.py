"""What a wheel carries, and what the lock file says."""

import email
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import cmbs
from cmbs.deploy import resources
from cmbs.verify.build import one_file

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    with zipfile.ZipFile(built) as opened:
        yield opened


def files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in found if path.is_file()}


@pytest.mark.parametrize("name", ["sql", "migrations", "examples"])
def test_the_wheel_carries_what_is_no_module(wheel: zipfile.ZipFile, name: str) -> None:
    prefix = f"cmbs/_{name}/"
    carried = {entry for entry in wheel.namelist() if entry.startswith(prefix)}
    assert {entry.removeprefix(prefix) for entry in carried} == files(ROOT / name) != set()


def test_the_wheel_carries_the_library(wheel: zipfile.ZipFile) -> None:
    expected = {f"cmbs/{name}" for name in files(ROOT / "cmbs")}
    assert expected <= set(wheel.namelist())
    assert "cmbs/py.typed" in expected


def test_the_wheel_carries_the_server_and_its_page(wheel: zipfile.ZipFile) -> None:
    expected = {f"cmbs/api/{name}" for name in files(ROOT / "api")}
    assert {name for name in wheel.namelist() if name.startswith("cmbs/api/")} == expected
    assert {"cmbs/api/page.css", "cmbs/api/page.js"} <= expected


def test_the_wheel_carries_the_verifier_as_one_file(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """The same that an installation of it writes."""
    wheel.extractall(tmp_path)
    command = [sys.executable, "-S", "-m", "cmbs.verify.build", "written.py"]
    subprocess.run(command, cwd=tmp_path, check=True, env={})
    carried = wheel.read("cmbs/_verify.py")
    assert carried == (tmp_path / "written.py").read_bytes() == one_file().encode()


def test_the_wheel_describes_itself(wheel: zipfile.ZipFile) -> None:
    (name,) = (entry for entry in wheel.namelist() if entry.endswith(".dist-info/METADATA"))
    described = email.message_from_bytes(wheel.read(name))
    assert described["Name"] == "cmbs"
    assert described["Version"] == cmbs.__version__
    assert described["License-Expression"] == "Apache-2.0"
    assert described["Requires-Python"] == ">=3.11"
    entry_points = wheel.read(name.replace("METADATA", "entry_points.txt")).decode()
    assert "cmbs = cmbs.cli:main" in entry_points


def test_resources_of_an_installation_and_of_a_checkout(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    wheel.extractall(tmp_path)
    found = "r.sql_dir(), r.migrations_dir(), r.examples_dir()"
    script = f"from cmbs.deploy import resources as r; print({found}, sep='\\n')"
    shown = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    installed = tmp_path.resolve() / "cmbs"
    carried = [installed / name for name in ("_sql", "_migrations", "_examples")]
    assert [Path(line) for line in shown.stdout.splitlines()] == carried
    assert resources.sql_dir() == ROOT / "sql"
    assert resources.migrations_dir() == ROOT / "migrations"
    assert resources.examples_dir() == ROOT / "examples"


@pytest.mark.parametrize(
    ("program", "said"),
    [("run_20q.py", "20q_72  all 72 were found"), ("run_itbench.py", "13 events lead to the same")],
)
def test_the_examples_of_an_installation_run(
    wheel: zipfile.ZipFile, tmp_path: Path, program: str, said: str
) -> None:
    wheel.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "cmbs" / "_examples" / program)],
        env={"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


@pytest.mark.nightly
@pytest.mark.slow("installs a wheel and plays the story")
def test_the_story_of_an_installation_runs(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """On a server of the installation, and checked by its own verifier."""
    wheel.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "cmbs", "demo", "gated-agent"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("One restart, after all that had to come before")


RUN = PROJECT["project"]["dependencies"]
DEVELOP = PROJECT["dependency-groups"]["dev"]
EXTRA = PROJECT["project"]["optional-dependencies"]["otel"]


def names(declared: list[str]) -> set[str]:
    return {re.split(r"[\[<>=; ]", text, maxsplit=1)[0].lower() for text in declared}


def pins(lock: str) -> set[str]:
    return set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text(), re.MULTILINE))


def test_the_locks_name_everything_and_nothing_twice() -> None:
    run, develop = pins("requirements.lock"), pins("requirements-dev.lock")
    assert run < develop, "what runs the tests runs the server, too"
    assert names(RUN) <= {pin.split("==")[0] for pin in run}
    assert names(RUN + DEVELOP + EXTRA) <= {pin.split("==")[0] for pin in develop}
    assert not (names(DEVELOP + EXTRA) - names(RUN)) & {pin.split("==")[0] for pin in run}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_hashes_and_no_address(name: str) -> None:
    lock = (ROOT / name).read_text()
    assert "/" not in lock
    assert not re.search(r"^-", lock, re.MULTILINE), "an option may hide an address"
    for pinned in re.split(r"\n(?=\S)", lock)[1:]:
        assert pinned.startswith("#") or "--hash=sha256:" in pinned


def test_every_dependency_has_its_reason() -> None:
    page = (ROOT / "docs/decisions/0001-dependencies.md").read_text()
    assert {name for name in names(RUN + DEVELOP + EXTRA) if f"| {name} |" not in page} == set()
