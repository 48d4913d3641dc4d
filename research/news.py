"""How well picks of the methods by default tell news apart: six comparisons, nothing tuned, all documents allowed.

    python -m research.news

Made once for docs/defaults.md: 2, 4 and 8 picks a group, 1-NN and a support vector machine, five splits.

| | mean | immigration, health care, guns, coronavirus by time; immigration, health care by side |
|---|--:|---|
| mmd-diff-greedy, contrast .3 | .690 | .843 .795 .701 .601 .623 .576 |
| softmin-exchange | .729 | .864 .825 .757 .642 .678 .605 |
| mmd-diff-exchange, contrast .3 | .690 | .843 .796 .702 .601 .623 .577 |
| mmd-diff-grad, contrast .3 | .686 | .824 .780 .730 .588 .628 .567 |
| kmeans | .676 | .824 .755 .693 .599 .623 .561 |
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from statistics import fmean

from visavis.comparing.documents import DocumentOptions
from visavis.comparing.prepare import prepare
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.material import document_material

ROOT = Path(__file__).resolve().parent.parent
METHODS = ("mmd-diff-greedy", "softmin-exchange", "mmd-diff-exchange", "mmd-diff-grad", "kmeans")
PLAN = Plan(methods=METHODS, grid="fixed", sizes=(2, 4, 8), splits=5, ceilings=False)


def main() -> None:
    """Print the table."""
    data = Path(os.environ.get("VISAVIS_DATA", ROOT.parent / "shared" / "data"))
    articles = prepare(str(data / "news" / "articles_lead.jsonl.gz"))
    comparisons = json.loads((ROOT / "tests" / "quality" / "floors.json").read_text("utf-8"))["news"]["comparisons"]
    accuracy: dict[str, list[float]] = {method: [] for method in METHODS}
    for one in comparisons.values():
        options = DocumentOptions(by=one["by"], only=one["only"], filter=f'topic == "{one["topic"]}"', embedder="tfidf")
        material = document_material(articles, options)
        run = evaluate(material.vectors, material.groups, PLAN)
        for method in METHODS:
            accuracy[method].append(fmean(run.cell(method, *setting).mean for setting in run.settings))
    for method, values in accuracy.items():
        print(f"| {method} | {fmean(values):.3f} | {' '.join(f'{value:.3f}' for value in values)} |")


if __name__ == "__main__":
    main()
