"""run.py in small checkouts of its own: nothing is downloaded, everything else is real."""

import hashlib
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers import ROOT, reachable_folder

# Not the environment these tests run in, which has no pip.
PYTHON = getattr(sys, "_base_executable", sys.executable)
ECHO = "import os, sys\nprint(sys.argv[1:], os.getcwd(), sys.prefix)\n"
# A requirement that no index needs to be asked about to know that it is missing.
ABSENT = f"cmbs-no-such-package==1 --hash=sha256:{'0' * 64}\n"


@pytest.fixture
def checkout() -> Iterator[Path]:
    with reachable_folder() as folder:
        shutil.copy(ROOT / "run.py", folder)
        for lock in ("requirements.lock", "requirements-dev.lock"):
            (folder / lock).write_text(f"# nothing in {lock}\n")
        (folder / "cmbs").mkdir()
        for module in ("cmbs/__main__.py", "pytest.py"):
            (folder / module).write_text(ECHO)
        (folder / "cmbs/__init__.py").touch()
        yield folder


def run(
    checkout: Path, *arguments: str, python: tuple[str, ...] = (PYTHON,), **env: str
) -> subprocess.CompletedProcess[str]:
    outside = {name: value for name, value in os.environ.items() if name != "CMBS_VENV"}
    return subprocess.run(
        [*python, str(checkout / "run.py"), *arguments],
        cwd="/",
        env={**outside, **env},
        capture_output=True,
        text=True,
    )


def test_the_first_start_installs_and_the_next_does_not(checkout: Path) -> None:
    first = run(checkout, "status", "--data-dir", "x y")
    assert first.stderr == (
        f"run.py: installing requirements.lock into {checkout / '.venv'} (once)\n"
    )
    assert first.stdout == f"['status', '--data-dir', 'x y'] / {checkout / '.venv'}\n"
    second = run(checkout, "status", "--data-dir", "x y")
    assert (second.returncode, second.stdout, second.stderr) == (0, first.stdout, "")


def test_tests_run_from_the_checkout(checkout: Path) -> None:
    done = run(checkout, "test", "-k", "one thing")
    n = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    given = [f"--numprocesses={(n or 1) + 1}", "--dist=worksteal", "-k", "one thing"]
    assert done.stdout == f"{given} {checkout} {checkout / '.venv'}\n"


@pytest.mark.nightly
def test_the_tools_of_the_tests_come_with_the_first_test(checkout: Path) -> None:
    run(checkout)
    (checkout / ".venv/kept").touch()
    where = f"into {checkout / '.venv'} (once)\n"
    assert run(checkout, "test").stderr == f"run.py: installing requirements-dev.lock {where}"
    assert (checkout / ".venv/kept").exists(), "a server may be running from it"
    assert run(checkout, "test").stderr == ""
    assert run(checkout).stderr == "", "what runs the tests also runs the server"
    (checkout / "requirements-dev.lock").write_text("# still nothing\n")
    assert run(checkout).stderr == "", "the server needs none of that"
    assert "requirements-dev.lock" in run(checkout, "test").stderr


@pytest.mark.nightly
def test_a_changed_lock_installs_again(checkout: Path) -> None:
    run(checkout)
    (checkout / "requirements.lock").write_text("# still nothing\n")
    assert "installing" in run(checkout).stderr
    assert run(checkout).stderr == ""


@pytest.mark.nightly
def test_an_interrupted_installation_is_made_again(checkout: Path) -> None:
    run(checkout)
    (checkout / ".venv/cmbs-stamp").unlink()
    (checkout / ".venv/half").touch()
    assert run(checkout).returncode == 0
    assert not (checkout / ".venv/half").exists()


def test_two_first_starts_install_once(checkout: Path) -> None:
    command = [PYTHON, str(checkout / "run.py")]
    env = {name: value for name, value in os.environ.items() if name != "CMBS_VENV"}
    pipe = subprocess.PIPE
    both = [subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe) for _ in range(2)]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(stderr.count(b"installing") for _, stderr in said) == 1


def test_the_environment_may_lie_elsewhere(checkout: Path, tmp_path: Path) -> None:
    done = run(checkout, CMBS_VENV=str(tmp_path / "deep" / "venv"))
    assert done.stdout == f"[] / {tmp_path / 'deep' / 'venv'}\n"
    assert not (checkout / ".venv").exists()


def test_a_folder_that_is_no_environment_is_never_emptied(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    done = run(checkout, CMBS_VENV=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        f"run.py: {tmp_path} is not a virtual environment, so it will not be overwritten\n"
    )
    assert (tmp_path / "precious").exists()


@pytest.mark.nightly
def test_no_network(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(ABSENT)
    # Port 9 of the loopback: refused at once, as without a network.
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull}
    done = run(checkout, **nowhere, PIP_RETRIES="1", PIP_EXTRA_INDEX_URL="", PIP_FIND_LINKS="")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "run.py: the package index cannot be reached; the first start needs a network"
    ]
    assert "installing" in run(checkout, **nowhere, PIP_RETRIES="0").stderr, "not taken for done"


