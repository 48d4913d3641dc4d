"""Pick documents for the same comparisons by several configurations, all under the same options.

    python -m research.reading.picking FOLDER OUT.json [NAME ...]

FOLDER holds one CSV a comparison (columns id, group, title, text, date). A configuration is a method with its
parameters and the rule of who may be picked. OUT.json maps comparison → configuration → group → ids of the picks.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing.candidates import find_candidates
from visavis.comparing.options import CompareOptions
from visavis.comparing.posing import make_choice, pose_candidates
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.session import DocumentSession
from visavis.select.search import select

SIZE = 4
MMR_DIVERSITY = 0.5  # of the similarity to the closest earlier pick, against the rank of telling less common


@dataclass(frozen=True)
class Configuration:
    """A method and its parameters; `picker` takes the method's place where it is no method of the package."""

    method: str = "mmd-diff-grad"
    options: dict[str, Any] = field(default_factory=dict)
    picker: Callable[[DocumentSession], list[int]] | None = None


def pick_by_marginal_relevance(session: DocumentSession) -> list[int]:
    """For each group argmax_i rank_i − μ·max_s k(i, s); rank_i is that of a_i − 0.6·b_i within the group."""
    problem = session.problem()
    similar = problem.similarity_sums() / problem.totals()
    picks: list[int] = []
    for group in range(problem.n_groups):
        rows = problem.rows(group)
        others = np.delete(similar[rows], group, axis=1).mean(axis=1)
        telling = similar[rows, group] - 0.6 * others
        rank = np.argsort(np.argsort(telling, kind="stable")) / max(1, len(telling) - 1)
        own: list[int] = []
        for _ in range(SIZE):
            usable = problem.open_beside(group, own)
            if not usable.any():
                break
            near = np.max([problem.group_column(pick) for pick in own], axis=0) if own else 0.0
            scores = np.where(usable, rank - MMR_DIVERSITY * near, -np.inf)
            own.append(int(np.argmax(scores)) + rows.start)
        picks += own
    return [int(session.order[pick]) for pick in picks]


CONFIGURATIONS = {
    "mmd-diff-grad .6": Configuration("mmd-diff-grad", {"contrast": 0.6}),
    "mmd-diff-grad .3": Configuration("mmd-diff-grad", {"contrast": 0.3}),
    "mmd-diff-greedy .6": Configuration("mmd-diff-greedy", {"contrast": 0.6}),
    "mmd-diff-greedy .3": Configuration("mmd-diff-greedy", {"contrast": 0.3}),
    "mmd-diff-exchange .6": Configuration("mmd-diff-exchange", {"contrast": 0.6}),
    "mmd-diff-exchange .3": Configuration("mmd-diff-exchange", {"contrast": 0.3}),
    "marginal relevance": Configuration(picker=pick_by_marginal_relevance),
    "softmin-exchange": Configuration("softmin-exchange"),
    "mmd-diff-grad .6, no rules": Configuration("mmd-diff-grad", {"contrast": 0.6, "candidates": "all"}),
}


def pick_all(path: Path, configurations: dict[str, Configuration]) -> dict[str, dict[str, list[str]]]:
    """The picks of each configuration: ids by group."""
    base = CompareOptions(by="group", size=SIZE, live=False)
    prepared = prepare(str(path), base.reading)
    grouping = group_documents(prepared, base.grouping)
    found: dict[str, Any] = {}
    result: dict[str, dict[str, list[str]]] = {}
    for name, configuration in configurations.items():
        options = CompareOptions(
            by="group", size=SIZE, live=False, method=configuration.method, **configuration.options
        )
        if options.candidates not in found:
            found[options.candidates] = find_candidates(prepared, grouping, options)
        candidates = found[options.candidates]
        session = pose_candidates(candidates, options, options.chosen_kernel, options.gamma)
        if configuration.picker is not None:
            rows = configuration.picker(session)
        else:
            request = session.request(make_choice(session, candidates, options), candidates.pinned)
            rows = [int(row) for row in select(session, request).rows]
        documents = candidates.grouping.corpus.documents
        names = candidates.grouping.names
        picks: dict[str, list[str]] = {group: [] for group in names}
        for row in rows:
            picks[names[candidates.grouping.codes[row]]].append(documents[row].id)
        result[name] = picks
    return result


def main() -> None:
    """Pick for every comparison of the folder, or those named, and add them to what is in OUT already."""
    folder, out, *names = sys.argv[1:]
    target = Path(out)
    every = json.loads(target.read_text("utf-8")) if target.exists() else {}
    for path in sorted(Path(folder).glob("*.csv")):
        if names and path.stem not in names:
            continue
        missing = {k: v for k, v in CONFIGURATIONS.items() if k not in every.get(path.stem, {})}
        if missing:
            every.setdefault(path.stem, {}).update(pick_all(path, missing))
            target.write_text(json.dumps(every, ensure_ascii=False, indent=1), "utf-8")
            print(path.stem, flush=True)


if __name__ == "__main__":
    main()
