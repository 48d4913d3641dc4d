"""A small language that says which documents to keep, such as `topic == 'elections' and date >= '2018-03'`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from visavis.corpus.comparisons import Literal, compare
from visavis.corpus.fields import ROLES, Column, find_column, is_blank, role_column
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Document
from visavis.shared.names import unknown

DEEPEST, LONGEST = 50, 4_000
Test = Callable[[Document], bool]

_WORDS = ("and", "or", "not", "in", "contains", "true", "false")
_ORDERED = ("==", "!=", "<", "<=", ">", ">=")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<name>[^\W\d][\w.-]*)"
    r"|`(?P<quoted>[^`]+)`"
    r"|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    r"|(?P<mark>==|!=|<=|>=|[<>()\[\],]))"
)


def matches(expression: str, corpus: Corpus | None = None) -> Test:
    """A test for documents: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in [..]` and `contains`, joined by and, or, not, ( ).

    A column stands on the left, by role or name (in backticks if it is no plain word), a value on the right. Missing
    values fail every comparison; `contains` ignores case; the date role is compared with dates, where 2018-03 is the
    whole month. Columns are looked up in the corpus if there is one, else in each document. Raises InvalidParameter,
    with the character at fault, for what is not in the language, and UnknownName for a column that is not there.
    """
    if len(expression) > LONGEST:
        raise InvalidParameter(f"the filter has {len(expression)} characters: at most {LONGEST} are read")
    return _Parser(expression, corpus).parse()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int

    def shown(self) -> str:
        return repr(self.text) if self.kind != "end" else "the end"


def _tokens(expression: str) -> Iterator[_Token]:
    at = 0
    while match := _TOKEN.match(expression, at):
        kind = str(match.lastgroup)
        start = match.start(kind) - (kind in ("quoted", "single", "double"))
        text = match[kind]
        if kind == "name" and text in _WORDS:
            kind = "word"
        yield _Token({"quoted": "name", "single": "string", "double": "string"}.get(kind, kind), text, start + 1)
        at = match.end()
    rest = expression[at:].lstrip()
    if rest:
        where = len(expression) - len(rest) + 1
        what = "a quote that is never closed" if rest[0] in "'\"`" else f"unexpected {rest[0]!r}"
        raise InvalidParameter(f"filter: {what} at character {where}{_advice(rest)}")
    yield _Token("end", "", len(expression) + 1)


def _advice(rest: str) -> str:
    if rest[0] == "=":
        return "; write == to compare"
    return "; write and, or, not" if rest[0] in "&|!" else ""


class _Parser:
    """Recursive descent: or, and, not, then parentheses or one comparison."""

    def __init__(self, expression: str, corpus: Corpus | None) -> None:
        self._tokens = list(_tokens(expression))
        self._next = 0
        self._corpus = corpus

    def parse(self) -> Test:
        test = self._either(0)
        if self._here.kind != "end":
            raise self._expected("'and' or 'or'")
        return test

    @property
    def _here(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> bool:
        found = self._here.kind in ("word", "mark") and self._here.text in texts
        self._next += found
        return found

    def _expected(self, what: str) -> InvalidParameter:
        here = self._here
        after = f" after {self._tokens[self._next - 1].text!r}" if self._next else ""
        found = f", found {here.shown()}" if here.kind != "end" else ""
        return InvalidParameter(f"filter: expected {what}{after} at character {here.at}{found}")

    def _either(self, depth: int) -> Test:
        parts = [self._both(depth)]
        while self._take("or"):
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else lambda document: any(part(document) for part in parts)

    def _both(self, depth: int) -> Test:
        parts = [self._negation(depth)]
        while self._take("and"):
            parts.append(self._negation(depth))
        return parts[0] if len(parts) == 1 else lambda document: all(part(document) for part in parts)

    def _negation(self, depth: int) -> Test:
        if depth > DEEPEST:
            raise InvalidParameter(f"filter: nested deeper than {DEEPEST} at character {self._here.at}")
        if self._take("not"):
            inner = self._negation(depth + 1)
            return lambda document: not inner(document)
        if self._take("("):
            inner = self._either(depth + 1)
            if not self._take(")"):
                raise self._expected("')'")
            return inner
        return self._comparison()

    def _comparison(self) -> Test:
        if self._here.kind != "name":
            raise self._expected("a column")
        column = self._column(self._here.text)
        self._next += 1
        negated = self._take("not")
        if not self._take(*(() if negated else _ORDERED), "in", "contains"):
            raise self._expected("'in' or 'contains'" if negated else "a comparison")
        operator = self._tokens[self._next - 1]
        literal: Literal | list[Literal] = self._list() if operator.text == "in" else self._literal()
        test = compare(column, operator.text, literal, f"filter: at character {operator.at}, ")
        return _reversed(column, test) if negated else test

    def _list(self) -> list[Literal]:
        if not self._take("["):
            raise self._expected("a list in [ ]")
        items: list[Literal] = []
        while not self._take("]"):
            items.append(self._literal())
            if not self._take(",") and not (self._here.text == "]" and self._here.kind == "mark"):
                raise self._expected("',' or ']'")
        return items

    def _literal(self) -> Literal:
        here = self._here
        if here.kind == "string":
            value: Literal = here.text
        elif here.kind == "number":
            value = int(here.text) if here.text.lstrip("+-").isdigit() else float(here.text)
            if isinstance(value, float) and math.isinf(value):
                raise InvalidParameter(f"filter: the number at character {here.at} is too large")
        elif here.kind == "word" and here.text in ("true", "false"):
            value = here.text == "true"
        else:
            hint = f" (text stands in quotes: {here.text!r})" if here.kind == "name" else ""
            raise self._expected(f"a text in quotes, a number, true or false{hint}")
        self._next += 1
        return value

    def _column(self, name: str) -> Column:
        if self._corpus is not None:
            return find_column(name, self._corpus)
        if name in ROLES:
            return role_column(name)
        return Column(name, lambda document: _field_of(document, name))


def _reversed(column: Column, test: Test) -> Test:
    """`not in` and `not contains`, which a missing value fails like every other comparison."""
    return lambda document: not is_blank(column.read(document)) and not test(document)


def _field_of(document: Document, name: str) -> object:
    if name not in document.fields:
        raise unknown("column", name, [*ROLES, *document.fields])
    return document.fields[name]
