"""Write research/accuracy.md: what the runs of research/news_runs.py say about methods, γ, contrast and embedders.

    python research/accuracy.py FOLDER

FOLDER holds tuned/ and fixed/. The text between the tables is written by hand and kept: only what stands between
`<!-- NAME: begin -->` and `<!-- NAME: end -->` is made anew.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from news_runs import COMPARISONS, EMBEDDERS

from visavis.evaluate import Evaluation, read_evaluation
from visavis.evaluate.metrics import corrected_t_test
from visavis.select.methods import METHODS
from visavis.shared.statistics import holm

FAVORITE = "softmin-exchange"
MMD = ("mmd-diff-grad", "mmd-diff-greedy", "mmd-div-grad", "mmd-div-greedy")
LEVEL = 0.05

Runs = Mapping[tuple[str, str], Evaluation]  # comparison and embedder
Fixed = Mapping[tuple[str, str], list[dict[str, str]]]


def read_runs(folder: Path) -> Runs:
    """Every finished tuned run."""
    return {
        (c.name, e): read_evaluation(folder / "tuned" / f"{c.name}-{e}")
        for e in EMBEDDERS
        for c in COMPARISONS
        if (folder / "tuned" / f"{c.name}-{e}" / "results.csv").is_file()
    }


def read_fixed(folder: Path) -> Fixed:
    """Every finished run with nothing tuned."""
    found = {}
    for embedder in EMBEDDERS:
        for comparison in COMPARISONS:
            file = folder / "fixed" / f"{comparison.name}-{embedder}.csv"
            if file.is_file():
                with file.open(newline="", encoding="utf-8") as rows:
                    found[comparison.name, embedder] = list(csv.DictReader(rows))
    return found


def per_split(run: Evaluation, method: str) -> list[float]:
    """A method's accuracy on each split, the mean over classifiers and sizes."""
    columns = zip(*(run.values(method, *setting) for setting in run.settings), strict=True)
    return [fmean(column) for column in columns]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def best_bold(values: Sequence[float]) -> list[str]:
    """Three decimals, the largest in bold."""
    shown = [f"{value:.3f}" for value in values]
    return [f"**{text}**" if text == max(shown) else text for text in shown]


def tuned_table(runs: Runs, embedder: str) -> str:
    """Methods by comparisons, the mean last, best of a column in bold."""
    names = [c.name for c in COMPARISONS if (c.name, embedder) in runs]
    means = {m: [fmean(per_split(runs[name, embedder], m)) for name in names] for m in METHODS}
    order = sorted(METHODS, key=lambda method: -fmean(means[method]))
    columns = [best_bold([means[m][at] for m in order]) for at in range(len(names))]
    overall = best_bold([fmean(means[m]) for m in order])
    rows = [[method, *(column[at] for column in columns), overall[at]] for at, method in enumerate(order)]
    ceilings = [[cell.mean for cell in runs[name, embedder].ceilings()] for name in names]
    told = [" / ".join(f"{mean:.3f}" for mean in pair) for pair in ceilings]
    return table(["method", *names, "mean"], [*rows, ["*everything, 1-nn / svm*", *told, ""]])


def versus_table(runs: Runs, favorite: str, others: Sequence[str]) -> str:
    """A method against others: mean lead, and in how many runs it is told from noise."""
    rows = []
    tests = {key: _against(run, favorite, others) for key, run in runs.items()}
    for method in others:
        found = [tests[key][method] for key in runs]
        leads = [lead for lead, _ in found]
        ahead = sum(lead > 0 and p < LEVEL for lead, p in found)
        behind = sum(lead < 0 and p < LEVEL for lead, p in found)
        by_embedder = [100 * fmean(tests[key][method][0] for key in runs if key[1] == e) for e in _embedders(runs)]
        mean = 100 * fmean(leads)
        cells = [f"{mean:+.1f}", *(f"{value:+.1f}" for value in by_embedder)]
        rows.append((mean, [method, *cells, str(sum(lead > 0 for lead in leads)), str(ahead), str(behind)]))
    head = [f"{favorite} against", "lead, points", *_embedders(runs), f"ahead in, of {len(runs)}"]
    return table([*head, "ahead, p < .05", "behind, p < .05"], [row for _, row in sorted(rows, key=lambda row: row[0])])


def paper_table(runs: Runs) -> str:
    """The paper's mmd methods against the two they should beat."""
    return "\n\n".join(versus_table(runs, method, ("kmeans", "random")) for method in MMD)


def _embedders(runs: Runs) -> list[str]:
    return [embedder for embedder in EMBEDDERS if any(key[1] == embedder for key in runs)]


