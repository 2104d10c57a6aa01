#!/usr/bin/env python3
"""Run CMBS from a checkout with nothing but Python 3.11 or newer.

    python3 run.py serve        start the server on its own PostgreSQL
    python3 run.py test [...]   run the tests; what follows goes to pytest
    python3 run.py COMMAND ...  any other cmbs command; --help lists them

The first start makes a virtual environment beside this file (or where CMBS_VENV says) and installs
requirements.lock into it, the first test what requirements-dev.lock names beyond that; later starts
only look whether that is still true.
"""

import sys

# Before anything an older Python could not import or define.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("run.py: CMBS needs Python 3.11 or newer and this is " + sys.version.split()[0])
if sys.platform == "win32":
    sys.exit("run.py: CMBS runs on Linux and macOS; on Windows, use WSL")

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LOCK = ROOT / "requirements.lock"
# All of that and what the tests need.
DEV_LOCK = ROOT / "requirements-dev.lock"
STAMP = "cmbs-stamp"


class BootstrapError(Exception):
    """Something the user can mend; its text is the one sentence they read."""


def main(args: list[str]) -> None:
    target = Path(os.environ.get("CMBS_VENV") or ROOT / ".venv").absolute()
    lock = DEV_LOCK if args[:1] == ["test"] else LOCK
    if not is_current(target, lock):
        prepare(target, lock)
    python = str(target / "bin" / "python")
    if args[:1] == ["test"]:
        # The configuration and the default test folder are found from the working directory.
        os.chdir(ROOT)
        os.execv(python, [python, "-m", "pytest", *args[1:]])
    # -P keeps a folder named cmbs in the caller's working directory from being imported.
    os.execv(python, [python, "-P", "-m", "cmbs", *args])


def expected_stamp(lock: Path) -> str:
    """Everything that makes an environment unusable for us when it differs."""
    interpreter = f"{sys.version} {sys.base_prefix} {sysconfig.get_platform()} {ROOT}"
    return hashlib.sha256(lock.read_bytes() + os.fsencode(interpreter)).hexdigest()


def is_current(target: Path, lock: Path) -> bool:
    try:
        return expected_stamp(lock) in (target / STAMP).read_text().split()
    except FileNotFoundError:
        return False


def prepare(target: Path, lock: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target.with_name(target.name + ".lock"), "w") as guard:
        # Of two first starts one installs and the other waits for it.
        fcntl.flock(guard, fcntl.LOCK_EX)
        if is_current(target, lock):
            return
        if target.is_dir() and any(target.iterdir()) and not (target / "pyvenv.cfg").exists():
            raise BootstrapError(
                f"{target} is not a virtual environment, so it will not be overwritten"
            )
        print(f"run.py: installing {lock.name} into {target} (once)", file=sys.stderr)
        # A server may be running from what is there: it is only added to, if it is current.
        if not is_current(target, LOCK):
            make(target)
        install(target, lock)
        fresh = target / f"{STAMP}.new"
        fresh.write_text("".join(f"{expected_stamp(one)}\n" for one in {LOCK, lock}))
        fresh.rename(target / STAMP)


def make(target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    venv.EnvBuilder(symlinks=True).create(target)
    scheme = {"base": str(target), "platbase": str(target)}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    # The project itself needs no build: its folder goes on the import path.
    (packages / "cmbs.pth").write_text(f"{ROOT}\n")


def install(target: Path, lock: Path) -> None:
    python = str(target / "bin" / "python")
    # Where a configured --user or an inherited path would send the packages elsewhere.
    env = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    env.pop("PYTHONPATH", None)
    command = [
        *pip_for(python, env),
        *("install", "--quiet", "--no-input", "--no-deps", "--require-hashes"),
        # A source distribution would run build code that no hash covers.
        *("--only-binary", ":all:", "--requirement", str(lock)),
    ]
    done = subprocess.run(command, env=env, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode == 0:
        return
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    if "Retrying (" in done.stderr or "ConnectionError" in done.stderr:
        raise BootstrapError("the package index cannot be reached; the first start needs a network")
    reason = errors[-1].removeprefix("ERROR: ") if errors else f"status {done.returncode}"
    raise BootstrapError(f"pip could not install {lock.name}: {reason}")


def pip_for(python: str, env: dict[str, str]) -> list[str]:
    """The pip of this interpreter when it can install elsewhere, else one from ensurepip."""
    try:
        version = importlib.metadata.version("pip").split(".")
    except importlib.metadata.PackageNotFoundError:
        version = ["0", "0"]
    if (int(version[0]), int(version[1])) >= (22, 3):
        return [sys.executable, "-m", "pip", "--python", python]
    if importlib.util.find_spec("ensurepip") is None:
        raise BootstrapError(
            "this Python has neither pip nor ensurepip; install python3-venv or pip"
        )
    subprocess.run([python, "-m", "ensurepip"], env=env, check=True, capture_output=True)
    return [python, "-m", "pip"]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BootstrapError as failure:
        sys.exit(f"run.py: {failure}")
    except KeyboardInterrupt:
        sys.exit("run.py: interrupted")
    except PermissionError as error:
        sys.exit(
            f"run.py: no permission to write {error.filename}; "
            "set CMBS_VENV to a folder of your own for the virtual environment"
        )
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"run.py: {error}")
