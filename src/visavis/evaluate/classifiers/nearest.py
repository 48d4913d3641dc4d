"""1-NN: the group of the nearest pick."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.evaluate.classifiers.contract import Geometry, Option
from visavis.records import Integers


class NearestPick:
    """Nothing to tune; of equally near picks the one picked first decides."""

    name = "1-nn"

    def options(self, gammas: Sequence[float], costs: Sequence[float]) -> tuple[Option, ...]:  # noqa: ARG002
        """One, empty."""
        return (Option(),)

    def predict(self, geometry: Geometry, options: Sequence[Option]) -> Integers:
        """The group of the nearest example."""
        limit = geometry.across.min(axis=1) + geometry.noise
        nearest = geometry.groups[np.argmax(geometry.across <= limit[:, None], axis=1)]
        return np.broadcast_to(nearest, (len(options), len(nearest)))
