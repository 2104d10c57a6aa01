"""Files that somebody made to deceive or to break the verifier: each is refused in a sentence."""

import json
import os
import re
import resource
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from cmbs import verify
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support import bundles
from tests.support.bundles import Members
from tests.verify.shipped import says
from tests.verify.test_file import LINES

LOG = b"".join(LINES)
MEMBERS = bundles.members([LINES])
BUNDLE = bundles.zipped(MEMBERS)
ENTRY = bundles.entries_of(MEMBERS)[0]
SESSION = f"sessions/{ENTRY['session_id']}.ndjson"
UNIVERSE = f"universes/{ENTRY['universe_digest']}.json"


def lines_with(at: int, line: bytes) -> bytes:
    return b"".join([*LINES[:at], line, *LINES[at + 1 :]])


def record_with(old: str, new: str, at: int = 2) -> bytes:
    """A log in which one record holds another text, and its line the hash of that."""
    record = json.loads(LINES[at])["record"]
    assert old in record
    record = record.replace(old, new, 1)
    line = json.dumps({"event_hash": hash_text(record), "record": record})
    return lines_with(at, line.encode() + b"\n")


def fork() -> bytes:
    """Two events of seq 13 after the same event 12, both good."""
    record = parse(json.loads(LINES[12])["record"])
    text = canonical(record | {"notes": "the other head"})
    line = json.dumps({"event_hash": hash_text(text), "record": text}).encode() + b"\n"
    return LOG + line


first = json.loads(LINES[0])
MILLION = "9" * 1_000_000
# What is in the file, and a word of what is said of it.
LOGS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "one newline": (b"\n", "neither"),
    "a BOM": (b"\xef\xbb\xbf" + LOG, "neither"),
    "a page": (b"<html>\n", "neither"),
    "a list": (b"[" + LOG + b"]\n", "neither"),
    "carriage returns": (LOG.replace(b"\n", b"\r\n"), "carriage return"),
    "no last newline": (LOG[:-1], "cut off"),
    "cut in a line": (LOG[:-100], "cut off"),
    "cut in the first line": (LOG[:500], "cut off"),
    "an empty line": (lines_with(4, b"\n" + LINES[4]), "JSON object"),
    "a byte changed": (LOG.replace(b"disk_full", b"disk_fulL", 1), ""),
    "a record changed": (lines_with(3, LINES[3].replace(b"minimum", b"maximum")), "hash"),
    "an event left out": (lines_with(5, b""), "missing"),
    "two swapped": (b"".join([*LINES[:4], LINES[5], LINES[4], *LINES[6:]]), "missing"),
    "one twice": (lines_with(4, LINES[4] * 2), "seq 5"),
    "the log twice": (LOG + LOG, "another session begins here"),
    "two heads": (fork(), "foreign"),
    "no first event": (b"".join(LINES[1:]), "missing"),
    "no hypotheses": (
        lines_with(0, json.dumps({k: first[k] for k in ("event_hash", "record")}).encode() + b"\n"),
        "no hypotheses",
    ),
    "hypotheses later": (
        lines_with(1, LINES[1].replace(b"}\n", b', "hypotheses": []}\n')),
        "another session begins here",
    ),
    "hypotheses unsorted": (
        lines_with(
            0, json.dumps(first | {"hypotheses": first["hypotheses"][::-1]}).encode() + b"\n"
        ),
        "sorted",
    ),
    "other hypotheses": (
        lines_with(0, json.dumps(first | {"hypotheses": ["a"]}).encode() + b"\n"),
        "universe",
    ),
    "hypotheses that are none": (
        lines_with(0, json.dumps(first | {"hypotheses": [1, None]}).encode() + b"\n"),
        "list of ids",
    ),
    "a number for a record": (lines_with(2, b'{"event_hash": "", "record": 1}\n'), "texts"),
    "another member": (lines_with(2, LINES[2].replace(b"}\n", b', "x": 1}\n')), "other members"),
    "a key twice in a line": (
        lines_with(2, LINES[2].replace(b"}\n", b', "record": ""}\n')),
        "twice",
    ),
    "no UTF-8": (lines_with(2, LINES[2].replace(b"disk", b"\xff\xfe")), "UTF-8"),
    "half a surrogate": (lines_with(2, LINES[2].replace(b"disk", rb"\ud800")), "UTF-8"),
    "deep in a line": (lines_with(2, b'{"x":' + b"[" * 100_000 + b"}\n"), "deep"),
    "deep in a record": (record_with('"v": 1', '"v": ' + "[" * 100_000), "deep"),
    "deep and closed": (record_with('"v": 1', '"v": ' + "[" * 500 + "]" * 500), ""),
    "deep in objects": (record_with('"steps"', '"x": ' + '{"a": ' * 300 + "1" + "}" * 300), ""),
    "a million digits": (record_with('"v": 1', f'"v": {MILLION}'), ""),
    "a million digits of evidence": (record_with("0.41", MILLION), "canonical|limits"),
    "an exponent of a million": (record_with("0.41", "1e1000000"), "exponent"),
    "NaN": (record_with("0.41", "NaN"), "NaN"),
    "Infinity": (record_with("0.41", "-Infinity"), "Infinity"),
    "a key twice": (record_with('"v": 1', '"v": 1, "v": 1'), "twice"),
    "a NUL": (record_with("df -h", r"df \u0000"), "NUL"),
    "half a surrogate inside": (record_with("df -h", r"df \ud800"), "canonical|UTF-8"),
    "another escape": (record_with("df -h", r"df \u0020h"), "canonical"),
    "seq of a fraction": (record_with('"seq": 3', '"seq": 3.0'), ""),
    "seq with a sign": (record_with('"seq": 3', '"seq": -3'), "foreign"),
    "too many values": (
        lines_with(2, b'{"event_hash": "", "record": "", "x": [' + b"[]," * 3_100_000 + b"[]]}\n"),
        "too many",
    ),
}


