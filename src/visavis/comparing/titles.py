"""A title in plain language, where the user gives none: what is compared, which groups, and when."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from visavis.comparing.moments import moments_of
from visavis.comparing.options import CompareOptions
from visavis.corpus.choosing import REST
from visavis.records import Document, Grouping
from visavis.report.facts import compared_by
from visavis.report.periods import called, said, span
from visavis.report.text import shorten
from visavis.shared.periods import LABELS, believable_range, read_label

MOST_NAMED = 3  # groups in a title
LONGEST_NAMES = 60  # characters of all of them
LONGEST_FILTER = 90

_JOINED = re.compile(r"\s+and\s+")
_EQUALS = re.compile(r"""(?P<column>\w+|`[^`]+`)\s*==\s*(?P<quote>["'])(?P<value>[^"']+)(?P=quote)""")
_HOLDS = re.compile(r"""(?:\w+|`[^`]+`)\s+contains\s+(?P<quote>["'])(?P<value>[^"']+)(?P=quote)""")
_LIMIT = re.compile(
    r"""(?P<column>\w+|`[^`]+`)\s*(?P<sign><=|<|>=|>|==)\s*(?P<quote>["']?)(?P<value>[\w.:-]+)(?P=quote)"""
)
_ABOUT = re.compile(r"(?P<column>\w+|`[^`]+`)\s*(?:==|!=|in\b)(?:(?!\bor\b).)*")  # one condition on a column
_SIGNS = {"<=": "≤", ">=": "≥", "==": "="}


def make_title(grouping: Grouping, options: CompareOptions) -> str:
    """For instance "Immigration, left against right, 2012–2020"."""
    corpus = grouping.corpus
    in_names = _are_periods(grouping.names) and len(grouping.names) <= 2
    when = "" if in_names else _when(corpus.documents)
    dates = {"date", corpus.columns.get("date", "")} if when or in_names else set()
    about = subject(corpus.origin, options.filter, dates, grouping.by)
    return ", ".join(part for part in (about, groups_in_words(grouping.names, grouping.by), when) if part)


def subject(origin: str, expression: str | None, dates: Collection[str] = (), by: str = "") -> str:
    """What the documents are about: what the filter asks for, else the file's name.

    Limits of columns that hold `dates` are left to the title's time, and what is asked of the column that groups are
    made `by` to their names. What is no simple condition stands as written.
    """
    file = Path(origin.partition("::")[0]).name.partition(".")[0]
    name = _plain("documents" if file.startswith("the ") else file or "documents")  # as "the list" of a Python caller
    topics, limits = [], []
    for part in _JOINED.split((expression or "").strip()):
        equals, holds, limit, about = (rule.fullmatch(part.strip()) for rule in (_EQUALS, _HOLDS, _LIMIT, _ABOUT))
        if about and about["column"].strip("`") == by:
            continue
        if equals:
            topics.append(_plain(equals["value"]))
        elif holds:
            topics.append(f"“{holds['value']}”")
        elif limit:
            limits += [_limit(limit)] if limit["column"].strip("`") not in dates else []
        elif part:
            return f"{name} where {shorten(expression or '', LONGEST_FILTER)}"
    return ", ".join([*(topics or [name]), *limits])


def _limit(found: re.Match[str]) -> str:
    column = _plain(found["column"].strip("`"))
    return f"{column[:1].lower()}{column[1:]} {_SIGNS.get(found['sign'], found['sign'])} {found['value']}"


def groups_in_words(names: Sequence[str], by: str) -> str:
    """The groups by name where they are few, else by what they are told apart."""
    if len(names) == 1:
        return called(names[0])
    told = compared_by(by)
    if told in LABELS and len(names) > 2:
        return f"{told} by {told}"
    spoken = ["the rest" if name == REST and at == len(names) - 1 else called(name) for at, name in enumerate(names)]
    if len(names) <= MOST_NAMED and sum(map(len, spoken)) <= LONGEST_NAMES:
        return " against ".join(spoken) if len(names) == 2 else f"{', '.join(spoken[:-1])} and {spoken[-1]}"
    return f"{len(names)} groups by {told}"


def _are_periods(names: Sequence[str]) -> bool:
    return all(said(name) != name or read_label(name) is not None for name in names)


def _when(documents: Sequence[Document]) -> str:
    """The time the documents are from, a few strays aside; empty unless half of them have a date."""
    days = sorted(moment.date() for moment in moments_of(documents) if moment is not None)
    if len(days) < max(2, len(documents) / 2):
        return ""
    low, high = believable_range(days)
    near = [day for day in days if low <= day <= high]
    return span(near[0], near[-1])


def _plain(name: str) -> str:
    """A name as people write it: "gun_control" is "Gun control"."""
    words = " ".join(re.split(r"[\s_]+", name)).strip()
    return words[:1].upper() + words[1:]
