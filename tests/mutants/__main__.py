"""Plant faults, one at a time, and run the tests that should catch each.

    .venv/bin/python -m tests.mutants               all of them
    .venv/bin/python -m tests.mutants NAME ...      these, by their name or a part of it
    .venv/bin/python -m tests.mutants --list        what there is
    .venv/bin/python -m tests.mutants --root DIR    over another checkout, an older one perhaps

Nothing is changed in the checkout: every job has a scratch copy of it.
"""

import argparse
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.fault import Fault, is_there
from tests.mutants.faults import FAULTS
from tests.mutants.run import Result, copy, imported, pytest, try_fault

_ROOT = Path(__file__).resolve().parents[2]
_PRINTING = threading.Lock()
# So many at a time, of one file if possible, which then shares its server.
_TARGETS = 12


class Unharmed(NamedTuple):
    """What of some tests fails without any fault, and which are not there at all."""

    failing: list[str]
    gone: list[str]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description="Plant faults and see whether a test fails."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault, or a part of its name")
    parser.add_argument("--list", action="store_true", help="say what there is and stop")
    parser.add_argument("--root", type=Path, default=_ROOT, help="the checkout to plant them in")
    parser.add_argument("--jobs", type=int, default=2, help="at a time, each with a copy")
    options = parser.parse_args(arguments)
    chosen = [f for f in FAULTS if not options.names or any(n in f.name for n in options.names)]
    if not chosen:
        parser.error("no fault has such a name")
    if options.list:
        for fault in chosen:
            print(f"{fault.subject:<11}{fault.kind:<19}{fault.path}: {fault.name}")
        return 0
    with ExitStack() as stack:
        scratches: SimpleQueue[Path] = SimpleQueue()
        for _ in range(max(1, min(options.jobs, len(chosen)))):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cmbs-mutants-"))
            scratch = Path(folder)
            # An account that runs root's PostgreSQL must get through.
            scratch.chmod(0o755)
            copy(options.root.resolve(), scratch)
            if elsewhere := imported(scratch):
                print(f"A scratch copy is not what would be tested: {elsewhere}")
                return 2
            scratches.put(scratch)
        return _run(chosen, scratches)


def _run(chosen: list[Fault], scratches: "SimpleQueue[Path]") -> int:
    n_jobs = scratches.qsize()
    results: dict[str, Result] = {}
    left: list[Fault] = []
    one = scratches.get()
    for fault in chosen:
        if missing := _missing(fault, one):
            results[fault.name] = Result("not there", 0, missing)
            _say(fault, results[fault.name])
        else:
            left.append(fault)
    scratches.put(one)
    with ThreadPoolExecutor(n_jobs) as pool:

        def unharmed(targets: Sequence[str]) -> Unharmed:
            scratch, start = scratches.get(), time.monotonic()
            try:
                found = _unharmed(scratch, targets)
            finally:
                scratches.put(scratch)
            with _PRINTING:
                n, seconds = len(found.failing), time.monotonic() - start
                said = f"{n} do not" if n else "all"
                print(f"    of {len(targets)} tests {said} pass: {seconds:.0f} s", flush=True)
            return found

        targets = sorted({target for fault in left for target in fault.tests})
        print(f"{len(left)} faults; first their {len(targets)} tests without any", flush=True)
        parts = [targets[at : at + _TARGETS] for at in range(0, len(targets), _TARGETS)]
        all_found = [*pool.map(unharmed, parts)]
        if failing := [line for found in all_found for line in found.failing]:
            print("They have to pass without a fault, and do not:", *failing, sep="\n    ")
            return 2
        gone = {target for found in all_found for target in found.gone}
        for fault in left:
            if its := gone.intersection(fault.tests):
                results[fault.name] = Result("not there", 0, f"its test {min(its)}")
                _say(fault, results[fault.name])

        def harmed(fault: Fault) -> None:
            scratch = scratches.get()
            try:
                result = try_fault(fault, scratch)
            finally:
                scratches.put(scratch)
            results[fault.name] = result
            _say(fault, result)

        list(pool.map(harmed, [fault for fault in left if fault.name not in results]))
    return _summary(chosen, results)


def _missing(fault: Fault, root: Path) -> str | None:
    path = root / fault.path
    if not path.is_file() or path.read_text().count(fault.old) != 1:
        return "its text"
    gone = [target for target in fault.tests if not is_there(target, root)]
    return f"its test {gone[0]}" if gone else None


def _unharmed(scratch: Path, targets: Sequence[str]) -> Unharmed:
    """Of each target at least one test has to pass, and none may fail."""
    ran = pytest(scratch, "-rpfE", *targets, seconds=900)
    if said := ran.not_found():
        # Nothing was run then. An older test may lack a case that a newer one has.
        gone = [target for target in targets if any(line.endswith(target) for line in said)]
        rest = [target for target in targets if target not in gone]
        found = _unharmed(scratch, rest) if gone and rest else Unharmed([], [])
        return Unharmed(found.failing, [*gone, *found.gone])
    passed = ran.named("PASSED")
    failing = ran.named("FAILED", "ERROR")
    for target in targets:
        if not any(name.startswith(target) for name in [*passed, *failing]):
            failing.append(f"{target} (pytest exits {ran.code}, and none of it passes)")
    return Unharmed(failing, [])


def _say(fault: Fault, result: Result) -> None:
    with _PRINTING:
        print(
            f"{result.verdict:<10}{result.seconds:5.0f} s  {fault.subject}: {fault.name}"
            f"\n{'':19}{result.why}",
            flush=True,
        )


def _summary(chosen: list[Fault], results: dict[str, Result]) -> int:
    print()
    _table("subject", ((fault.subject, results[fault.name]) for fault in chosen))
    print()
    _table("kind", ((fault.kind, results[fault.name]) for fault in chosen))
    print()
    verdicts = Counter(result.verdict for result in results.values())
    print(", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
    return 1 if verdicts["SURVIVED"] or verdicts["BAD FAULT"] else 0


def _table(heading: str, rows: Iterable[tuple[str, Result]]) -> None:
    counts = Counter((name, result.verdict) for name, result in rows)
    columns = ("caught", "SURVIVED", "BAD FAULT", "not there")
    print(f"{heading:<22}" + "".join(f"{column:>11}" for column in columns))
    for name in sorted({name for name, _ in counts}):
        print(f"{name:<22}" + "".join(f"{counts[name, column]:>11}" for column in columns))  # type: ignore[index]


if __name__ == "__main__":
    # Of what runs in the background a shell has SIGINT ignored, and tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Whoever ends this is not left with copies and with tests that run on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
