"""How a column's value is compared with one that is written down: as a date, a number, a truth value or text."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from visavis.corpus.dates import parse_date
from visavis.corpus.fields import MOST_KNOWN, SHORT, Column, as_number, is_blank, items_of
from visavis.errors import InvalidParameter
from visavis.records import Document
from visavis.shared.periods import following

Literal = str | int | float | bool
Check = Callable[[Any], bool]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_PRECISION = re.compile(r"(?P<year>\d{4})(?P<month>-\d{2})?(?P<day>-\d{2})?", re.ASCII)


def compare(
    column: Column, symbol: str, literal: Literal | Sequence[Literal], where: str
) -> Callable[[Document], bool]:
    """A test of one column; a missing value passes none. Raises InvalidParameter for what cannot be compared."""
    if isinstance(literal, Sequence) and not isinstance(literal, str):
        checks = [_check(column, "==", item, where) for item in literal]
        return _unless_blank(column, lambda value: any(check(value) for check in checks))
    return _unless_blank(column, _check(column, symbol, literal, where))


def _unless_blank(column: Column, check: Check) -> Callable[[Document], bool]:
    def passes(value: Any) -> bool:
        return not is_blank(value) and check(value)

    known = lru_cache(MOST_KNOWN)(passes)  # most columns have few values

    def test(document: Document) -> bool:
        value = column.read(document)
        return known(value) if isinstance(value, str) and len(value) <= SHORT else passes(value)

    return test


def _check(column: Column, symbol: str, literal: Literal, where: str) -> Check:
    if column.is_date:
        return _date_check(column, symbol, literal, where)
    check = _value_check(symbol, literal, where)
    every = all if symbol == "!=" else any

    def of_items(value: Any) -> bool:
        """A list passes if an item does, and differs if all of them do; one of blanks is a missing value."""
        items = items_of(value)
        if items is None:
            return check(value)
        there = [item for item in items if not is_blank(item)]
        written = [value] if isinstance(value, str) else []
        return bool(there) and every(check(item) for item in (*written, *there))

    return of_items


def _value_check(symbol: str, literal: Literal, where: str) -> Check:
    if symbol == "contains":
        part = str(literal).casefold()
        return lambda value: part in str(value).casefold()
    if isinstance(literal, bool):
        if symbol not in ("==", "!="):
            raise InvalidParameter(f"{where}{symbol!r} has no meaning for true and false: use == or !=")
        return lambda value: (_truth(value) is literal) is (symbol == "==")
    if isinstance(literal, str):
        return _text_check(symbol, literal)
    return _number_check(symbol, literal)


def _text_check(symbol: str, literal: str) -> Check:
    """Numbers are put in order as numbers, even if the literal stands in quotes."""
    relation, as_numbers = _COMPARE[symbol], as_number(literal)

    def check(value: Any) -> bool:
        if isinstance(value, str) or symbol in ("==", "!="):
            return relation(str(value).strip(), literal.strip())
        number = as_number(value)
        return number is not None and as_numbers is not None and relation(number, as_numbers)

    return check


def _number_check(symbol: str, literal: float) -> Check:
    """What is no number differs from every number and stands in no order with it."""
    relation = _COMPARE[symbol]

    def check(value: Any) -> bool:
        number = as_number(value)
        return symbol == "!=" if number is None else relation(number, literal)

    return check


def _date_check(column: Column, symbol: str, literal: Literal, where: str) -> Check:
    """A day, month or year stands for all of it: == is within, <= up to its end, > after its end."""
    if symbol == "contains" or not isinstance(literal, str):
        raise InvalidParameter(f"{where}{column.name!r} holds dates: compare it with one in quotes, '2018-03-05'")
    start, stop = _extent(literal, column, where)
    checks: dict[str, Check] = {
        "==": lambda moment: start <= moment < stop,
        "!=": lambda moment: not start <= moment < stop,
        "<": lambda moment: moment < start,
        "<=": lambda moment: moment < stop,
        ">": lambda moment: moment >= stop,
        ">=": lambda moment: moment >= start,
    }
    check = checks[symbol]
    return lambda moment: check(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _extent(literal: str, column: Column, where: str) -> tuple[datetime, datetime]:
    parsed = parse_date(literal)
    start = parsed.moment
    if start is None or parsed.ambiguous or start.year > 9000:
        why = parsed.why or "it could be read in two ways" * parsed.ambiguous or "too far off"
        raise InvalidParameter(f"{where}{literal!r} is no clear date for {column.name!r} ({why}): write 2018-03-05")
    precision = _PRECISION.fullmatch(literal.strip())
    if precision is None:
        return start, start + timedelta(microseconds=1)
    unit = "day" if precision["day"] else "month" if precision["month"] else "year"
    return start, following(start, unit)


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().casefold())
    return bool(value) if isinstance(value, bool) or type(value).__name__ == "bool" else None
