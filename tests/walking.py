"""One test that walks many small cases: all of them run, and those that fail are told by name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

FAILED = (Exception, pytest.fail.Exception, pytest.skip.Exception, pytest.xfail.Exception)  # a walk skips nothing
Test = Callable[..., None]


def walk(names: str, cases: Iterable[Any], ids: Callable[[Any], str] = repr) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, within one test: for cases that take less time than a test of their own would.

    Cases share the test's fixtures, so none may change them. `ids` names a value where a case fails.
    """
    arguments, listed = [name.strip() for name in names.split(",")], list(cases)
    assert listed, "a walk over nothing holds nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test, updated=())
        def walker(**fixtures: Any) -> None:
            failures = []
            for case in listed:
                values = dict(zip(arguments, case if len(arguments) > 1 else (case,), strict=True))
                try:
                    test(**fixtures, **values)
                except FAILED as error:
                    failures.append((", ".join(f"{name}={ids(value)}" for name, value in values.items()), error))
            tell(failures, len(listed))

        wanted = inspect.signature(test)
        walker.__signature__ = wanted.replace(  # type: ignore[attr-defined]
            parameters=[value for name, value in wanted.parameters.items() if name not in arguments]
        )
        walker.pytestmark = list(getattr(test, "pytestmark", []))  # type: ignore[attr-defined]
        return walker

    return decorate


def tell(failures: Sequence[tuple[str, BaseException]], cases: int) -> None:
    """Raise the first of what failed, if anything did, with its case; the others are told beneath it."""
    if not failures:
        return
    (name, first), *others = failures
    first.add_note(f"in the case of {name}; {len(failures)} of {cases} cases fail")
    for other, error in others:
        first.add_note(f"so does {other}: {type(error).__name__}: {error}")
    raise first
