"""Bundles: zip files of sessions, and of what their logs name."""

import hashlib
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from cmbs.verify.errors import Unreadable, sentence
from cmbs.verify.files import open_file, split_lines
from cmbs.verify.log import Log
from cmbs.verify.payloads import POLICY
from cmbs.verify.shapes import Rules, has_members, is_hash, is_number, is_uuid
from cmbs.verify.text import (
    CANONICAL_DECODER,
    LONGEST,
    MIB,
    MOST_LISTED,
    canonical,
    check_length,
    parse,
)
from cmbs.verify.universe import Universe
from cmbs.verify.zips import CONTENTS, check_directory, check_members

_FILE: Rules = {
    "bytes": lambda value: is_number(value, 0, 2**62),
    "sha256": is_hash,
}
_SESSION: Rules = {
    "session_id": is_uuid,
    "n_events": lambda value: is_number(value, 1, 2**48),
    "head_event_id": is_uuid,
    "head_hash": is_hash,
    "universe_digest": is_hash,
    "policy_as_sent": lambda value: (
        value is None or has_members(value, {name + "?": rule for name, rule in POLICY.items()})
    ),
}
_MANIFEST: Rules = {
    "format": lambda value: value == "cmbs-bundle",
    "version": lambda value: is_number(value, 1, 1),
    "files": lambda value: (
        type(value) is dict and all(has_members(one, _FILE) for one in value.values())
    ),
    "sessions": lambda value: (
        type(value) is list and all(has_members(one, _SESSION) for one in value)
    ),
}
_BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


class Bundle:
    """A zip file of sessions and their universes; opening it checks its structure."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = open_file(path)
        try:
            self._zip = zipfile.ZipFile(check_directory(self._file))
            self._infos = check_members(self._file, self._zip)
            self._files: dict[str, dict[str, Any]] = {}
            # What logs name beside universes.
            self.contents: dict[str, str] = {}
            self.sessions: list[dict[str, Any]] = self._manifest()
            self._read("README.md", MIB)
        except _BAD_ZIP as error:
            self._file.close()
            raise Unreadable(f"the bundle cannot be read: {error}") from None
        except Unreadable:
            self._file.close()
            raise
        self.n_events = sum(entry["n_events"] for entry in self.sessions)
        self._universe: Universe | None = None

    def __enter__(self) -> "Bundle":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()

    def lines(self, entry: dict[str, Any]) -> Iterator[bytes]:
        """The lines of a session; the last one given, its bytes are compared with the manifest."""
        return split_lines(self._reader(f"sessions/{entry['session_id']}.ndjson"))

    def universe(self, digest: str) -> Universe:
        if self._universe is None or self._universe.digest != digest:
            self._universe = None
            try:
                raw = self._read(f"universes/{digest}.json", LONGEST)
                check_length(raw)
                text = raw.decode()
            except ValueError as error:
                raise Unreadable(f"the hypotheses cannot be read: {sentence(error)}") from None
            universe = Universe(text)
            if universe.digest != digest:
                raise Unreadable(f"the digest of universes/{digest}.json is another")
            self._universe = universe
        return self._universe

    def content(self, name: str) -> str:
        """The text of a policy, a schema or a tool."""
        try:
            raw = self._read(name, LONGEST)
            check_length(raw)
            text = raw.decode()
            if canonical(parse(text, MOST_LISTED, CANONICAL_DECODER)) != text:
                raise ValueError("it is not in canonical text")
        except ValueError as error:
            raise Unreadable(f"{name} cannot be read: {sentence(error)}") from None
        return text

    def log(self, entry: dict[str, Any]) -> Log:
        """What replays the lines of a session."""
        return Log(self.universe(entry["universe_digest"]), entry["session_id"], self)

    def _manifest(self) -> list[dict[str, Any]]:
        info = self._infos.get("manifest.json")
        if info is None or info.file_size > LONGEST:
            raise Unreadable("the bundle has no manifest.json of at most 256 MiB")
        try:
            with self._zip.open(info) as member:
                text = member.read(LONGEST)
            check_length(text)
            manifest = parse(text.decode(), MOST_LISTED)
        except ValueError as error:
            raise Unreadable(f"manifest.json cannot be read: {sentence(error)}") from None
        if not has_members(manifest, _MANIFEST):
            raise Unreadable("manifest.json is not the manifest of a bundle of version 1")
        self._files = manifest["files"]
        if self._files.keys() != self._infos.keys() - {"manifest.json"}:
            raise Unreadable("manifest.json names other files than the bundle has")
        for name, file in self._files.items():
            if self._infos[name].file_size != file["bytes"]:
                raise Unreadable(f"{name} has not the size that manifest.json names")
        parted = ((name, name.partition("/")[0]) for name in self._files)
        self.contents = {name: kind for name, kind in parted if kind in CONTENTS}
        for name in self.contents:
            if self._files[name]["sha256"] != name[-69:-5]:
                raise Unreadable(f"the digest of {name} is another")
        sessions: list[dict[str, Any]] = manifest["sessions"]
        places = [(entry["universe_digest"], entry["session_id"]) for entry in sessions]
        named = {f"universes/{digest}.json" for digest, _ in places}
        named |= {f"sessions/{session_id}.ndjson" for _, session_id in places} | {"README.md"}
        if len({session_id for _, session_id in places}) < len(places):
            raise Unreadable("manifest.json names a session twice")
        if places != sorted(places) or named != self._files.keys() - self.contents.keys():
            raise Unreadable("the sessions of manifest.json are not those of the bundle, in order")
        return sessions

    def _read(self, name: str, most: int) -> bytes:
        if name not in self._files or self._files[name]["bytes"] > most:
            raise Unreadable(f"the bundle has no {name} of at most {most} bytes")
        read = self._reader(name)
        return b"".join(iter(lambda: read(MIB), b""))

    def _reader(self, name: str) -> Callable[[int], bytes]:
        """A read that compares size and digest with the manifest when it comes to the end."""
        if name not in self._files:
            raise Unreadable(f"the bundle has no {name}")
        file, digest, length = self._files[name], hashlib.sha256(), 0
        try:
            member = self._zip.open(self._infos[name])
        except _BAD_ZIP as error:
            raise Unreadable(f"{name} cannot be read: {error}") from None

        def read(size: int) -> bytes:
            nonlocal length
            try:
                chunk = member.read(size)
            except _BAD_ZIP as error:
                raise Unreadable(f"{name} cannot be read: {error}") from None
            digest.update(chunk)
            length += len(chunk)
            if not chunk:
                member.close()
                if (length, digest.hexdigest()) != (file["bytes"], file["sha256"]):
                    raise Unreadable(f"{name} is not as it was written: its digest is another")
            return chunk

        return read
