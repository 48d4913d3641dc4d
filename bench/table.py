"""The table, the bars, and the machine in words."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy
import sklearn

from bench.measure import Result
from bench.subjects import SUBJECTS

JUDGED_AT = 20_000
MEGABYTE = 1e6

Found = dict[tuple[str, int], Result]


def render(results: Sequence[Result], repeats: int) -> str:
    """Markdown: one row per subject and size, then the bars."""
    found = {(result.subject, result.n): result for result in results}
    lines = [
        "| N | what | wall s | CPU s | memory MB | ratio of wall times | value | |",
        "|--:|---|--:|--:|--:|---|--:|---|",
        *(_row(result, found) for result in results),
    ]
    return "\n".join([f"{machine()} Medians of {repeats}.", "", *lines, "", *bars(found)])


def machine() -> str:
    """Cores, memory and the versions that matter."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}"
    return (
        f"Measured on {os.cpu_count()} cores ({platform.machine()}) with {memory:.0f} GiB of memory, "
        f"{platform.system()}, Python {platform.python_version()}, {versions}."
    )


def _row(result: Result, found: Found) -> str:
    about = SUBJECTS[result.subject].about
    if result.wall is None or result.cpu is None:
        return f"| {result.n:,} | {about} | | | | | | {result.note} |"
    value = "" if result.value is None else f"{result.value:.8g}"
    cells = [
        f"{result.n:,}",
        about,
        f"{result.wall:.3g}",
        f"{result.cpu:.3g}",
        f"{result.memory / MEGABYTE:.0f}",
        _ratio_cell(result, found),
        value,
        result.note,
    ]
    return f"| {' | '.join(cells)} |"


def _ratio_cell(result: Result, found: Found) -> str:
    against = SUBJECTS[result.subject].against
    ratio = None if against is None else _ratio(found, result.subject, against, result.n)
    if ratio is None:
        return ""
    return f"{ratio:.2f} × the floor" if against == "floor" else f"{ratio:.3g} × visavis"


def _ratio(found: Found, subject: str, against: str, n: int) -> float | None:
    ours, theirs = found.get((subject, n)), found.get((against, n))
    if ours is None or theirs is None or ours.wall is None or theirs.wall is None:
        return None
    return ours.wall / theirs.wall


def bars(found: Found) -> list[str]:
    """What visavis holds itself to at N = 20,000, met or not."""
    n = JUDGED_AT
    floor, loop = _ratio(found, "greedy", "floor", n), _ratio(found, "loop", "gradient", n)
    greedy = found.get(("greedy", n))
    memory = None if greedy is None or greedy.wall is None else greedy.memory / MEGABYTE
    lines = [
        _bar("greedy MMD ≤ 1.25 × the floor", floor, floor is not None and floor <= 1.25, "×"),
        _bar("greedy MMD < 250 MB", memory, memory is not None and memory < 250, "MB"),
        _bar("gradient ≥ 20 × the loop's speed", loop, loop is not None and loop >= 20, "×"),
    ]
    for peer in ("apricot", "submodlib"):
        ratio = _ratio(found, peer, "nearest", n)
        met = ratio is not None and ratio > 1 and _no_worse(found, peer, n)
        lines.append(_bar(f"`nearest` faster than {peer} at a value no worse", ratio, met, "× its speed"))
    return [f"At N = {n:,}:", "", *lines, *_busy(found.get(("floor", n)))]


def _busy(floor: Result | None) -> list[str]:
    """A warning where the floor, which keeps every core at work, did not get them: then wall times mean little."""
    cores = os.cpu_count() or 1
    if floor is None or floor.wall is None or floor.cpu is None or floor.cpu / floor.wall > 0.85 * cores:
        return []
    got = floor.cpu / floor.wall
    return [
        "",
        f"The machine was busy: the floor got {got:.1f} of {cores} cores. Run again before quoting any of this.",
    ]


def _no_worse(found: Found, peer: str, n: int) -> bool:
    ours, theirs = found[("nearest", n)].value, found[(peer, n)].value
    return ours is not None and theirs is not None and ours >= theirs - 1e-9 * abs(theirs)


def _bar(what: str, measured: float | None, met: bool, unit: str) -> str:
    if measured is None:
        return f"- not measured: {what}"
    return f"- {'pass' if met else 'FAIL'}: {what} (measured {measured:.3g} {unit})"


def rewrite(readme: Path, name: str, text: str) -> None:
    """Put the text between its markers, beside first and then renamed, so that nothing is left half-written."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = readme.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{readme} lacks the markers {begin} and {end}: put them where the text belongs")
    beside = readme.with_suffix(".new")
    beside.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
    beside.replace(readme)
