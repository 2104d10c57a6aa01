"""The command line, and what it prints."""

import argparse
import json
import os
import sys
from typing import Any

from cmbs.verify.errors import Unreadable
from cmbs.verify.files import is_bundle
from cmbs.verify.progress import Progress
from cmbs.verify.sessions import Result, replayed
from cmbs.verify.shapes import HASH_FORM


def main(arguments: list[str] | None = None, prog: str | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Check exported audit logs: a session's log (NDJSON) or a bundle (zip). Every "
        "hash, link and decision is computed anew, with no database.",
        epilog="exit status: 0 every chain is whole, 1 one is broken, the file cannot be read or "
        "there was nothing to check, 2 usage. example: python verify.py audit.ndjson. Where CMBS "
        "is installed, python -m cmbs.verify.build verify.py writes this program as one file",
    )
    parser.add_argument("file", metavar="FILE", help="what was exported")
    parser.add_argument(
        "--head",
        metavar="HASH",
        help="of a log (NDJSON): it must end with this event hash, noted elsewhere; nothing else "
        "shows that the end of a log was cut off",
    )
    parser.add_argument(
        "--snapshot",
        action="store_true",
        help="print the final snapshot of each whole session as a line of JSON, and all else on "
        "stderr",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="a line of JSON for each session, with its verdict: ok or broken",
    )
    options = parser.parse_args(arguments)
    if options.head is not None and not HASH_FORM.fullmatch(options.head):
        parser.error("the head is 64 hexadecimal digits, in lower case")
    try:
        if options.head is not None and is_bundle(options.file):
            parser.error(
                "--head is for the log of one session; a bundle's manifest names its heads"
            )
        return _report(options.file, options.head, options.snapshot, options.json)
    except Unreadable as error:
        print(f"{parser.prog}: {options.file}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _report(path: str, head: str | None, is_snapshot: bool, is_json: bool) -> int:
    out = sys.stderr if is_snapshot else sys.stdout
    progress = Progress(path)
    sessions = rows = broken = 0
    try:
        for result, log in replayed(path, progress.advance):
            bad = result.first_bad
            if not bad and head is not None and head != result.head_hash:
                bad = result.rows_checked, f"the log does not end with the head {head}"
            progress.clear()
            print(_as_json(result, bad) if is_json else _as_line(result, bad), file=out)
            if is_snapshot and not bad:
                print(json.dumps(log.snapshot()), flush=True)
            sessions, rows, broken = (
                sessions + 1,
                rows + result.rows_checked,
                broken + (bad is not None),
            )
    finally:
        progress.clear()
    if is_json:
        return 1 if broken or not sessions else 0
    if not sessions:
        print("there is no session to check", file=out)
        return 1
    said = f"{broken} broken" if broken else "every chain is whole"
    checked = f"{sessions} session{'s' * (sessions != 1)}, {rows} row{'s' * (rows != 1)}"
    print(f"checked {checked} in {progress.seconds:.1f} s: {said}", file=out)
    return 1 if broken else 0


def _as_line(result: Result, bad: tuple[int, str] | None) -> str:
    if bad:
        return f"BROKEN  {result.session_id or '-'}  event {bad[0]}: {bad[1]}"
    return f"ok      {result.session_id}  {result.rows_checked} rows  {result.head_hash}"


def _as_json(result: Result, bad: tuple[int, str] | None) -> str:
    said: dict[str, Any] = {"session_id": result.session_id, "verdict": "broken" if bad else "ok"}
    if bad:
        said |= {"seq": bad[0], "reason": bad[1]}
    else:
        said |= {"rows_checked": result.rows_checked, "head_hash": result.head_hash}
    return json.dumps(said)
