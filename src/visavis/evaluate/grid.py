"""The parameters that cross-validation chooses among, and which of them each method has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from visavis.comparing.options import CompareOptions
from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.records import Parameter
from visavis.select.methods import row_of
from visavis.select.parameters import tunable


@dataclass(frozen=True)
class Grid:
    """Values to try: γ (multiples of 1 / median d² of the training part, or as they are if `absolute`), λ, β and C.

    A β may be "auto", calibrated on the documents at hand. Of other parameters the values that their methods declare
    are tried, or if not `declared` only their defaults.
    """

    gammas: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0)
    absolute: bool = False
    contrasts: tuple[float, ...] = (0.03, 0.1, 0.3, 0.6, 0.9)
    sharpness: tuple[float | str, ...] = ("auto",)
    costs: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0)
    declared: bool = True

    def values_of(self, parameter: Parameter) -> tuple[Any, ...]:
        """The values to try of a method's parameter."""
        if parameter.name == "contrast":
            return self.contrasts
        if parameter.name == "sharpness":
            return self.sharpness
        return parameter.grid if self.declared else (parameter.default,)

    def __post_init__(self) -> None:
        for name in ("gammas", "contrasts", "sharpness", "costs"):
            given = getattr(self, name)
            values = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else ()
            if not values:
                raise InvalidParameter(f"grid: {name} must hold at least one number, got {given!r}")
            words = {value for value in values if value == "auto" and name == "sharpness"}
            numbers = {
                check_number(f"grid: {name}", value, low=0.0, above=name != "contrasts")
                for value in values
                if value not in words
            }
            object.__setattr__(self, name, (*sorted(numbers), *words))


PUBLISHED_CONTRASTS = (0.01, 0.03, 0.1, 0.3)
GRIDS = {
    "default": Grid(),
    "usps": Grid(gammas=(0.01, 0.02, 0.04, 0.08, 0.16), absolute=True, contrasts=PUBLISHED_CONTRASTS),
    "notebook": Grid(gammas=(0.05, 0.1, 0.2, 0.4, 0.8), absolute=True, contrasts=PUBLISHED_CONTRASTS),
    "fixed": Grid(gammas=(1.0,), contrasts=(CompareOptions.contrast,), costs=(10.0,), declared=False),
}


@dataclass(frozen=True)
class Setting:
    """One point of a method's grid: a place in the list of γ (None where it has none), and its own parameters."""

    gamma: int | None = None
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def parameters(self) -> dict[str, Any]:
        """The method's own parameters, by name."""
        return dict(self.values)


def settings_of(method: str, grid: Grid) -> tuple[Setting, ...]:
    """Every point of the method's grid, γ slowest, so that what belongs to one γ is asked for in one go."""
    tuned = tunable(method)
    gammas: tuple[int | None, ...] = tuple(range(len(grid.gammas))) if row_of(method).uses_kernel else (None,)
    points = product(*(grid.values_of(parameter) for parameter in tuned))
    chosen = [tuple(zip((p.name for p in tuned), point, strict=True)) for point in points]
    return tuple(Setting(gamma, values) for gamma in gammas for values in chosen)
