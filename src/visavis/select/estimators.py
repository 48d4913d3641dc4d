"""The engine as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import balanced_accuracy_score
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from visavis.contracts import Kernel
from visavis.engines.choosing import choose_engine
from visavis.errors import Sampled
from visavis.inputs import check_compute, check_groups, check_weights
from visavis.kernel import check_sparse, kernel_kind
from visavis.kernel.bandwidth import check_gamma
from visavis.kernel.given import Precomputed
from visavis.kernel.threads import limited_to
from visavis.records import STAGES, Array, Compute, Points
from visavis.select.budget import needed, within
from visavis.select.draws import Given
from visavis.select.parameters import applicable, part_parameters
from visavis.select.search import Request, Selection, select
from visavis.select.session import Session, pose
from visavis.shared.memory import check_memory


class ComparativeSummarizer(ClassifierMixin, BaseEstimator):
    """Picks for each group the few documents that represent it and tell it apart; predicts by the nearest pick.

    Parameters: `method` is a name from `METHODS`, or "objective+optimizer". `n_prototypes` is a number of picks per
    group or a mapping from labels to numbers; `budget`, if given, is the total instead. `gamma` is the kernel's
    width ("median", "scale" or a number), `contrast` the weight λ on telling groups apart. `sharpness` is the β of
    softmin ("auto": the one at which a few greedy picks make all groups most likely). `init` ("auto",
    "greedy", "kmeans") is where gradient and exchange begin; `max_iter` and `tol` end gradient search; `parameters`
    are what else the method or kernel declares, by name, and win over the others. `dtype` is the tiles' precision,
    `memory_mb` bounds what is kept, `n_jobs` is threads, `device` "cpu", "cuda" (a card) or "auto" (a card where there
    is one and it pays), `engine` "threads" or a cluster ("dask://host:port"). `exact` ("auto", "yes" or "no") says
    whether all pairs of documents are looked at; with "auto" samples stand for them above 10^12 pairs times dimensions,
    and a warning says so. `memory` ("4GB") bounds all that the process holds; what cannot fit is refused.
    Objects that keep the contracts do wherever names do.

    After `fit`: `prototype_indices_` (rows of X: by class, then in pick order), `prototype_groups_` and `prototypes_`
    for those rows, `gains_` of each pick, `objective_values_` per label and `objective_value_` their sum, `stages_`
    with each label's value after each stage (None where a stage did not take place), `gamma_`, `classes_`, and
    `n_iter_` of gradient search (1 for methods that do not iterate), `objective_` with whatever it had to choose, and
    `gap_`, what samples may have cost (None where all pairs were looked at).
    """

    def __init__(
        self,
        method: Any = "softmin-exchange",
        n_prototypes: Any = 4,
        *,
        budget: int | None = None,
        gamma: float | str = "median",
        contrast: float = 0.1,
        kernel: Any = "rbf",
        sharpness: float | str = "auto",
        init: str = "auto",
        max_iter: int = 100,
        tol: float = 1e-6,
        parameters: Mapping[str, Any] | None = None,
        dtype: str = "float32",
        memory_mb: int = 512,
        exact: str | bool = "auto",
        memory: str | int | None = None,
        n_jobs: int | None = None,
        device: str = "cpu",
        engine: Any = "threads",
        random_state: Any = None,
    ) -> None:
        self.method = method
        self.n_prototypes = n_prototypes
        self.budget = budget
        self.gamma = gamma
        self.contrast = contrast
        self.kernel = kernel
        self.sharpness = sharpness
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.parameters = parameters
        self.dtype = dtype
        self.memory_mb = memory_mb
        self.exact = exact
        self.memory = memory
        self.n_jobs = n_jobs
        self.device = device
        self.engine = engine
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Pick documents of X, whose groups are y. Documents of weight 0 are left out."""
        data, labels = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32])
        grouped = check_groups(labels, data.shape[0], name="y")
        check_classification_targets(labels)
        kernel, parameters = part_parameters(self.method, self.kernel, self._parameters())
        compute = self._compute(data, len(grouped.labels))
        session = pose(
            Points.of(data, check_weights(sample_weight, data.shape[0])),
            grouped,
            kernel=kernel,
            gamma=check_gamma(self.gamma),
            engine=choose_engine(self.engine, self.device, compute, vectors=data, kernel=kernel),
            compute=compute,
            exact=self.exact,
        )
        request = Request(
            method=self.method,
            parameters=parameters,
            size=self.n_prototypes,
            budget=self.budget,
            draws=Given(self._generator()),
        )
        with limited_to(1, "blas"):  # the parallel work is in our own threads, here and where picks are valued
            self._keep(session, select(session, request), data)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """The group of the nearest pick, for each row of X (kernel values with all training rows if precomputed)."""
        check_is_fitted(self)
        data = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        check_sparse(issparse(data), self.kernel)
        distances = self._kernel.distances(data, self.prototypes_)
        predicted: Array = self.prototype_groups_[np.argmin(distances, axis=1)]
        return predicted

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Balanced accuracy of `predict`."""
        return float(balanced_accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        abilities = kernel_kind(self.kernel).abilities
        tags.input_tags.sparse = abilities.sparse
        tags.input_tags.pairwise = abilities.precomputed
        return tags

    def _parameters(self) -> dict[str, Any]:
        names = ("contrast", "sharpness", "init", "max_iter", "tol")
        return {**applicable(self.method, {name: getattr(self, name) for name in names}), **(self.parameters or {})}

    def _compute(self, data: Any, n_groups: int) -> Compute:
        compute = check_compute(self.dtype, self.n_jobs, self.memory_mb)
        sizes = self.n_prototypes.values() if isinstance(self.n_prototypes, Mapping) else [self.n_prototypes] * n_groups
        n_picks = sum(size for size in sizes if isinstance(size, Integral)) if self.budget is None else self.budget
        precision = 4 if compute.dtype == "float32" else 8
        needs = needed(data.shape[0], data.shape[1], n_groups, int(n_picks), precision=precision)
        return within(compute, check_memory(self.memory), needs, data.shape[0])

    def _generator(self) -> np.random.Generator:
        if isinstance(self.random_state, np.random.Generator):
            return self.random_state
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

    def _keep(self, session: Session, found: Selection, data: Any) -> None:
        labels = found.labels.tolist()
        self.classes_ = found.labels
        self.gamma_ = session.gamma
        self.prototype_indices_ = found.rows[found.by_group]
        self.prototype_groups_ = found.labels[found.owner[found.by_group]]
        self.prototypes_ = data[self.prototype_indices_]
        self.gains_ = found.gains[found.by_group]
        self.n_iter_ = found.n_iter
        self.objective_ = found.objective
        self.gap_ = found.gap
        if found.gap is not None:
            warnings.warn(found.gap.told, Sampled, stacklevel=3)
        self.objective_values_ = dict(zip(labels, map(float, found.values), strict=True))
        self.objective_value_ = float(sum(self.objective_values_.values()))
        names = dict.fromkeys((*STAGES, *found.stages))
        self.stages_ = {
            label: {name: float(found.stages[name][group]) if name in found.stages else None for name in names}
            for group, label in enumerate(labels)
        }
        self._kernel = self._fitted_kernel(session.frames[0].kernel, data)

    def _fitted_kernel(self, kernel: Kernel, data: Any) -> Kernel:
        if isinstance(kernel, Precomputed):
            rows = self.prototype_indices_
            return replace(kernel, prototypes=tuple(rows.tolist()), diagonal=tuple(data[rows, rows].tolist()))
        return kernel
