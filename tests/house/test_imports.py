"""What a command imports: what it needs, so that it answers at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from cmbs.cli.commands import COMMANDS
from tests.support.servers import ROOT

# Run in a fresh interpreter: a command, and then the modules that it loaded.
PROGRAM = """
import contextlib, io, sys
# What the interpreter has loaded by itself, such as the hook of a distribution.
before = {*sys.modules} - {"cmbs"}
from cmbs import cli
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    cli.main(sys.argv[1:])
print(*sys.modules.keys() - before)
"""
# The driver; and what it takes along.
DRIVER = {"psycopg", "psycopg_binary", "cython_runtime", "typing_extensions"}
# What HTTP, gRPC and deployment need.
HEAVY = {"litestar", "uvicorn", "httpx", "grpc", "google", "alembic", "mako"}


def loaded(*arguments: str) -> tuple[int, set[str]]:
    """How many modules of ours a command loads, and which packages of others."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = done.stdout.split()
    tops = {module.partition(".")[0] for module in modules}
    others = {top for top in tops - sys.stdlib_module_names if not top.startswith("_")}
    return sum(module.startswith("cmbs") for module in modules), others - {"cmbs", "__main__"}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ()], ids=" ".join)
def test_help_imports_no_command(arguments: tuple[str, ...]) -> None:
    ours, others = loaded(*arguments)
    assert others == set()
    assert ours <= 7


@pytest.mark.slow("Python is started once for each command")
def test_the_help_of_a_command_imports_nothing_else(subtests: pytest.Subtests) -> None:
    for command in COMMANDS:
        with subtests.test(command):
            ours, others = loaded(command, "--help")
            assert others == set()
            assert ours <= 32


def test_a_file_needs_no_driver(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_text("{}\n")
    for command, most in (("verify", 36), ("replay", 39)):
        ours, others = loaded(command, str(log))
        assert others == set(), command
        assert ours <= most, command


def test_a_verb_needs_the_driver_alone(database: str) -> None:
    session = "00000000-0000-4000-8000-000000000000"
    for command in ("explain", "mode", "permit list", "inbox list"):
        given = [session] if command != "inbox list" else []
        ours, others = loaded(*command.split(), *given, "--database-url", database)
        # What was found is printed by rich; a session that is not there is one sentence.
        assert others <= DRIVER | ({"rich"} if command == "inbox list" else set()), command
        assert "psycopg" in others, command
        assert ours <= 40, command


def test_views_are_read_without_what_deploys_and_serves(database: str) -> None:
    for command in ("sessions", "status", "principal list", "webhook list"):
        ours, others = loaded(*command.split(), "--database-url", database)
        assert "sqlalchemy" in others, command
        assert others.isdisjoint(HEAVY | {"msgspec", "pygments", "shtab"}), command
        assert ours <= 48, command


def test_the_shell_has_one_name() -> None:
    # In a checkout its folder can be found under another.
    code = "import sys; sys.path.insert(0, '.'); import api.shell.answer"
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=ROOT, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.endswith(b"ImportError: import this package as cmbs.api\n")
