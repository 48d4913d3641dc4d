"""Other things equal: documents weighted so that all groups have the same mix of what is held constant."""

from __future__ import annotations

import numpy as np

from visavis.records import Booleans, Floats, Integers


def equal_mix(groups: Integers, strata: Integers, weights: Floats | None = None) -> Floats:
    """How many times its weight each document counts; 0 in a stratum that some group lacks.

    In every stratum that all groups have, each group then has the same share of its weight, the more the more
    documents the groups have there: with p_gs group g's share, c_s ∝ 1/Σ_g 1/p_gs. A stratum of −1 is none.
    """
    n_groups, n_strata = int(groups.max()) + 1, int(strata.max(initial=-1)) + 1
    mass = np.zeros((n_groups, n_strata + 1))  # the last are documents without a stratum
    np.add.at(mass, (groups, strata), 1.0 if weights is None else weights)
    shared = np.all(mass > 0, axis=0) & (np.arange(n_strata + 1) < n_strata)
    shares = np.where(shared, mass / mass.sum(axis=1, keepdims=True), 1.0)
    common = np.where(shared, 1.0 / np.sum(1.0 / shares, axis=0), 0.0)
    common /= common.sum() or 1.0
    return np.asarray((common / shares)[groups, strata])


def equal_accuracy(right: Booleans, groups: Integers, strata: Integers) -> float | None:
    """The mean over strata, by the mix all groups are given, and over groups, of the share told rightly.

    A classifier that knows the strata alone tells as much as chance. None where no stratum has all groups.
    """
    weights = equal_mix(groups, strata)
    if not weights.any():
        return None
    cells, place, sizes = np.unique(np.stack([groups, strata]), axis=1, return_inverse=True, return_counts=True)
    of_cell = np.zeros(len(sizes))
    of_cell[place] = weights / np.bincount(groups)[groups]  # the same for all documents of a cell
    told = np.bincount(place, weights=right, minlength=len(sizes))
    return float(of_cell @ told) / (int(cells[0].max()) + 1)
