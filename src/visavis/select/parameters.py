"""What a method can be told, as its parts declare it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from visavis.contracts import Selector
from visavis.errors import InvalidParameter, UnknownName
from visavis.kernel import kernel_parameters, tell_kernel
from visavis.records import Parameter
from visavis.select.methods import Pair, row_of


def name_of(method: Any) -> str:
    """What a method goes by in reports."""
    if isinstance(method, Pair):
        parts = (method.objective, method.optimizer)
        return "+".join(part if isinstance(part, str) else str(part.name) for part in parts)
    return str(method)


def check_parameters(method: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a method: those given, checked, and the others as they are declared.

    Raises UnknownName for a name that no part of the method declares, InvalidParameter for a bad value.
    """
    declared = {parameter.name: parameter for parameter in row_of(method).parameters}
    for name in given:
        if name not in declared:
            there = f"it has {', '.join(declared)}" if declared else "it has none"
            raise UnknownName(f"method {name_of(method)} has no parameter {name!r}: {there}")
    return {name: p.check(given[name]) if name in given else p.default for name, p in declared.items()}


def applicable(method: Any, common: Mapping[str, Any]) -> dict[str, Any]:
    """Those of these parameters that some part of the method declares; all are checked, whether they matter or not."""
    declared = {parameter.name for parameter in row_of(method).parameters}
    for parameter in known_parameters():
        if parameter.name in common and parameter.name not in declared:
            parameter.check(common[parameter.name])
    return {name: value for name, value in common.items() if name in declared}


def known_parameters() -> Iterable[Parameter]:
    """The parameters of all objectives and optimizers that come along, each name once, as first declared loosest."""
    found: dict[str, Parameter] = {}
    for pair in ("mmd-div+exchange", "softmin+exchange", "mmd-div+gradient"):
        for parameter in row_of(pair).parameters:
            found.setdefault(parameter.name, parameter)
    return found.values()


def tunable(method: Any) -> tuple[Parameter, ...]:
    """The parameters of a method that decide what it picks and have values worth trying."""
    return tuple(parameter for parameter in row_of(method).decisive if parameter.grid)


def part_parameters(method: Any, kernel: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The kernel told those of the values that are its own, and the others, which are the method's.

    Raises InvalidParameter for a name that both declare.
    """
    own = {parameter.name for parameter in row_of(method).parameters}
    both = [parameter.name for parameter in kernel_parameters(kernel) if parameter.name in own]
    if both:
        raise InvalidParameter(f"the kernel and the method {name_of(method)} both have a parameter {both[0]!r}")
    return tell_kernel(kernel, given)


def decisive_names(method: Any) -> tuple[str, ...]:
    """The names of all that decides what a method picks, γ included."""
    row = row_of(method)
    return (*(("gamma",) if row.uses_kernel else ()), *(parameter.name for parameter in row.decisive))


def create_method(method: Any, given: Mapping[str, Any]) -> Selector:
    """The selector of a method, told its parameters. Raises UnknownName, InvalidParameter or Incompatible."""
    return row_of(method).build(check_parameters(method, given))
