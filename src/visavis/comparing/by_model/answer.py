"""What a model answered, read as a stranger's text: the strict form, or a reason why it is not used."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from visavis.chat import holds_key
from visavis.comparing.by_model.prompt import Quoted
from visavis.errors import Unanswered
from visavis.records import Sentence
from visavis.shared.text import line

LONGEST = 300  # characters of a sentence

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n\s*```\s*", re.DOTALL | re.IGNORECASE)
_JOINERS = "\u200c\u200d"  # invisible, but some scripts are misspelled without them
_KEY = re.compile(r"[A-Z]{1,2}\d+")
_CITED = re.compile(rf"\s*[\[(]{_KEY.pattern}(?:[,; ]+{_KEY.pattern})*[\])]")
_ADDRESS = re.compile(r"://|\w@\w|\bwww\.|[^\W_][\w-]*\.[^\W\d_]{2,}", re.IGNORECASE)
_MARKUP = re.compile(r"[<>{}`*|\\\[\]]|&#?\w+;")


@dataclass(frozen=True)
class Proposal:
    """A sentence in due form: the place of its group, and the picks it cites."""

    group: int
    text: str
    cites: tuple[Quoted, ...]


def read_answer(
    answer: str, names: Sequence[str], quoted: Sequence[Quoted]
) -> tuple[tuple[Proposal, ...], tuple[Sentence, ...]]:
    """The sentences that are in due form, one a group at most, and those that are not, each with the reason.

    Raises Unanswered where the answer as a whole is not in form.
    """
    items = read_json(answer)
    if items == []:
        raise Unanswered("the model found nothing that the documents of one group have in common and the others lack")
    if not isinstance(items, list):
        raise Unanswered("the model's answer is not in the form that was asked for: it is no list of sentences")
    proposals: dict[int, Proposal] = {}
    dropped = []
    for item in items[: 2 * len(names)]:
        found = _read(item, names, quoted)
        if isinstance(found, Proposal) and found.group not in proposals:
            proposals[found.group] = found
        elif isinstance(found, Proposal):
            dropped.append(Sentence(names[found.group], found.text, dropped="it is a second one on the same group"))
        else:
            dropped.append(found)
    if len(items) > 2 * len(names):
        dropped.append(Sentence("", "", dropped=f"{len(items) - 2 * len(names):,} more than could be read"))
    return tuple(proposals.values()), tuple(dropped)


def read_json(answer: str) -> Any:
    """The JSON that an answer is, in a fence or without. Raises Unanswered where it is none."""
    fenced = _FENCE.fullmatch(answer)
    try:
        return json.loads(fenced[1] if fenced else answer)
    except (ValueError, RecursionError):
        raise Unanswered("the model's answer is not in the form that was asked for: it is no JSON") from None


def plain(text: str) -> str:
    """One line of what can be seen: no control characters, nothing invisible but what joins letters."""
    return line("".join(sign for sign in line(text) if unicodedata.category(sign)[0] != "C" or sign in _JOINERS))


def _read(item: Any, names: Sequence[str], quoted: Sequence[Quoted]) -> Proposal | Sentence:
    """A sentence in due form, or one that is dropped; what might mislead is not repeated, not even as dropped."""
    if not isinstance(item, Mapping) or not all(isinstance(item.get(key), str) for key in ("group", "sentence")):
        return Sentence("", "", dropped="it is not in the form that was asked for")
    groups = [place for place, name in enumerate(names) if plain(name) == plain(item["group"])]
    text = _uncited(plain(item["sentence"]), {one.key for one in quoted})
    if len(groups) != 1:
        return Sentence("", "", dropped="it is about no group of this comparison")
    (group,) = groups
    why = misleading(text)
    if why:
        return Sentence(names[group], "", dropped=why)
    given = item.get("cites")
    keys: list[Any] = given if isinstance(given, list) else []
    cites = tuple(one for one in quoted if one.key in keys)
    if not cites or any(key not in [one.key for one in cites] for key in keys):
        return Sentence(names[group], text, dropped="it cites no picks, or some that there are not")
    if all(one.group != group for one in cites):
        return Sentence(names[group], text, dropped="it cites no pick of its own group")
    return Proposal(group, text, cites)


def _uncited(text: str, keys: set[str]) -> str:
    """The text without citations of picks, which are said elsewhere; brackets with anything else, "(G7)", stay."""
    return _CITED.sub(lambda found: "" if keys.issuperset(_KEY.findall(found[0])) else found[0], text)


def misleading(text: str) -> str:
    """Why a text should be seen by nobody; blank if it may be."""
    if not text:
        return "it is empty"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if holds_key(text):
        return "it repeats the key"
    if _ADDRESS.search(unicodedata.normalize("NFKC", text)):
        return "it holds an address"
    return "it holds markup" if _MARKUP.search(text) else ""
