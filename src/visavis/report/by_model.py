"""A model's headline in reports: its sentences with the picks they cite, who wrote them, and what was dropped."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import Headline, Sentence, Summary
from visavis.report.facts import group_key
from visavis.report.text import plural
from visavis.shared.text import line


@dataclass(frozen=True)
class Cited:
    """A pick that a sentence cites: its key, and its rank (and group, if it is another) where there are no keys."""

    key: str
    called: str


@dataclass(frozen=True)
class ShownSentence:
    """A sentence as shown: the place and name of its group, what it says, and what it cites."""

    index: int
    group: str
    text: str
    cites: tuple[Cited, ...]


@dataclass(frozen=True)
class ByModel:
    """What a model wrote, as a report tells it: its sentences, who wrote them from what, and what was dropped."""

    sentences: list[ShownSentence]
    about: str
    dropped: list[str]


def read(summary: Summary) -> ByModel | None:
    """The headline of a summary; None where none was asked for."""
    if summary.headline is None:
        return None
    return ByModel(_sentences(summary, summary.headline), about(summary.headline), dropped(summary.headline))


def _sentences(summary: Summary, headline: Headline) -> list[ShownSentence]:
    """The sentences that passed, in the order of the groups."""
    places = {group.name: place for place, group in enumerate(summary.groups)}
    return [
        ShownSentence(places[one.group], line(one.group) or "(unnamed)", line(one.text), _cites(one, summary))
        for one in headline.shown
        if one.group in places
    ]


def _cites(sentence: Sentence, summary: Summary) -> tuple[Cited, ...]:
    cited = set(zip(sentence.cited_groups, sentence.cites, strict=True))
    return tuple(
        Cited(
            f"{group_key(place)}{pick.rank}",
            str(pick.rank) if group.name == sentence.group else f"{pick.rank} of {line(group.name)}",
        )
        for place, group in enumerate(summary.groups)
        for pick in group.picks
        if (group.name, pick.document.id) in cited
    )


def about(headline: Headline) -> str:
    """Who wrote the sentences, from what, and how they were checked; or why there are none."""
    model, sent = line(headline.model), sent_to(headline)
    if headline.shown:
        return (
            f"Written by the model {model}, not by a person; {sent}. Each sentence cites picks, shares their words and "
            "tells its group from the rest among documents that the model was not shown."
        )
    return f"No headline by the model {model}: {line(headline.missing) or 'no sentence passed the checks'}; {sent}."


def in_short(headline: Headline) -> str:
    """What was sent where, and what came of it."""
    came = line(headline.missing)
    if not came:
        came = f"{len(headline.shown)} of {plural(len(headline.sentences), 'sentence')} passed the checks"
    return f"{sent_to(headline)} (model {line(headline.model)}); {came}"


def sent_to(headline: Headline) -> str:
    """What left this machine, and where it went."""
    count = headline.texts_sent
    if not count:
        return f"nothing was sent to {line(headline.host)}"
    return f"{plural(count, 'text')} {'was' if count == 1 else 'were'} sent to {line(headline.host)}"


def dropped(headline: Headline) -> list[str]:
    """The sentences that were dropped, each with the reason; of what might mislead the reason alone."""
    return [
        f"{line(one.group) + ': ' if one.group else ''}{f'“{line(one.text)}” ' if one.text else 'a sentence '}"
        f"was dropped: {line(one.dropped)}"
        for one in headline.dropped
    ]
