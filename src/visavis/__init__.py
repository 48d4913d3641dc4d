"""visavis puts groups of documents face to face and picks the few that represent each and tell it apart."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from visavis._version import __version__

if TYPE_CHECKING:
    from visavis import evaluate
    from visavis.chat import Endpoint
    from visavis.comparing import Comparison, compare, compare_facets
    from visavis.comparing.options import CompareOptions
    from visavis.kernel import mean_similarity
    from visavis.select.estimators import ComparativeSummarizer
    from visavis.select.values import objective_value, value_and_gradient
    from visavis.updating import diff, ledger, update

_PUBLIC = {  # name → module; imported when first asked for, so that `visavis --help` stays quick
    "ComparativeSummarizer": "visavis.select.estimators",
    "CompareOptions": "visavis.comparing.options",
    "Comparison": "visavis.comparing",
    "Endpoint": "visavis.chat",
    "compare": "visavis.comparing",
    "compare_facets": "visavis.comparing",
    "diff": "visavis.updating",
    "ledger": "visavis.updating",
    "mean_similarity": "visavis.kernel",
    "objective_value": "visavis.select.values",
    "update": "visavis.updating",
    "value_and_gradient": "visavis.select.values",
}
_CALLABLE = ("evaluate",)  # packages named like their function

__all__ = [
    "ComparativeSummarizer",
    "CompareOptions",
    "Comparison",
    "Endpoint",
    "__version__",
    "compare",
    "compare_facets",
    "diff",
    "evaluate",
    "ledger",
    "mean_similarity",
    "objective_value",
    "update",
    "value_and_gradient",
]


def __getattr__(name: str) -> Any:
    if name in _CALLABLE:
        return importlib.import_module(f"visavis.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'visavis' has no attribute {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC, *_CALLABLE])