def test_a_requirement_that_nobody_has(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(ABSENT)
    done = run(checkout, PIP_NO_INDEX="1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "run.py: pip could not install requirements.lock: "
        "No matching distribution found for cmbs-no-such-package==1"
    ]


def test_a_requirement_without_a_hash(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("cmbs-no-such-package==1\n")
    assert "run.py: pip could not install requirements.lock: " in run(checkout).stderr


# A uv that writes down how it is called, and ends as it is told to.
UV = """#!{python}
import json, os, sys
told = {{name: of for name, of in os.environ.items() if name.startswith("UV_")}}
with open({said!r}, "w") as said:
    json.dump([sys.argv[1:], told], said)
sys.exit({status!r})
"""


def with_uv(checkout: Path, status: int | str) -> tuple[Path, dict[str, str]]:
    """Pin a uv that is found beside the checkout; where it writes, and how pip is told of it."""
    said, wheels = checkout / "said", checkout / "wheels"
    wheels.mkdir()
    wheel = wheels / "uv-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        script = UV.format(python=PYTHON, said=str(said), status=status)
        program = zipfile.ZipInfo("uv-1.data/scripts/uv")
        program.external_attr = 0o100755 << 16
        made.writestr(program, script)
        made.writestr("uv-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 1\n")
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        made.writestr("uv-1.dist-info/WHEEL", tags)
        made.writestr("uv-1.dist-info/RECORD", "")
    pinned = f"uv==1 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    (checkout / "requirements-dev.lock").write_text(f"a==1\n{pinned}z==1\n")
    return said, {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_EXTRA_INDEX_URL": ""}


def test_uv_installs_what_pip_was_told_of(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(ABSENT)
    said, pip = with_uv(checkout, 0)
    done = run(checkout, **pip, PIP_TRUSTED_HOST="a b", UV_INDEX="of the user")
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1), "and pip was not asked"
    arguments, told = json.loads(said.read_text())
    assert arguments[-1] == str(checkout / "requirements.lock")
    assert {"--require-hashes", "--no-deps", "--only-binary"} <= {*arguments}
    assert arguments[arguments.index("--python") + 1] == str(checkout / ".venv/bin/python")
    assert told["UV_FIND_LINKS"] == str(checkout / "wheels")
    assert (told["UV_NO_INDEX"], told["UV_INSECURE_HOST"]) == ("1", "a b")
    assert told["UV_INDEX"] == "of the user"
    assert not list((checkout / ".venv").glob("uv-*")), "the server has no use for it"


@pytest.mark.nightly
def test_where_uv_fails_pip_installs(checkout: Path) -> None:
    said, pip = with_uv(checkout, "no such platform\nand so on")
    done = run(checkout, **pip)
    assert done.returncode == 0
    assert said.exists()
    assert done.stderr.splitlines()[1:] == [
        "run.py: uv could not install, so pip does: no such platform"
    ]


@pytest.mark.nightly
def test_another_uv_than_the_pinned_is_not_run(checkout: Path) -> None:
    said, pip = with_uv(checkout, 0)
    lock = checkout / "requirements-dev.lock"
    lock.write_text(re.sub("sha256:....", "sha256:0000", lock.read_text()))
    done = run(checkout, **pip)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert not said.exists()


def pretending(statement: str) -> tuple[str, ...]:
    """This interpreter with something about it changed."""
    start = "import runpy; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    return (PYTHON, "-c", f"import sys\n{statement}\n{start}")


def test_an_old_python(checkout: Path) -> None:
    done = run(checkout, python=pretending("sys.version_info = (3, 10, 1)"))
    assert done.returncode == 1
    assert done.stderr.startswith("run.py: CMBS needs Python 3.11 or newer and this is ")
    assert not (checkout / ".venv").exists()


NO_PIP = """
import importlib.metadata, importlib.util
def version(name): raise importlib.metadata.PackageNotFoundError(name)
importlib.metadata.version = version
"""


@pytest.mark.slow("installs pip")
@pytest.mark.nightly
def test_without_pip_ensurepip_will_do(checkout: Path) -> None:
    pytest.importorskip("ensurepip", reason="this Python has no ensurepip")
    assert run(checkout, python=pretending(NO_PIP)).returncode == 0


def test_neither_pip_nor_ensurepip(checkout: Path) -> None:
    neither = f"{NO_PIP}\nimportlib.util.find_spec = lambda name: None"
    done = run(checkout, python=pretending(neither))
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "run.py: this Python has neither pip nor ensurepip; install python3-venv or pip"
    ]


def test_a_checkout_of_somebody_else(checkout: Path) -> None:
    python = (PYTHON,)
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        # Imported while the interpreter's library, which may lie in root's home, can be read.
        modules = "ast, fcntl, hashlib, importlib.metadata, os, pkgutil, re, runpy, shutil"
        modules += ", sysconfig, tempfile, venv"
        switch = f"os.setgid({nobody.pw_gid}); os.setuid({nobody.pw_uid})"
        python = pretending(f"import {modules}; {switch}")
    else:
        checkout.chmod(0o555)
    try:
        done = run(checkout, python=python)
    finally:
        checkout.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr == (
        f"run.py: no permission to write {checkout / '.venv.lock'}; "
        "set CMBS_VENV to a folder of your own for the virtual environment\n"
    )
