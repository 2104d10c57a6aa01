"""The one file that is shipped: it says what the package says, or is not built."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cmbs.verify import build
from tests.support import bundles
from tests.support.servers import ROOT
from tests.verify.shipped import says
from tests.verify.test_file import HEAD, LINES

PACKAGE = ROOT / "cmbs" / "verify"


@pytest.fixture
def folder(tmp_path: Path, program: Path) -> Path:
    """The file alone with a log, a shorter one, a bundle and a forged log."""
    shutil.copy(program, tmp_path)
    (tmp_path / "log.ndjson").write_bytes(b"".join(LINES))
    (tmp_path / "short.ndjson").write_bytes(b"".join(LINES[:-1]))
    (tmp_path / "logs.zip").write_bytes(bundles.zipped(bundles.members([LINES])))
    forged = b"".join(LINES).replace(b"disk_full", b"disk_fulL", 1)
    (tmp_path / "forged.ndjson").write_bytes(forged)
    return tmp_path


COMMANDS = (
    (),
    ("--help",),
    ("--no-such",),
    ("nothing",),
    ("verify.py",),
    ("log.ndjson",),
    ("logs.zip",),
    ("forged.ndjson",),
    ("--json", "log.ndjson"),
    ("--json", "logs.zip"),
    ("--json", "forged.ndjson"),
    ("--snapshot", "log.ndjson"),
    ("--snapshot", "--json", "logs.zip"),
    ("--head", HEAD, "log.ndjson"),
    ("--head", HEAD, "short.ndjson"),
    ("--head", HEAD, "logs.zip"),
    ("--head", "x", "log.ndjson"),
)


def test_both_say_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(folder)
    found = set()
    for arguments in COMMANDS:
        with subtests.test(" ".join(arguments)):
            found.add(says(*arguments)[0])
    assert found == {0, 1, 2}


@pytest.mark.parametrize("arguments", [("log.ndjson",), ("--help",), ("--head", "x", "log.ndjson")])
def test_both_say_the_same_as_programs(folder: Path, arguments: tuple[str, ...]) -> None:
    """The file with nothing around it, and the package with nothing installed."""
    package = f"import sys; sys.path.append({str(ROOT)!r}); from runpy import run_module; "
    package += "run_module('cmbs.verify', run_name='__main__')"
    done = [
        subprocess.run(
            [sys.executable, "-I", "-S", *program, *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        for program in (["verify.py"], ["-c", package])
    ]
    file, package_itself = (
        (one.returncode, one.stdout.partition(" in ")[0], one.stderr) for one in done
    )
    assert file == package_itself
    assert "Traceback" not in file[2]


def test_the_command_writes_it(folder: Path) -> None:
    written = []
    for name in ("one.py", "two.py"):
        command = [sys.executable, "-S", "-m", "cmbs.verify.build", str(folder / name)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        written.append((folder / name).read_bytes())
    assert written[0] == written[1] == (folder / "verify.py").read_bytes()


def test_what_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("python -m cmbs.verify.build: ")


def test_it_can_be_read() -> None:
    """Each module is there once, as it is, under its name; imports are at the top alone."""
    text = build.one_file()
    for path in PACKAGE.glob("*.py"):
        last = path.read_text().rstrip().rpartition("\n\n")[2]
        is_apart = path.stem in ("__init__", "__main__", "build")
        assert (text.count(f"\n# {path.name}\n# ") == 0) is is_apart
        assert is_apart or last in text
    found = imports(text)
    assert {package for package, _ in found} <= sys.stdlib_module_names
    assert max(line for _, line in found) < text[: text.index("\n# errors.py")].count("\n") + 1
    assert max(map(len, text.splitlines())) <= 100


def test_the_package_imports_itself_and_the_standard_library() -> None:
    """No line is shared with the kernel, or with the kernel in Python."""
    for path in PACKAGE.glob("*.py"):
        for name, line in imports(path.read_text()):
            is_ours = name == "cmbs.verify" or name.startswith("cmbs.verify.")
            assert is_ours or name in sys.stdlib_module_names, f"{path.name}:{line}: {name}"


def imports(text: str) -> list[tuple[str, int]]:
    """What is imported, wherever it is, as a name of the package or as a package; and the line."""

    def found() -> Iterator[tuple[str, int]]:
        for node in ast.walk(ast.parse(text)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = ["." * node.level + str(node.module)]
            for name in names:
                ours = name == "cmbs" or name.startswith("cmbs.")
                yield name if ours else name.partition(".")[0], node.lineno

    return [*found()]


# What cannot be one file: a module, the text there, what stands in its place, and what is said.
UNFIT = {
    "one name of two modules": (
        "gates.py",
        "class Gates:",
        "class Tokens:\n    pass\n\n\nclass Gates:",
        "the name Tokens is of gates.py and of tokens.py",
    ),
    "a name that is imported elsewhere": (
        "gates.py",
        "class Gates:",
        "date = 7\n\n\nclass Gates:",
        "the name date is of datetime and of gates.py",
    ),
    "a package of others": (
        "gates.py",
        "from typing import Any",
        "import psycopg",
        "gates.py, line 3: psycopg is not of the standard library",
    ),
    "the kernel": (
        "gates.py",
        "from typing import Any",
        "from cmbs.belief_gates import termination",
        "gates.py, line 3: cmbs.belief_gates is not of the standard library",
    ),
    "a module beside it": (
        "gates.py",
        "from typing import Any",
        "from .text import canonical",
        "gates.py, line 3: .text is not of the standard library",
    ),
    "a module as a name": (
        "gates.py",
        "from typing import Any",
        "from cmbs.verify import text",
        "gates.py, line 3: cmbs.verify is not of the standard library",
    ),
    "another name": (
        "gates.py",
        "from typing import Any",
        "import typing as t",
        "gates.py, line 3: what is imported must keep its name",
    ),
    "a late import": (
        "gates.py",
        "        self.is_terminated = False",
        "        import json",
        "gates.py imports inside of something else, in line 10",
    ),
    "a name of nobody": (
        "claims.py",
        "import fold_reasons",
        "import fold_anew",
        "claims.py takes fold_anew from verdicts.py, which has none",
    ),
    "a circle": (
        "text.py",
        "import hashlib",
        "from cmbs.verify.shapes import is_id",
        "modules import each other: ",
    ),
    "a statement": (
        "gates.py",
        "class Gates:",
        "print()\n\n\nclass Gates:",
        "gates.py does more than define, in line 6",
    ),
    "no title": (
        "gates.py",
        '"""Obligations',
        '"""\nObligations\n\n',
        "gates.py does not begin with one line that says what it is",
    ),
}


def test_what_is_no_one_file(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, (module, old, new, said)) in enumerate(UNFIT.items()):
        with subtests.test(name):
            folder = tmp_path / str(number)
            shutil.copytree(PACKAGE, folder)
            text = (folder / module).read_text()
            assert old in text
            (folder / module).write_text(text.replace(old, new, 1))
            with pytest.raises(build.Unfit) as caught:
                build.one_file(folder)
            assert str(caught.value).startswith(said)


def test_a_module_that_nobody_needs(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    shutil.copytree(PACKAGE, folder)
    (folder / "zoo.py").write_text('"""Animals."""\n\nTIGER = 1\n')
    with pytest.raises(build.Unfit, match=r"zoo\.py is not needed by command\.py"):
        build.one_file(folder)
