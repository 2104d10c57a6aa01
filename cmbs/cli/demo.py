"""`cmbs demo`: a program of examples/ talks to a server, over HTTP and as a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cmbs.common.failure import Failure
from cmbs.deploy import resources


class DemoError(Failure):
    """The demonstration cannot begin; the text is one clear sentence."""


def run(url: str | None, story: str, program: str) -> int:
    """Run the program against this server, or against one that ends with it; its status."""
    # What was begun is also ended when somebody ends us.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    env = dict(os.environ)
    with contextlib.ExitStack() as stack:
        if not url:
            # The token is of another server, and one without principals knows none.
            env.pop("CMBS_TOKEN", None)
            url, data_dir = stack.enter_context(_server_of_its_own())
            if story == "gated-agent":
                env["CMBS_TOKEN"] = _administrator(data_dir)
        # -I: the program needs nothing of what is installed here.
        path = resources.examples_dir() / program
        return subprocess.call([sys.executable, "-I", str(path), url], env=env)


def _administrator(data_dir: Path) -> str:
    """The token of a first principal, who makes the others."""
    for arguments in (
        ("principal", "create", "demo", "--role", "admin"),
        ("token", "create", "demo"),
    ):
        command = [sys.executable, "-P", "-m", "cmbs", *arguments, "--data-dir", str(data_dir)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise DemoError(f"the server took no principal: {done.stderr.strip()}")
    return done.stdout.strip()


@contextlib.contextmanager
def _server_of_its_own() -> Iterator[tuple[str, Path]]:
    # Root's PostgreSQL runs as another account, and a path to a socket must be short.
    with tempfile.TemporaryDirectory(prefix="cmbs-demo-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        command = [sys.executable, "-P", "-m", "cmbs", "serve", "--port", "0"]
        with open(folder / "log", "wb") as log:
            server = subprocess.Popen(
                [*command, "--data-dir", str(folder / "data")],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # Ctrl-C is ours to handle: the server ends after its client.
                start_new_session=True,
            )
        try:
            print(f"cmbs: a server in {folder} runs for as long as this takes", file=sys.stderr)
            assert server.stdout is not None
            said = server.stdout.readline().split()
            if not said:
                raise DemoError(f"the server did not start: {(folder / 'log').read_text().strip()}")
            # CMBS is ready: ADDRESS (documentation: ...)
            yield said[3], folder / "data"
        finally:
            server.terminate()
            server.communicate()
