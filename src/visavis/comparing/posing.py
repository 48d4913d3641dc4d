"""From candidates and options to a session and a choice: what every application asks alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from visavis.comparing.candidates import Candidates, wanted_sizes
from visavis.comparing.choice import MOST_PICKS, Choice, check_pins, clip_sizes, read_sizes
from visavis.comparing.options import CompareOptions
from visavis.comparing.session import DocumentSession, pose
from visavis.comparing.tune import can_be_tuned
from visavis.errors import InvalidParameter
from visavis.inputs import check_compute, check_whole
from visavis.records import Grouping, Integers
from visavis.select.budget import needed, within
from visavis.shared.memory import check_memory

ALL_CORES = -1
FEW = 3000  # documents up to which threads mostly wait for each other
MANY_PICKS, LONG_SEARCH = 64, 250_000  # picks, and picks times documents, from which processes pay


def pose_candidates(
    candidates: Candidates, options: CompareOptions, kernel: Any, gamma: float | str
) -> DocumentSession:
    """The session on what a comparison picks from."""
    grouping = candidates.grouping
    compute = check_compute("float32", _jobs(options.jobs, len(grouping.codes)), 512)
    compute = replace(compute, processes=count_processes(grouping, options))
    n_documents, n_features = candidates.points.vectors.shape
    needs = needed(n_documents, n_features, len(grouping.names), sum(wanted_sizes(options, grouping.names)))
    compute = within(compute, check_memory(options.memory), needs, n_documents)
    return pose(
        candidates.points,
        grouping.names,
        grouping.codes,
        documents=grouping.corpus.documents,
        texts=candidates.texts,
        candidates=candidates.allowed,
        blocks=candidates.blocks,
        strata=None if candidates.given is None else candidates.given.strata,
        kernel=kernel,
        gamma=gamma,
        compute=compute,
        exact=options.exact,
        seed=options.seed,
    )


def _jobs(asked: int, n_documents: int) -> int:
    """As many threads as were asked for; of all cores only one where there is so little to do that they would wait."""
    return 1 if asked == ALL_CORES and n_documents <= FEW else asked


def count_processes(grouping: Grouping, options: CompareOptions) -> int:
    """In how many processes to pick again. With very many picks a search spends its time in Python, which threads
    cannot share; what is no name may live in this process alone."""
    picks = sum(wanted_sizes(options, grouping.names))
    heavy = picks >= MANY_PICKS and picks * len(grouping.codes) >= LONG_SEARCH
    named = isinstance(options.method, str) and isinstance(options.kernel, str)
    return check_compute("float32", options.jobs, 512).threads if heavy and named else 1


def make_choice(session: DocumentSession, candidates: Candidates, options: CompareOptions) -> Choice:
    """What the options ask for, sizes cut to what there is. Raises InvalidParameter for too many picks or pins."""
    sizes = read_sizes(options.size, session.names)
    pins: Integers = np.bincount(session.codes[list(candidates.pinned)], minlength=len(session.names))
    if options.budget is not None:  # it takes the place of the size: as many of each while parameters are tuned
        _check_budget(options.budget, len(session.names))
        share = max(1, options.budget // len(session.names))
        sizes = clip_sizes((share,) * len(session.names), session.room(candidates.pinned), session.names)
    elif sizes is not None:
        check_pins(pins, sizes, session.names)
        sizes = clip_sizes(sizes, session.room(candidates.pinned), session.names)
    return Choice(
        options.method, options.choice_parameters, options.chosen_kernel, options.gamma, sizes, options.budget,
        options.tune and can_be_tuned(options.method, options.kernel), max(1, int(pins.max())),
    )  # fmt: skip


def _check_budget(budget: Any, n_groups: int) -> None:
    if check_whole("budget", budget, low=1) > MOST_PICKS * n_groups:
        raise InvalidParameter(f"budget={budget} is more than {MOST_PICKS} picks a group: lower budget")
