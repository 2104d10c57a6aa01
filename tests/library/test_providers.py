"""Providers that installed packages offer."""

import os
import shutil
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

from cmbs.deploy.resources import examples_dir
from cmbs.spi import HypothesisProvider, discover_providers
from tests.support.servers import ROOT

EXAMPLE = examples_dir() / "provider"
TOLD = """
from cmbs.belief_state import BeliefState
from cmbs.spi import discover_providers

for name, provider in discover_providers().items():
    belief = BeliefState(provider())
    belief.apply_probe("first byte", "late")
    belief.apply_probe("second visit", "fast")
    print(name, provider.__module__, belief.survivors)
"""


def install(folder: Path, name: str, entry_points: str, **modules: str) -> None:
    """What an installer leaves of a package in a folder for packages."""
    described = folder / f"{name}-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (described / "entry_points.txt").write_text(f"[cmbs.hypotheses]\n{entry_points}\n")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_example_is_built_installed_and_found(tmp_path: Path) -> None:
    # Building leaves nothing behind in the folder that wheels carry.
    source, wheels, packages = (tmp_path / name for name in ("source", "wheels", "packages"))
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (wheel,) = wheels.iterdir()
    installer = [sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-index"]
    where = ["--python", sys.executable, "--target", str(packages), str(wheel)]
    subprocess.run([*installer, *where], check=True, capture_output=True, cwd=tmp_path)
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", TOLD],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout == "slow-page slow_page {'cold cache'}\n"


def test_the_example_is_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]
    module, _, name = offered["cmbs.hypotheses"]["slow-page"].partition(":")
    monkeypatch.syspath_prepend(EXAMPLE)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = getattr(__import__(module), name)()
    assert isinstance(made, HypothesisProvider)
    with pytest.raises(ValueError, match=r"one of \['early', 'late'\]"):
        made.apply_probe("first byte", "never")
    for probe_id in made.probe_ids():
        for answer in sys.modules[module].RULED_OUT[probe_id]:
            assert made.apply_probe(probe_id, answer).keys() <= made.hypothesis_ids()


def test_names_and_classes(packages: Path) -> None:
    install(
        packages,
        "one",
        "a = of_one:A\nb = of_one:B.Inner",
        of_one="class A: ...\nclass B:\n  class Inner: ...\n",
    )
    install(packages, "two", "c = of_two:C", of_two="class C: ...\n")
    found = {name: provider.__qualname__ for name, provider in discover_providers().items()}
    assert found == {"a": "A", "b": "B.Inner", "c": "C"}


def test_nothing_is_installed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert discover_providers() == {}


BROKEN = {
    "no module": ("of_nobody:Provider", "ModuleNotFoundError: No module named 'of_nobody'"),
    "no class": ("fine:Missing", "AttributeError: module 'fine' has no attribute 'Missing'"),
    "an error": ("raises:Provider", "ZeroDivisionError: division by zero"),
    "no program": ("no_python:Provider", "SyntaxError: "),
    "the end": ("ends:Provider", "SystemExit: 3"),
    "a table": ("fine:TABLE", "TypeError: it is no class"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_one_that_is_broken_is_reported_and_left_out(packages: Path, broken: str) -> None:
    value, error = BROKEN[broken]
    install(
        packages,
        "a-broken",
        f"broken = {value}",
        raises="1 / 0\n",
        no_python="class\n",
        ends="raise SystemExit(3)\n",
    )
    install(packages, "b-fine", "fine = fine:Fine", fine="TABLE = {}\nclass Fine: ...\n")
    with pytest.warns(RuntimeWarning) as told:
        found = discover_providers()
    assert list(found) == ["fine"]
    (warning,) = told
    sentence = f"the provider 'broken' ({value}) cannot be imported and is left out: {error}"
    assert str(warning.message).startswith(sentence)
    assert warning.filename == __file__, "it points to who asked"


def test_of_two_with_one_name_one_is_reported(packages: Path) -> None:
    install(packages, "one", "same = same_one:A", same_one="class A: ...\n")
    install(packages, "two", "same = same_two:B", same_two="class B: ...\n")
    with pytest.warns(RuntimeWarning, match="another package offers one of this name"):
        found = discover_providers()
    assert [*found] == ["same"]
    assert found["same"].__name__ in "AB"
