"""Writing a file that has its name only when it is complete and on disk."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cmbs.common.failure import CommandError, UsageError


@contextlib.contextmanager
def new_file(target: Path, overwrite: bool) -> Iterator[Path]:
    """A path to write to, for its owner's eyes alone; renamed once the block has ended well."""
    try:
        _check_free(target, overwrite)
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        scratch = Path(name)
        try:
            yield scratch
            os.fsync(handle)
            _check_free(target, overwrite)
            scratch.rename(target)
            folder = os.open(target.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
        finally:
            os.close(handle)
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}") from error


def _check_free(target: Path, overwrite: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a directory; name the file to write")
    if target.exists() and not overwrite:
        raise UsageError(f"{target} is already there; choose another name, or --force")
