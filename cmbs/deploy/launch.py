"""Starts the postmaster so that it never outlives the process that owns it.

Also the program in between: `python launch.py OWNER_PID UID GID postgres ARGUMENT...` becomes the
postmaster. The death signal has to be asked for after the change of user, which clears it, and
code between fork and exec of a threaded process may deadlock; hence a program, with the standard
library alone.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO

_PR_SET_PDEATHSIG = 1


def in_lasting_thread(
    command: list[str],
    env: dict[str, str],
    output: IO[bytes],
    keep: "Callable[[subprocess.Popen[bytes]], None]",
) -> None:
    """Start `command` from a thread that lives as long as it does, and `keep` the process.

    Linux sends the death signal when the starting *thread* ends, and a web server may well start
    us from a worker thread. The thread also reaps the process the moment it dies.
    """
    is_decided, errors = threading.Event(), list[OSError]()

    def run() -> None:
        try:
            process = subprocess.Popen(
                command,
                cwd="/",
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # Ctrl-C on the terminal is the owner's to handle.
                start_new_session=True,
            )
        except OSError as error:
            errors.append(error)
        else:
            keep(process)
        is_decided.set()
        if not errors:
            process.wait()

    thread = threading.Thread(target=run, name="postmaster", daemon=True)
    try:
        thread.start()
        is_decided.wait()
    except BaseException:
        # A signal ends us, perhaps before the thread began; our end has to find the process.
        is_decided.wait(timeout=10)
        raise
    if errors:
        raise errors[0]


def become_postmaster() -> None:
    owner, uid, gid = (int(argument) for argument in sys.argv[1:4])
    libc = ctypes.CDLL(None)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    # The owner may have died before the signal was asked for.
    if os.getppid() != owner:
        sys.exit("the process that wanted this server is gone")
    os.execv(sys.argv[4], sys.argv[4:])


if __name__ == "__main__":
    become_postmaster()
