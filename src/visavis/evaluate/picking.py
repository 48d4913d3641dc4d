"""What a method picks in a part at a setting, for every size, sharing whatever settings and methods share."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from visavis.contracts import Optimizer
from visavis.errors import LeftTheData, MissingGroup, OnlyOneGroup
from visavis.evaluate.grid import Setting
from visavis.evaluate.sharing import Shared
from visavis.kernel.threads import limited_to
from visavis.records import Beginning, Integers, Problem, Quota, Settings
from visavis.select.baselines.kmeans import kmeans_beginning
from visavis.select.methods import OPTIMIZERS, Pair, create_method, create_objective, decided_by, row_of, settle
from visavis.select.optimizers.greedy import greedy

Sequences = Mapping[int, tuple[int, ...]]  # documents of the part in pick order, for each size


def picks_of(
    shared: Shared, method: str, part: int, settings: Sequence[Setting], sizes: Sequence[int]
) -> list[Mapping[int, Integers]]:
    """For each setting, the rows picked at each size. Settings of one γ should stand together."""
    found: list[Mapping[int, Integers]] = []
    last: tuple[int | None, Problem] | None = None
    for setting in settings:
        if last is None or last[0] != setting.gamma:
            last = setting.gamma, shared.problem(part, setting.gamma)
        with limited_to(1), warnings.catch_warnings():
            for told in (LeftTheData, MissingGroup, OnlyOneGroup):  # counted in the results, or known to the caller
                warnings.simplefilter("ignore", told)
            sequences = _sequences(_Task(shared, method, part, last[1], setting), sizes)
        found.append({size: shared.rows(part, sequence) for size, sequence in sequences.items()})
    return found


class _Task:
    """One method in one part at one setting."""

    def __init__(self, shared: Shared, method: str, part: int, problem: Problem, setting: Setting) -> None:
        self.shared, self.method, self.part, self.problem, self.setting = shared, method, part, problem, setting
        told = {key: value for key in ("contrast", "sharpness") if (value := getattr(setting, key)) is not None}
        self.settings = Settings(method=method, **told)

    def quota(self, size: int) -> Quota:
        return Quota(sizes=(size,) * self.shared.n_groups)

    def rng(self, size: int, what: str) -> np.random.Generator:
        """Draws that depend on what is drawn for, never on what was drawn before."""
        name = zlib.crc32(what.encode())
        return np.random.default_rng([self.shared.plan.seed, self.shared.split, name, self.part, size])


def _sequences(task: _Task, sizes: Sequence[int]) -> Sequences:
    row = row_of(task.method)
    if isinstance(row, Pair):
        return _searched(task, row, sizes)
    if task.method == "kmeans":
        return {size: _centers(task, size).sequence for size in sizes}
    selector = create_method(task.settings)
    return {
        size: selector.select(task.problem, task.quota(size), task.rng(size, task.method)).sequence for size in sizes
    }


def _searched(task: _Task, pair: Pair, sizes: Sequence[int]) -> Sequences:
    if pair.optimizer == "greedy":
        longest = _greedy(task, pair.objective)
        return {size: longest[: size * task.shared.n_groups] for size in sizes}
    optimizer: Optimizer = OPTIMIZERS.create(pair.optimizer, task.settings)
    objective = settle(create_objective(pair.objective, task.settings), task.problem)
    from_centers = pair.optimizer == "gradient" and task.shared.plan.init == "kmeans"

    def begin(size: int) -> Beginning:
        if from_centers:
            return _centers(task, size)
        sequence = _greedy(task, pair.start or pair.objective)[: size * task.shared.n_groups]
        owner = np.array([task.problem.group_of(document) for document in sequence], np.intp)
        return Beginning(sequence, task.problem.vectors.take(np.array(sequence, np.intp)), owner)

    return {
        size: optimizer.run(objective, task.problem, task.quota(size), partial(begin, size)).sequence for size in sizes
    }


def _greedy(task: _Task, objective: str) -> tuple[int, ...]:
    """The greedy run at the largest size of the plan, whose first rounds answer for every smaller one."""
    told = {"gamma": task.setting.gamma, "contrast": task.settings.contrast, "sharpness": task.settings.sharpness}
    key = ("greedy", objective, task.part, *(told[name] for name in decided_by(objective)))
    found: tuple[int, ...] | None = task.shared.memo.get(key)
    if found is None:
        size = max(task.shared.plan.sizes)
        settled = settle(create_objective(objective, task.settings), task.problem)
        found = greedy(settled, task.problem, task.quota(size))
        task.shared.memo[key] = found
    return found


def _centers(task: _Task, size: int) -> Beginning:
    """k-means centers, and the documents they snap to: the same for every γ, contrast and method."""
    key = ("kmeans", task.part, size)
    found: Beginning | None = task.shared.memo.get(key)
    if found is None:
        sizes = (size,) * task.shared.n_groups
        found = task.shared.memo[key] = kmeans_beginning(task.problem, sizes, task.rng(size, "kmeans"))
    return found
