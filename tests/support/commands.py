"""Commands run in this process: what they say and do, without the time that a start takes."""

import functools
import io
import re
import subprocess
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout

import pytest

from cmbs.cli import main

Run = Callable[..., subprocess.CompletedProcess[str]]


def run_here(
    *arguments: str, url: str | None = None, sent: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """A command, on a database if one is given, where `sent` comes in."""
    given = [*arguments, "--database-url", url] if url else [*arguments]
    out, err = io.StringIO(), io.StringIO()
    came_in = io.TextIOWrapper(io.BytesIO(sent.encode()))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.stdin", came_in)
        for name in ("CMBS_CAPABILITY_TOKEN", "CMBS_WEBHOOK_SECRET", "DATABASE_URL"):
            patch.delenv(name, raising=False)
        for name, value in env.items():
            patch.setenv(name, value)
        try:
            status = main(given)
        except SystemExit as end:
            status = int(str(end.code))
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def on(database: str) -> Run:
    """What runs commands on a database."""
    return functools.partial(run_here, url=database)


def table(stdout: str) -> list[dict[str, str]]:
    """The rows of a table, each with what stands under the headers."""
    headers, *rows = (re.split(" {2,}", line) for line in stdout.splitlines())
    return [dict(zip(headers, row, strict=True)) for row in rows]


def fields(stdout: str) -> dict[str, str]:
    """The values of an answer by their labels."""
    lines = (line.partition("  ") for line in stdout.splitlines())
    return {label: value.lstrip(" ") for label, _, value in lines}
