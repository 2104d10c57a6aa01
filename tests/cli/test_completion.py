"""What `cmbs completion` prints, in the shells that it is for."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.commands import run_here


def script(shell: str) -> str:
    done = run_here("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def shell(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def answered(command: list[str], sent: str, folder: Path) -> list[str]:
    """The words that the shell prints, one a line."""
    done = subprocess.run(
        command,
        input=sent,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


_ASKED = """
"$(complete -p cmbs | grep -o -- "-F [^ ]*" | cut -c4-)"
printf "%s\\n" "${COMPREPLY[@]}"
"""
CASES = [
    (["ver"], ["verify"]),
    (["inbox", "a"], ["approve"]),
    (["tee", "mirror", "st"], ["status"]),
    (["sessions", "--st"], ["--state"]),
    (["verify", "--al"], ["--all"]),
]


@pytest.mark.parametrize(("words", "found"), CASES)
def test_bash(words: list[str], found: list[str], tmp_path: Path) -> None:
    listed = " ".join(["cmbs", *words])
    sent = f"{script('bash')}\nCOMP_WORDS=({listed}) COMP_CWORD={len(words)}\n{_ASKED}"
    assert answered([shell("bash"), "--norc"], sent, tmp_path) == found


def test_bash_completes_files(tmp_path: Path) -> None:
    (tmp_path / "sessions.zip").touch()
    sent = f"{script('bash')}\nCOMP_WORDS=(cmbs import sess) COMP_CWORD=2\n{_ASKED}"
    assert "sessions.zip" in answered([shell("bash"), "--norc"], sent, tmp_path)


@pytest.mark.parametrize(("words", "found"), CASES)
def test_fish(words: list[str], found: list[str], tmp_path: Path) -> None:
    program = shell("fish")
    (tmp_path / "cmbs.fish").write_text(script("fish"))
    line = " ".join(["cmbs", *words])
    sent = f"source cmbs.fish\ncomplete -C '{line}' | string split -f1 \\t\n"
    assert answered([program, "--no-config"], sent, tmp_path) == found


@pytest.mark.parametrize(("words", "found"), CASES)
def test_zsh(words: list[str], found: list[str], tmp_path: Path) -> None:
    program = shell("zsh")
    (tmp_path / "_cmbs").write_text(script("zsh"))
    setup = f"fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e"
    line = " ".join(["cmbs", *words])
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(program, ["zsh", "-f", "-i"], {"PATH": os.environ["PATH"], "TERM": "dumb"})
    try:
        os.write(terminal, f"{setup}; echo REA''DY\n".encode())
        until(terminal, "\nREADY")
        # What stands there after the tab is shown by the echo that is put before it.
        os.write(terminal, f"{line}\t\x01echo FOUND \x05\n".encode())
        shown = until(terminal, r"\nFOUND ([^\r\n]+)")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
    assert shown[1].split()[-1:] == found


def until(terminal: int, pattern: str) -> re.Match[str]:
    """What a terminal shows, as soon as it shows this."""
    shown, deadline = "", time.monotonic() + 30
    while not (found := re.search(pattern, shown)):
        ready, _, _ = select.select([terminal], [], [], deadline - time.monotonic())
        assert ready, shown
        shown += os.read(terminal, 65536).decode(errors="replace")
    return found
