"""`python -m bench`: measure everything, print the table, keep it in bench/README.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench import evaluation, explore, live, update, whole
from bench.measure import Result, measure
from bench.subjects import SIZES
from bench.table import render, rewrite


def main() -> None:
    """Every size in turn; only a full run rewrites the README."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of documents, even")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each subject; the median counts")
    told = parser.parse_args()
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for n in told.sizes:
            print(f"measuring {n:,} documents, {told.repeats} times each ...", file=sys.stderr)
            results.extend(measure(n, told.repeats, Path(folder)))
    table = render(results, told.repeats)
    print(table)
    if tuple(told.sizes) == SIZES:
        readme = Path(__file__).with_name("README.md")
        rewrite(readme, "table", table)
        reports = {
            "evaluation": evaluation.report, "live": live.report, "whole": whole.report, "explore": explore.report,
            "update": update.report,
        }  # fmt: skip
        for name, report in reports.items():
            print(f"measuring: {name} ...", file=sys.stderr)
            lines = report()
            print(lines)
            rewrite(readme, name, lines)


if __name__ == "__main__":
    main()
