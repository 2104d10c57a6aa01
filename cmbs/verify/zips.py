"""Zip files that every reader reads in the same way."""

import os
import re
import struct
import zipfile
from typing import IO

from cmbs.verify.errors import Unreadable
from cmbs.verify.shapes import HASH_FORM, UUID_FORM
from cmbs.verify.text import MIB

_MEMBERS = re.compile(
    rf"README\.md|(?:universes|policies|schemas|tools)/({HASH_FORM.pattern})\.json"
    rf"|sessions/({UUID_FORM.pattern})\.ndjson|manifest\.json"
)
CONTENTS = ("policies", "schemas", "tools")
_ORDER = ("README.md", "universes", *CONTENTS, "sessions", "manifest.json")


def check_directory(file: IO[bytes]) -> IO[bytes]:
    """The file, if its directory is not too long: zipfile would read all of it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 98, 0))
    tail = file.read().rjust(98, b"\0")
    length, offset, comment = struct.unpack("<IIH", tail[-10:])
    if tail[-22:-18] != b"PK\5\6" or comment:
        raise Unreadable("the bundle is cut off, or something follows its end")
    end = size - 22
    if tail[-42:-38] == b"PK\6\7":
        if tail[:4] != b"PK\6\6":
            raise Unreadable("the directory of the bundle cannot be read")
        length, offset = struct.unpack("<QQ", tail[40:56])
        end = size - 98
    # An entry takes ten times its size in memory.
    if length > 64 * MIB or offset + length != end:
        raise Unreadable("the directory of the bundle is not where it should be")
    file.seek(0)
    return file


def check_members(file: IO[bytes], opened: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    infos = opened.infolist()
    kinds = []
    for info in infos:
        if info.filename != info.orig_filename or not _MEMBERS.fullmatch(info.filename):
            raise Unreadable(f"the bundle has a member of the name {info.orig_filename[:99]!a}")
        if info.flag_bits & 0x2049 or info.compress_type not in (0, 8):
            raise Unreadable(f"{info.filename} is encrypted or packed in an unknown way")
        kinds.append(_ORDER.index(info.filename.partition("/")[0]))
    if kinds != sorted(kinds):
        raise Unreadable("the members of the bundle are not in their order")
    names = {info.filename: info for info in infos}
    if len(names) < len(infos):
        raise Unreadable("the bundle has two members of one name")
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        # What lies between them is seen by some readers and not by others.
        if info.header_offset != end:
            raise Unreadable("the members of the bundle overlap, or there is a gap")
        file.seek(end)
        header = file.read(30)
        if len(header) < 30 or header[:4] != b"PK\3\4":
            raise Unreadable("the members of the bundle are not where they should be")
        end += 30 + sum(struct.unpack("<HH", header[26:30])) + info.compress_size
    if end != opened.start_dir:
        raise Unreadable("the members of the bundle overlap, or there is a gap")
    return names
