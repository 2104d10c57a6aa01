"""Run tests in a scratch copy of a checkout, and say what came of it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal, NamedTuple

from tests.mutants.fault import Fault, planted

SECONDS = 180
_OPTIONS = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--tb=short", "--color=no", "--show-capture=no"),
)
_STATUS = re.compile(r"^(PASSED|FAILED|ERROR) (tests/.*)$", re.MULTILINE)
# The fixture of tests/conftest.py that deploys the schema.
_DEPLOYMENT = re.compile(r"^tests/conftest\.py:\d+: in _load$", re.MULTILINE)
# What PostgreSQL and Python say of code that makes no sense, which no test is needed for.
_NONSENSE = re.compile(
    r"^E +(?:\S*\.)?(?:SyntaxError|IndentationError|ImportError|ModuleNotFoundError|NameError"
    r"|UndefinedColumn|UndefinedFunction|UndefinedTable|UndefinedParameter|AmbiguousColumn"
    r"|DatatypeMismatch|InvalidColumnReference|GroupingError)\b.*$",
    re.MULTILINE,
)

Verdict = Literal["caught", "SURVIVED", "BAD FAULT", "not there"]


class Result(NamedTuple):
    verdict: Verdict
    seconds: float
    why: str


class Ran(NamedTuple):
    code: int | None
    output: str

    def named(self, *statuses: str) -> list[str]:
        """The tests of which the summary says this."""
        found = (line for status, line in _STATUS.findall(self.output) if status in statuses)
        return [line.split(" - ", 1)[0] for line in found]

    def not_found(self) -> list[str]:
        """What was to be run and is not there, such as a case of a test that has others."""
        return re.findall(r"^ERROR: not found: (.*)$", self.output, re.MULTILINE)


def copy(root: Path, scratch: Path) -> None:
    """The tracked files as they lie there; links, such as `cmbs/api`, stay links."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.split("\0"):
        if name and os.path.lexists(root / name):
            target = scratch / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target, follow_symlinks=False)


def imported(scratch: Path) -> str | None:
    """What is imported from elsewhere, by this process's own or by one that a test starts."""
    for code in ("import cmbs.api", "import cmbs.cli; import cmbs.api.app"):
        code += "; print(cmbs.__file__); print(cmbs.api.__file__)"
        run = subprocess.run(
            [sys.executable, "-c", code], cwd="/", env=_environment(scratch), capture_output=True
        )
        if run.returncode != 0:
            return run.stderr.decode()
        for line in run.stdout.decode().splitlines():
            if not Path(line).resolve().is_relative_to(scratch.resolve()):
                return line
    return None


def pytest(scratch: Path, *arguments: str, seconds: float = SECONDS) -> Ran:
    """The code is None when the time was up."""
    command = [sys.executable, "-m", "pytest", *_OPTIONS, *arguments]
    with subprocess.Popen(
        command,
        cwd=scratch,
        env=_environment(scratch),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return Ran(None, process.communicate()[0].decode(errors="replace"))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    # What one fault taught Hypothesis is not for the next.
    shutil.rmtree(scratch / ".hypothesis", ignore_errors=True)
    return Ran(process.returncode, output.decode(errors="replace"))


def try_fault(fault: Fault, scratch: Path) -> Result:
    path = scratch / fault.path
    original = path.read_text()
    text = planted(fault, original)
    if text is None:
        return Result("not there", 0, "its text")
    start = time.monotonic()
    write(path, text)
    try:
        ran = pytest(scratch, "-x", "-rfE", *fault.tests)
    finally:
        write(path, original)
    return judged(ran, time.monotonic() - start)


def judged(ran: Ran, seconds: float) -> Result:
    if ran.code is None:
        return Result("caught", seconds, f"timeout: the tests hung for {SECONDS} seconds")
    if ran.code == 0:
        return Result("SURVIVED", seconds, "its tests pass")
    noticed = ran.named("FAILED", "ERROR")
    nonsense = _NONSENSE.search(ran.output)
    if ran.code != 1 or not noticed:
        return Result("BAD FAULT", seconds, f"pytest exits {ran.code}: {_last(ran.output)}")
    if "::" not in noticed[0]:
        return Result("BAD FAULT", seconds, f"{noticed[0]} cannot be collected")
    if _DEPLOYMENT.search(ran.output):
        return Result("BAD FAULT", seconds, "the schema cannot be deployed")
    if nonsense:
        return Result("BAD FAULT", seconds, f"it makes no sense: {nonsense.group()[1:].strip()}")
    return Result("caught", seconds, noticed[0])


def write(path: Path, text: str) -> None:
    """Python takes compiled code for current by the second and the size, which may be the same."""
    path.write_text(text)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def _last(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1] if lines else "it says nothing"


def _environment(scratch: Path) -> dict[str, str]:
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "CMBS_NO_SKIPS", "PYTEST_ADDOPTS")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    # Before the checkout that the virtual environment knows, and for what a test starts as well.
    return kept | {"PYTHONPATH": str(scratch)}