def _against(run: Evaluation, favorite: str, others: Sequence[str]) -> dict[str, tuple[float, float]]:
    """A method's lead over each other one, and p of the corrected test, adjusted by Holm over those."""
    ratio, mine = float(run.facts["test_to_train"]), per_split(run, favorite)
    tests = [corrected_t_test(mine, per_split(run, method), ratio) for method in others]
    told = [test for test in tests if test is not None]
    adjusted = holm([test.p_value for test in told])
    return {m: (test.difference, p) for m, test, p in zip(others, told, adjusted, strict=True)}


def wins_table(runs: Runs) -> str:
    """In how many settings (comparison × classifier × size) each method is best, by embedder."""
    count: dict[str, Counter[str]] = {e: Counter() for e in EMBEDDERS}
    for (_, embedder), run in runs.items():
        count[embedder].update(run.wins())
    total = sum(len(run.settings) for run in runs.values())
    order = sorted(METHODS, key=lambda m: -sum(count[e][m] for e in EMBEDDERS))
    rows = [[m, *(str(count[e][m]) for e in EMBEDDERS), str(sum(count[e][m] for e in EMBEDDERS))] for m in order]
    return table(["method", *EMBEDDERS, f"of {total}"], rows)


def chosen_table(runs: Runs) -> str:
    """What cross-validation chose: how often each contrast and sharpness."""
    contrast: dict[str, Counter[str]] = defaultdict(Counter)
    sharpness: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, embedder), run in runs.items():
        for result in run.results:
            if result.contrast is not None:
                contrast[embedder][f"{result.contrast:g}"] += 1
            if result.sharpness is not None:
                sharpness[embedder][f"{result.sharpness:g}"] += 1
    rows = []
    for name, counts in (("contrast", contrast), ("sharpness", sharpness)):
        values = sorted({value for found in counts.values() for value in found}, key=float)
        for value in values:
            shares = [100 * counts[e][value] / max(1, counts[e].total()) for e in EMBEDDERS]
            rows.append([f"{name} {value}", *(f"{share:.0f} %" for share in shares)])
    return table(["", *EMBEDDERS], rows)


def fixed_table(fixed: Fixed) -> str:
    """With nothing tuned: mean over comparisons, splits, sizes and classifiers, for each γ and contrast."""
    settings: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (_, embedder), rows in fixed.items():
        for row in rows:
            what = (row["contrast"] and f"contrast {row['contrast']}") or (row["sharpness"] and f"β {row['sharpness']}")
            settings[row["method"], row["multiple"], what][embedder].append(float(row["balanced_accuracy"]))
    means = {key: [fmean(found[e]) for e in EMBEDDERS if found[e]] for key, found in settings.items()}
    best: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for key in sorted(means, key=lambda key: -fmean(means[key])):
        best[key[0]].append(key)
    shown = []
    for keys in sorted(best.values(), key=lambda keys: -fmean(means[keys[0]])):
        for key in keys[:1] + [key for key in keys[1:] if key[1] == "1.0"][:4]:
            cells = [f"{mean:.3f}" for mean in means[key]]
            shown.append([*key, *cells, f"{fmean(means[key]):.3f}"])
    return table(["method", "γ × median d²", "", *EMBEDDERS, "mean"], shown)


def rewrite(page: str, parts: Mapping[str, str]) -> str:
    """The page with every part made anew. Raises KeyError for a part that has no place."""
    for name, made in parts.items():
        pattern = re.compile(rf"<!-- {re.escape(name)}: begin -->.*?<!-- {re.escape(name)}: end -->", re.DOTALL)
        place = pattern.search(page)
        if place is None:
            raise KeyError(f"the page has no place for {name!r}")
        begin, end = place.span()
        page = f"{page[:begin]}<!-- {name}: begin -->\n{made}\n<!-- {name}: end -->{page[end:]}"
    return page


def main(folder: str, target: str = str(Path(__file__).with_suffix(".md"))) -> None:
    """Write the page."""
    runs, fixed = read_runs(Path(folder)), read_fixed(Path(folder))
    parts: dict[str, str] = {f"tuned {embedder}": tuned_table(runs, embedder) for embedder in _embedders(runs)}
    parts |= {
        "versus": versus_table(runs, FAVORITE, [method for method in METHODS if method != FAVORITE]),
        "paper": paper_table(runs),
        "wins": wins_table(runs),
        "chosen": chosen_table(runs),
        "fixed": fixed_table(fixed),
    }
    page = Path(target).read_text(encoding="utf-8")
    Path(target).write_text(rewrite(page, parts), encoding="utf-8")
    print(f"{len(runs)} tuned and {len(fixed)} fixed runs written to {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
