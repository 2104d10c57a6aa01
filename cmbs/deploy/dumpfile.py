"""A dump in a file: whole, or recognisably not.

It is what pg_dump writes in its custom format, which pg_restore reads as it is, with a line at the
end, the seal, that holds the digest of all before it. A file that was cut, or changed later, has no
seal or one that does not fit.
"""

import contextlib
import hashlib
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cmbs.common.failure import UsageError, WrongError
from cmbs.common.newfile import new_file

_MAGIC = b"PGDMP"
_SEAL = "\ncmbs dump, sha256 {}\n"
_SEAL_SIZE = len(_SEAL.format("0" * 64))
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Origin:
    """What made a dump, and what it is of."""

    dumped_by: int
    revision: str


@contextlib.contextmanager
def written(target: Path, overwrite: bool) -> Iterator[Path]:
    """A path to dump to; sealed, on disk and under its name once the block has ended well."""
    with new_file(target, overwrite) as scratch:
        yield scratch
        with open(scratch, "r+b") as file:
            seal = _SEAL.format(_digest(file, scratch.stat().st_size))
            file.write(seal.encode())


def check(path: Path, sealed: bool) -> None:
    """Whether the file is a dump, and as `cmbs dump` left it."""
    try:
        with open(path, "rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise WrongError(
                    f"{path} is no dump in pg_dump's custom format, or not even its beginning"
                )
            if sealed:
                _check_seal(path, path.stat().st_size - _SEAL_SIZE)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _check_seal(path: Path, size: int) -> None:
    with open(path, "rb") as file:
        file.seek(max(size, 0))
        seal = file.read()
        if not re.fullmatch(re.escape(_SEAL).replace(r"\{\}", "[0-9a-f]{64}").encode(), seal):
            raise WrongError(
                f"{path} does not end as a dump of cmbs does: it was cut, or pg_dump itself wrote "
                "it, which --unsealed takes"
            )
        file.seek(0)
        if seal != _SEAL.format(_digest(file, size)).encode():
            raise WrongError(f"{path} has changed since it was written")


def origin(path: Path, pg_restore: Path) -> Origin:
    """What the dump says of itself; `pg_restore` should be the newest at hand."""
    # An argument that begins with a hyphen would be an option.
    file = os.path.abspath(path)
    listed = _said(pg_restore, "--list", file)
    version = re.search(r"^; +Dumped by pg_dump version: (\d+)", listed, re.MULTILINE)
    table = ("--data-only", "--schema=cmbs_store", "--table=revision", "--file=-")
    rows = re.search(r"^COPY .*\n(.+)\n", _said(pg_restore, *table, file), re.MULTILINE)
    if version is None or rows is None or rows[1] == r"\.":
        raise WrongError(f"{path} holds no CMBS")
    return Origin(int(version[1]), rows[1])


def _said(program: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(program), *arguments],
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise WrongError(f"the dump cannot be read: {' '.join(done.stderr.split())}")
    return done.stdout


def _digest(file: IO[bytes], size: int) -> str:
    digest = hashlib.sha256()
    while size > 0 and (block := file.read(min(_BLOCK, size))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest()
