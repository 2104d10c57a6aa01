"""`cmbs demo`: a program of examples/ talks to a server, over HTTP and as a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cmbs import resources


class DemoError(Exception):
    """The demonstration cannot begin; the text is one clear sentence."""


def run(url: str | None) -> int:
    """Run the program against this server, or against one that ends with it; its status."""
    # What was begun is also ended when somebody ends us.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    env = dict(os.environ)
    if not url:
        # It is of another server, and one without principals knows no token.
        env.pop("CMBS_TOKEN", None)
    with contextlib.nullcontext(url) if url else _server_of_its_own() as address:
        # -I: the program needs nothing of what is installed here.
        program = resources.examples_dir() / "replay_demo.py"
        return subprocess.call([sys.executable, "-I", str(program), address], env=env)


@contextlib.contextmanager
def _server_of_its_own() -> Iterator[str]:
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
            yield said[3]
        finally:
            server.terminate()
            server.communicate()
