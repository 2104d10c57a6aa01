"""A file that dumps and exports are written to: whole and on disk before it has its name."""

import os
import stat
from pathlib import Path

import pytest

from cmbs.common.failure import UsageError
from cmbs.common.newfile import new_file


def test_it_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash of the machine a name without its bytes would look like a whole file."""
    target, sync, synced = tmp_path / "new", os.fsync, list[tuple[bool, int, bool]]()

    def noted(file: int) -> None:
        sync(file)
        found = os.fstat(file)
        is_folder = stat.S_ISDIR(found.st_mode)
        synced.append((is_folder, -1 if is_folder else found.st_size, target.exists()))

    monkeypatch.setattr(os, "fsync", noted)
    with new_file(target, overwrite=False) as scratch:
        scratch.write_text("all of it")
        assert synced == []
    # The file, then its name, then the folder that has the name.
    assert synced == [(False, 9, False), (True, -1, True)]
    assert target.read_text() == "all of it"


def test_what_broke_off_is_not_there(tmp_path: Path) -> None:
    def write() -> None:
        with new_file(tmp_path / "new", overwrite=False) as scratch:
            scratch.write_text("a part of it")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert list(tmp_path.iterdir()) == []


def test_what_came_meanwhile_is_not_lost(tmp_path: Path) -> None:
    target = tmp_path / "new"

    def write() -> None:
        with new_file(target, overwrite=False) as scratch:
            scratch.write_text("ours")
            target.write_text("another's")

    with pytest.raises(UsageError):
        write()
    assert target.read_text() == "another's"
    assert list(tmp_path.iterdir()) == [target]
