#!/usr/bin/env python3
"""Run CMBS from a checkout with nothing but Python 3.11 or newer.

    python3 run.py serve        start the server on its own PostgreSQL
    python3 run.py test [...]   run the tests on all cores; what follows goes to pytest
    python3 run.py COMMAND ...  any other cmbs command; --help lists them

The first start makes a virtual environment beside this file (or where CMBS_VENV says) and installs
requirements.lock into it, the first test what requirements-dev.lock names beyond that; later starts
only look whether that is still true. pip fetches uv, which installs; where it cannot, pip does.
"""

import sys

# Before anything an older Python could not import or define.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("run.py: CMBS needs Python 3.11 or newer and this is " + sys.version.split()[0])
if sys.platform == "win32":
    sys.exit("run.py: CMBS runs on Linux and macOS; on Windows, use WSL")

import ast
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LOCK = ROOT / "requirements.lock"
# All of that and what the tests need.
DEV_LOCK = ROOT / "requirements-dev.lock"
STAMP = "cmbs-stamp"


class BootstrapError(Exception):
    """Something the user can mend; its text is the one sentence they read."""


class UnreachableError(BootstrapError):
    """There is no network, so nothing else is worth trying."""


def main(args: list[str]) -> None:
    target = Path(os.environ.get("CMBS_VENV") or ROOT / ".venv").absolute()
    lock = DEV_LOCK if args[:1] == ["test"] else LOCK
    if not is_current(target, lock):
        prepare(target, lock)
    python = str(target / "bin" / "python")
    # uv leaves compiling to the first import: unless that is kept, every start would do it again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if args[:1] == ["test"]:
        # The configuration and the default test folder are found from the working directory.
        os.chdir(ROOT)
        # One more than there are cores: some tests wait. Who has no test left takes over others'.
        spread = [f"--numprocesses={cores() + 1}", "--dist=worksteal"]
        os.execv(python, [python, "-m", "pytest", *spread, *args[1:]])
    # -P keeps a folder named cmbs in the caller's working directory from being imported.
    os.execv(python, [python, "-P", "-m", "cmbs", *args])


def cores() -> int:
    """How many of the machine's are ours."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


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
    pip = pip_for(python, env)
    if not installed_by_uv(pip, env, python, lock):
        install_by_pip([*pip, "--python", python], env, lock)


# What is installed is what the lock names, and no source distribution: it would run build code
# that no hash covers.
CHECKED = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement")


def install_by_pip(pip: list[str], env: dict[str, str], lock: Path, *options: str) -> None:
    command = [*pip, "install", "--quiet", "--no-input", *options, *CHECKED, str(lock)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    if "Retrying (" in done.stderr or "ConnectionError" in done.stderr:
        raise UnreachableError(
            "the package index cannot be reached; the first start needs a network"
        )
    reason = errors[-1].removeprefix("ERROR: ") if errors else f"status {done.returncode}"
    raise BootstrapError(f"pip could not install {lock.name}: {reason}")


def installed_by_uv(pip: list[str], env: dict[str, str], python: str, lock: Path) -> bool:
    """Install with uv, which takes a tenth of pip's time; it is pinned by the lock of the tests."""
    pinned = re.search(r"^uv==.*(?:\n +--hash=.*)*", DEV_LOCK.read_text(), re.MULTILINE)
    if not pinned:
        return False
    with tempfile.TemporaryDirectory(prefix="uv-", dir=Path(python).parents[1]) as scratch:
        only_uv, folder = Path(scratch, "uv.lock"), Path(scratch, "uv")
        only_uv.write_text(pinned[0] + "\n")
        pipe = subprocess.PIPE
        with subprocess.Popen([*pip, "config", "list"], env=env, stdout=pipe, text=True) as asked:
            try:
                install_by_pip(pip, env, only_uv, "--target", str(folder))
            except UnreachableError:
                raise
            except BootstrapError:
                # There is none for this machine.
                return False
            told = uv_settings(asked.communicate()[0])
        # Whatever an index offers, only what has the hash is taken.
        command = [str(folder / "bin" / "uv"), "pip", "install", "--quiet", "--python", python]
        command += ["--index-strategy", "unsafe-best-match", *CHECKED, str(lock)]
        done = subprocess.run(command, env=told | env, stderr=pipe, text=True, errors="replace")
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0]
        print(f"run.py: uv could not install, so pip does: {reason}", file=sys.stderr)
    return done.returncode == 0


# What pip is told of indexes, as uv calls it. Both read lists; pip's are divided by white space.
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "no-index": "UV_NO_INDEX",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}


def uv_settings(configuration: str) -> dict[str, str]:
    """Whoever told pip where packages come from need not tell uv again."""
    told = {}
    # What a later section says replaces what an earlier one did.
    for section in ("global.", "install.", ":env:."):
        for line in configuration.splitlines():
            name, _, value = line.partition("=")
            uv_name = UV_NAMES.get(name.removeprefix(section))
            if uv_name and name.startswith(section):
                divider = "," if uv_name == "UV_FIND_LINKS" else " "
                told[uv_name] = divider.join(str(ast.literal_eval(value)).split())
    return told


def pip_for(python: str, env: dict[str, str]) -> list[str]:
    """The pip of this interpreter when it can install elsewhere, else one from ensurepip."""
    try:
        version = importlib.metadata.version("pip").split(".")
    except importlib.metadata.PackageNotFoundError:
        version = ["0", "0"]
    if (int(version[0]), int(version[1])) >= (22, 3):
        return [sys.executable, "-m", "pip"]
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