def spoken(path: Path) -> str:
    """What is said of a file that is not good."""
    try:
        found = list(verify.check(path))
    except verify.Unreadable as error:
        return str(error)
    broken = [one.first_bad for one in found if one.first_bad]
    assert broken, "the file passed as good"
    return broken[0][1]


@pytest.mark.parametrize("name", LOGS)
def test_a_hostile_log(name: str, tmp_path: Path) -> None:
    content, words = LOGS[name]
    path = tmp_path / "log.ndjson"
    path.write_bytes(content)
    assert re.search(words, said := spoken(path)), said
    assert len(said) < 200
    assert says(path)[0] == 1


def test_the_longest_message_is_no_hostile_one() -> None:
    """A million ids with commas and quotes in them, each eliminated."""
    ids = sorted(f'{number},"' for number in range(1_000_000))
    record = canonical({"eliminated": ids, "delta": ids, "justification": ["", []] * 150_000})
    assert len(verify.parse(record)["delta"]) == len(ids)


def test_a_log_without_events() -> None:
    with pytest.raises(verify.Fault):
        verify.Log().finish()


@pytest.mark.parametrize("at", [0, 1, 7, 12])
def test_every_cut_is_seen_with_the_head(at: int, tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(b"".join(LINES[:at]))
    assert says(path, "--head", json.loads(LINES[12])["event_hash"])[0] == 1


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (
        tmp_path,
        tmp_path / "fifo",
        tmp_path / "nothing",
        Path("/dev/null"),
        Path("a\0b"),
    ):
        status, _, errors = says(path)
        assert status == 1
        assert "file" in errors


# Bundles


def renamed(old: str, new: str) -> Members:
    return [(new if name == old else name, content) for name, content in MEMBERS]


def replaced(name: str, content: bytes) -> Members:
    """A member of other bytes, and a manifest that knows them."""
    made = [(one, content if one == name else of) for one, of in MEMBERS[:-1]]
    return bundles.with_manifest(made, [ENTRY])


def manifest(edit: Callable[[Any], Any]) -> Members:
    return bundles.with_manifest(MEMBERS[:-1], [ENTRY], edit)


def entry(**members: Any) -> Members:
    return manifest(lambda made: made | {"sessions": [ENTRY | members]})


OTHER = "00000000-0000-4000-8000-000000000000"
SHORTER = b"".join(dict(MEMBERS)[SESSION].splitlines(keepends=True)[:-1])
ZIPS: dict[str, tuple[Members, str]] = {
    "nothing in it": ([], "manifest.json"),
    "no manifest": (MEMBERS[:-1], "manifest.json"),
    "no readme": (MEMBERS[1:], "other files"),
    "no universe": ([MEMBERS[0], *MEMBERS[2:]], "other files"),
    "one more": ([MEMBERS[0], ("universes/" + "0" * 64 + ".json", b"[]"), *MEMBERS[1:]], "other"),
    "a name twice": ([MEMBERS[0], *MEMBERS], "two members of one name"),
    "the session twice": ([*MEMBERS[:3], *MEMBERS[2:]], "two members of one name"),
    "another order": ([MEMBERS[0], MEMBERS[2], MEMBERS[1], MEMBERS[3]], "order"),
    "up": (renamed("README.md", "../README.md"), "name '../README.md'"),
    "absolute": (renamed("README.md", "/etc/passwd"), "name"),
    "another separator": (renamed("README.md", "..\\README.md"), "name"),
    "a drive": (renamed("README.md", "C:README.md"), "name"),
    "a name of other letters": (renamed("README.md", "README\u200b.md"), "name"),
    "a folder": (renamed("README.md", "sessions/"), "name"),
    "another extension": (renamed(SESSION, SESSION + ".json"), "name"),
    "another session": (renamed(SESSION, f"sessions/{OTHER}.ndjson"), "other files"),
    "a session of another": (
        bundles.with_manifest(
            [*MEMBERS[:2], (f"sessions/{OTHER}.ndjson", MEMBERS[2][1])],
            [ENTRY | {"session_id": OTHER}],
        ),
        "another session",
    ),
    "no JSON": ([*MEMBERS[:-1], ("manifest.json", b"{")], "JSON"),
    "a manifest of no UTF-8": ([*MEMBERS[:-1], ("manifest.json", b"\xff")], "UTF-8"),
    "a manifest of a list": ([*MEMBERS[:-1], ("manifest.json", b"[]")], "not the manifest"),
    "a deep manifest": ([*MEMBERS[:-1], ("manifest.json", b"[" * 100_000)], "deep"),
    "a manifest with a key twice": (
        [*MEMBERS[:-1], ("manifest.json", MEMBERS[-1][1][:-1] + b', "version": 1}')],
        "twice",
    ),
    "another format": (manifest(lambda made: made | {"format": "zip"}), "not the manifest"),
    "another version": (manifest(lambda made: made | {"version": 2}), "not the manifest"),
    "true for a version": (manifest(lambda made: made | {"version": True}), "not the manifest"),
    "a member more": (manifest(lambda made: made | {"x": 1}), "not the manifest"),
    "a file that is not there": (
        manifest(lambda made: made | {"files": made["files"] | {"x": made["files"]["README.md"]}}),
        "other files",
    ),
    "the session named twice": (
        manifest(lambda made: made | {"sessions": made["sessions"] * 2}),
        "twice",
    ),
    "no sessions": (manifest(lambda made: made | {"sessions": []}), "not those"),
    "a digest of the readme": (
        manifest(
            lambda made: (
                made | {"files": made["files"] | {"README.md": {"bytes": 10, "sha256": "0" * 64}}}
            )
        ),
        "README.md is not as it was written",
    ),
    "a digest of the session": (
        manifest(
            lambda made: (
                made
                | {
                    "files": made["files"]
                    | {SESSION: made["files"][SESSION] | {"sha256": "0" * 64}}
                }
            )
        ),
        "not as it was written",
    ),
    "a size": (
        manifest(
            lambda made: (
                made
                | {"files": made["files"] | {SESSION: made["files"][SESSION] | {"bytes": 2**50}}}
            )
        ),
        "size",
    ),
    "a negative size": (
        manifest(
            lambda made: (
                made | {"files": made["files"] | {SESSION: made["files"][SESSION] | {"bytes": -1}}}
            )
        ),
        "not the manifest",
    ),
    "more events": (entry(n_events=14), "names 14 events"),
    "fewer events": (entry(n_events=12), "names 12 events"),
    "no events": (entry(n_events=0), "not the manifest"),
    "another head": (entry(head_hash="0" * 64), "another head"),
    "another head event": (entry(head_event_id=OTHER), "another head"),
    "another universe": (entry(universe_digest="0" * 64), "not those"),
    "another policy": (entry(policy_as_sent={"stability_window": 2}), "policy as sent"),
    "a policy of another type": (
        entry(policy_as_sent={"stability_window": True}),
        "not the manifest",
    ),
    "a policy unknown": (entry(policy_as_sent={"x": 1}), "not the manifest"),
    "a deep policy": (
        entry(policy_as_sent={"stability_window": json.loads("[" * 300 + "]" * 300)}),
        "not the manifest",
    ),
    "a policy of a list": (entry(policy_as_sent=[]), "not the manifest"),
    "a log cut": (replaced(SESSION, SHORTER), "names 13 events"),
    "a log cut in a line": (replaced(SESSION, SHORTER[:-9]), "cut off"),
    "no log": (replaced(SESSION, b""), "no events"),
    "a log with hypotheses": (
        replaced(SESSION, LOG),
        "other members|its own|of its own|hypotheses",
    ),
    "a universe of other text": (replaced(UNIVERSE, b'["a","b"]'), "canonical"),
    "a universe of others": (replaced(UNIVERSE, b'["a", "b"]'), "digest"),
    "a universe of no JSON": (replaced(UNIVERSE, b"\xff"), "UTF-8"),
    "an empty universe": (replaced(UNIVERSE, b"[]"), "list of ids"),
    "a large readme": (replaced("README.md", b" " * (2 << 20)), "README.md"),
}


@pytest.mark.parametrize("name", ZIPS)
def test_a_hostile_bundle(name: str, tmp_path: Path) -> None:
    made, words = ZIPS[name]
    path = tmp_path / "logs.zip"
    path.write_bytes(bundles.zipped(made))
    assert re.search(words, said := spoken(path)), said
    assert len(said) < 250
    assert says(path)[0] == 1


def test_a_directory_of_many_members(tmp_path: Path) -> None:
    """More than 65,535 members need a directory of another form."""
    names = (f"sessions/{UUID(int=number)}.ndjson" for number in range(66_000))
    path = tmp_path / "logs.zip"
    path.write_bytes(bundles.zipped([MEMBERS[0], *((name, b"") for name in names), MEMBERS[-1]]))
    assert "names other files" in spoken(path)


def patched(signature: bytes, offset: int, value: bytes, which: int = 0) -> bytes:
    """The zip with bytes changed in its n-th header of this kind."""
    at = -1
    for _ in range(which + 1):
        at = BUNDLE.index(signature, at + 1)
    return BUNDLE[: at + offset] + value + BUNDLE[at + offset + len(value) :]


LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
RAW: dict[str, tuple[bytes, str]] = {
    "only a signature": (b"PK", "cut off"),
    "only an end": (b"PK\5\6" + bytes(18), "manifest.json"),
    "cut": (BUNDLE[:-1], "cut off"),
    "cut in half": (BUNDLE[: len(BUNDLE) // 2], "cut off"),
    "something behind": (BUNDLE + b"x", "cut off"),
    "something in front": (b"PK\3\4" + BUNDLE, "directory"),
    "encrypted": (patched(CENTRAL, 8, b"\1\0", 2), "encrypted"),
    "another compression": (patched(CENTRAL, 10, b"\x0e\0", 2), "packed"),
    "overlapping": (patched(CENTRAL, 42, bytes(4), 2), "overlap"),
    "beyond the file": (patched(CENTRAL, 42, b"\xff\xff\xff\x7f", 2), "overlap"),
    "larger than told": (patched(CENTRAL, 24, struct.pack("<I", 100), 2), "size"),
    "packed larger than told": (patched(CENTRAL, 20, struct.pack("<I", 2**31), 2), "overlap"),
    "another checksum": (patched(CENTRAL, 16, bytes(4), 2), "read"),
    "another local name": (patched(LOCAL, 30, b"X", 0), "read"),
    "a long directory": (patched(END, 12, b"\xff\xff\xff\xff"), "directory"),
    "a directory elsewhere": (patched(END, 16, bytes(4)), "directory"),
}


@pytest.mark.parametrize("name", RAW)
def test_a_broken_zip(name: str, tmp_path: Path) -> None:
    content, words = RAW[name]
    path = tmp_path / "logs.zip"
    path.write_bytes(content)
    assert re.search(words, said := spoken(path)), said
    assert says(path)[0] == 1


def test_no_changed_byte_of_a_bundle_makes_a_traceback(tmp_path: Path) -> None:
    """Some bytes mean nothing, dates for instance; what is read in them must be the same log."""
    path = tmp_path / "logs.zip"
    refused = 0
    for at in range(0, len(BUNDLE), 3):
        path.write_bytes(BUNDLE[:at] + bytes([BUNDLE[at] ^ 0x55]) + BUNDLE[at + 1 :])
        try:
            (found,) = verify.check(path)
        except verify.Unreadable:
            refused += 1
        else:
            assert not found.ok or found.head_hash == ENTRY["head_hash"]
    assert refused > len(BUNDLE) / 3 * 0.8


@pytest.mark.slow("unpacks as much as is let through")
@pytest.mark.parametrize(
    "target",
    [
        pytest.param(SESSION, marks=pytest.mark.nightly),
        pytest.param(UNIVERSE, marks=pytest.mark.nightly),
        "manifest.json",
        pytest.param("README.md", marks=pytest.mark.nightly),
    ],
)
def test_a_bomb_takes_little_memory(target: str, program: Path, tmp_path: Path) -> None:
    """A member of 600 MB in a file of 600 kB: refused within 900 MB of address space."""
    made = [
        (name, b"{" * 600_000_000 if name == target else content) for name, content in MEMBERS[:-1]
    ]
    bomb = bundles.with_manifest(made, [ENTRY])
    if target == "manifest.json":
        bomb[-1] = (target, b" " * 600_000_000)
    path = tmp_path / "bomb.zip"
    path.write_bytes(bundles.zipped(bomb))
    assert path.stat().st_size < 2_000_000

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))

    done = subprocess.run(
        [sys.executable, "-I", "-S", program, path],
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert done.returncode == 1
    assert "256 MiB" in done.stderr or "at most" in done.stderr
    assert "Traceback" not in done.stderr
