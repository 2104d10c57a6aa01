"""Run the benchmarks on a durable server of their own; figures are ratios of interleaved rounds."""

import argparse
from pathlib import Path

from bench import (
    analytics,
    batch,
    bundle,
    declare,
    eliminate,
    growth,
    http,
    offline,
    plot,
    verify,
)
from bench.harness import bench_server, load


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "what",
        nargs="*",
        metavar="{eliminate,batch,growth,verify,offline,declare,http,bundle,analytics}",
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
    known = ["eliminate", "batch", "growth", "verify", "offline", "declare", "http", "bundle"]
    what = options.what or known
    if unknown := set(what) - {*known, "analytics"}:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    print(load())
    if "analytics" in what:
        analytics.run(options.events)
    if set(what) == {"analytics"}:
        return
    with bench_server() as bench:
        if "eliminate" in what:
            eliminate.run(bench, options.rounds, options.seconds)
        if "batch" in what:
            batch.run(bench, options.rounds, options.seconds)
        if "growth" in what:
            growth.run(bench, options.rounds)
        if "verify" in what:
            verify.run(bench, options.rounds)
        if "offline" in what:
            offline.run(bench, options.rounds)
        if "declare" in what:
            declare.run(bench)
        if "bundle" in what:
            bundle.run(bench, options.rounds)
        if "http" in what:
            figures = http.run(bench, options.rounds, options.seconds)
            if options.plot:
                options.plot.write_text(plot.drawn(figures))


main()
