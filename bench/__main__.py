"""Run the benchmarks on a durable server of their own; figures are ratios of interleaved rounds."""

import argparse
from pathlib import Path

from bench import batch, declare, disk, eliminate, growth, http, plot, verify
from bench.harness import bench_server, load


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "what",
        nargs="*",
        metavar="{eliminate,batch,growth,verify,declare,http,disk,restore}",
        help="default: all",
    )
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (default 5)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds a side (default 10)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw what http finds as SVG")
    options = parser.parse_args()
    known = ["eliminate", "batch", "growth", "verify", "declare", "http", "disk", "restore"]
    what = options.what or known
    if unknown := set(what) - set(known):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    print(load())
    with bench_server() as bench:
        if "eliminate" in what:
            eliminate.run(bench, options.rounds, options.seconds)
        if "batch" in what:
            batch.run(bench, options.rounds, options.seconds)
        if "growth" in what:
            growth.run(bench, options.rounds)
        if "verify" in what:
            verify.run(bench, options.rounds)
        if "declare" in what:
            declare.run(bench)
        if "disk" in what:
            disk.run(bench)
        if "restore" in what:
            disk.restore(bench)
        if "http" in what:
            figures = http.run(bench, options.rounds, options.seconds)
            if options.plot:
                options.plot.write_text(plot.drawn(figures))


main()
