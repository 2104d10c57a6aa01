"""The verifier twice: the package that is edited, and the one file that is shipped.

They must say the same of every log and file that the tests have, so the tests ask both.
"""

import contextlib
import io
import re
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from cmbs import verify
from cmbs.verify.build import one_file

_SECONDS = re.compile(r" in [0-9.]+ s: ")


@cache
def shipped() -> ModuleType:
    """The one file as a module, which shares nothing with the package."""
    module = ModuleType("verify")
    exec(compile(one_file(), "verify.py", "exec"), module.__dict__)
    return module


def says(*arguments: object) -> tuple[int, str, str]:
    """The status of a command, its output and its errors: of both, which agree."""
    package, file = (_said(one, [*map(str, arguments)]) for one in (verify, shipped()))
    assert package == file
    return package


class Both:
    """The same log, replayed by both."""

    def __init__(self, session_id: object = None, bundle: Any = None) -> None:
        name = None if session_id is None else str(session_id)
        self._package = verify.Log(session_id=name, bundle=bundle)
        self._file = shipped().Log(session_id=name, bundle=bundle)

    def feed(self, line: bytes) -> tuple[int, str] | None:
        """The fault that both find, if there is one."""
        package, file = self._fed(self._package, line), self._fed(self._file, line)
        assert package == file
        return None if isinstance(package, verify.Event) else package

    @staticmethod
    def _fed(log: Any, line: bytes) -> Any:
        try:
            return log.feed(line)
        except (verify.Fault, shipped().Fault) as fault:
            return fault.seq, fault.reason


def fault(
    lines: list[bytes], session_id: object = None, bundle: Any = None
) -> tuple[int, str] | None:
    """What is wrong with a log, as both say it: line by line, and as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.ndjson")
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        says("--json", "--snapshot", path)
    both = Both(session_id, bundle)
    return next(filter(None, map(both.feed, lines)), None)


def _said(program: ModuleType, arguments: list[str]) -> tuple[int, str, str]:
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            status = program.main(arguments, prog="verify.py")
        except SystemExit as stopped:
            status = int(str(stopped.code))
    return status, *(_SECONDS.sub(" in 0 s: ", one.getvalue()) for one in (out, errors))
