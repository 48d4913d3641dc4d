"""What a method can be told, as its parts declare it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from visavis.contracts import Selector
from visavis.errors import InvalidParameter, UnknownName
from visavis.kernel import kernel_parameters, tell_kernel
from visavis.records import Parameter
from visavis.select.methods import Pair, names_of, row_of


def name_of(method: Any) -> str:
    """What a method goes by in reports."""
    if isinstance(method, Pair):
        parts = (method.objective, method.optimizer)
        return "+".join(part if isinstance(part, str) else str(part.name) for part in parts)
    return str(method)


def check_parameters(method: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a method: those given, checked, and the others as they are declared.

    A bare name ("contrast") speaks to every part that has such a parameter, "mmd-diff.contrast" to one.
    Raises UnknownName for a name that no part of the method declares, InvalidParameter for a bad value.
    """
    declared = row_of(method).parameters
    names = [parameter.name for parameter in declared]
    for name in given:
        if not any(name in names_of(parameter) for parameter in declared):
            there = f"it has {', '.join(names)}" if names else "it has none"
            raise UnknownName(f"method {name_of(method)} has no parameter {name!r}: {there}")
    found = {}
    for parameter in declared:
        wanted = [name for name in names_of(parameter) if name in given]
        found[parameter.name] = parameter.check(given[wanted[0]]) if wanted else parameter.default
    return found


def applicable(method: Any, common: Mapping[str, Any]) -> dict[str, Any]:
    """Those of these parameters that some part of the method declares; all are checked, whether they matter or not."""
    declared = row_of(method).parameters
    heard = {name for name in common if any(name in names_of(parameter) for parameter in declared)}
    for parameter in known_parameters():
        if parameter.name in common and parameter.name not in heard:
            parameter.check(common[parameter.name])
    return {name: value for name, value in common.items() if name in heard}


def known_parameters() -> Iterable[Parameter]:
    """The parameters of all objectives and optimizers that come along, each name once, as first declared loosest."""
    found: dict[str, Parameter] = {}
    for pair in ("mmd-div+exchange", "likelihood+exchange", "mmd-div+gradient"):
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
