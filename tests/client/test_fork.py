"""A client that a fork has copied speaks over connections of its own."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

SCRIPT = """
import os, sys
from cmbs.client import Client

with Client(sys.argv[1]) as client:
    client.healthz()
    copied = client._http
    child = os.fork()
    assert client.healthz().status == "ok"
    if child == 0:
        assert client._http is not copied
        os._exit(0)
    assert client._http is copied
    assert os.waitpid(child, 0)[1] == 0
"""


def test_the_child_connects_anew(site: SimpleNamespace) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, site.address],
        cwd=Path(__file__).resolve().parent.parent.parent,
        env=os.environ,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
