"""Run the benchmarks on a durable server of their own; figures are ratios of interleaved rounds."""

import argparse
from collections.abc import Callable
from pathlib import Path

from bench import (
    analytics,
    arbitration,
    auth,
    batch,
    bundle,
    declare,
    disk,
    eliminate,
    execution,
    growth,
    http,
    library,
    monitoring,
    offline,
    plot,
    readers,
    tee,
    verify,
)
from bench.harness import Bench, bench_server, load

Run = Callable[[Bench, argparse.Namespace], None]


def _http(bench: Bench, options: argparse.Namespace) -> None:
    figures = http.run(bench, options.rounds, options.seconds)
    if options.plot:
        options.plot.write_text(plot.drawn(figures))


_RUNS: dict[str, Run] = {
    "eliminate": lambda bench, options: eliminate.run(bench, options.rounds, options.seconds),
    "batch": lambda bench, options: batch.run(bench, options.rounds, options.seconds),
    "growth": lambda bench, options: growth.run(bench, options.rounds),
    "verify": lambda bench, options: verify.run(bench, options.rounds),
    "offline": lambda bench, options: offline.run(bench, options.rounds),
    "declare": lambda bench, options: declare.run(bench),
    "bundle": lambda bench, options: bundle.run(bench, options.rounds),
    "disk": lambda bench, options: disk.run(bench),
    "restore": lambda bench, options: disk.restore(bench),
    "http": _http,
    "arbitration": lambda bench, options: arbitration.run(bench, options.rounds, options.seconds),
    "execution": lambda bench, options: execution.run(bench, options.rounds),
    "tee": lambda bench, options: tee.run(bench, options.rounds, options.seconds),
    "readers": lambda bench, options: readers.run(bench, options.rounds, options.seconds),
    "monitoring": lambda bench, options: monitoring.run(bench, options.rounds),
    "auth": lambda bench, options: auth.run(bench, options.rounds, options.seconds),
}
# They need no server, or bring their own.
_ALONE: dict[str, Callable[[argparse.Namespace], None]] = {
    "analytics": lambda options: analytics.run(options.events),
    "library": lambda options: library.run(options.rounds),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "what",
        nargs="*",
        metavar=f"{{{','.join([*_RUNS, *_ALONE])}}}",
        help="default: all but analytics, which fills a disk",
    )
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (default 5)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds a side (default 10)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw what http finds as SVG")
    parser.add_argument(
        "--events",
        type=int,
        nargs="+",
        default=[100_000, 1_000_000, 10_000_000],
        help="lengths of the logs for analytics; ten million take 13 GB",
    )
    options = parser.parse_args()
    what = options.what or [*_RUNS, "library"]
    if unknown := set(what) - {*_RUNS, *_ALONE}:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    print(load())
    for name, run_alone in _ALONE.items():
        if name in what:
            run_alone(options)
    if wanted := [run for name, run in _RUNS.items() if name in what]:
        with bench_server() as bench:
            for run in wanted:
                run(bench, options)


main()
