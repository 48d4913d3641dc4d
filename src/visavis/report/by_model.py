"""What models said, in reports: a headline, who wrote it of what, and what was dropped; what one said of picks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from visavis.records import Headline, PicksRead, Refused, Sentence, Summary
from visavis.report.facts import group_key
from visavis.report.periods import called
from visavis.report.text import plural, shorten
from visavis.shared.text import isolate, line

MOST_NAMED, LONGEST_CALLED = 8, 60  # picks that are named, and characters of what they are called


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


def picks_read(read: PicksRead, known: Mapping[str, str]) -> list[str]:
    """What became of picks that a model read, in sentences for the notes; `known` is what documents are called."""
    who = f"the model {line(read.model)}"
    refused = [_refused(one, known) for one in read.refused[:MOST_NAMED]]
    more = len(read.refused) - len(refused)
    refused += [f"and {more:,} more"] if more > 0 else []
    found = [f"{who} read the picks before they were shown ({sent_to(read)})"] if read.texts_sent else []
    if refused:
        count = plural(len(read.refused), "document")
        found.append(f"others stand where {who} refused {count} that would have been shown: {'; '.join(refused)}")
    if read.kept:
        found.append(
            f"{who} would have refused {read.kept:,} more, of groups with nothing else to show or that lost many"
        )
    if read.missing:
        found.append(f"{who} was to read the picks, and did not, or not to the end: {line(read.missing)}")
    if read.unread:
        found.append(f"{who} has not read {plural(read.unread, 'pick')} of those that are shown")
    return found


def _refused(one: Refused, known: Mapping[str, str]) -> str:
    name, other = (f"“{isolate(shorten(known.get(id, id), LONGEST_CALLED))}”" for id in (one.id, one.like))
    why = f"the same event as {other}" if one.like else f"“{isolate(line(one.why))}”" if one.why else ""
    return f"{name} of {isolate(called(one.group)) or '(unnamed)'}{f' ({why})' if why else ''}"


def picks_read_in_short(read: PicksRead) -> str:
    """The same in a line, for a terminal."""
    came = [f"{plural(len(read.refused), 'document')} refused"] if read.texts_sent else []
    came += [line(read.missing)] if read.missing else []
    came += [f"{plural(read.unread, 'pick')} not read"] if read.unread else []
    return f"{sent_to(read)} (model {line(read.model)}); {', '.join(came)}"


def sent_to(told: Headline | PicksRead) -> str:
    """What left this machine, and where it went."""
    count = told.texts_sent
    if not count:
        return f"nothing was sent to {line(told.host)}"
    return f"{plural(count, 'text')} {'was' if count == 1 else 'were'} sent to {line(told.host)}"


def dropped(headline: Headline) -> list[str]:
    """The sentences that were dropped, each with the reason; of what might mislead the reason alone."""
    return [
        f"{line(one.group) + ': ' if one.group else ''}{f'“{line(one.text)}” ' if one.text else 'a sentence '}"
        f"was dropped: {line(one.dropped)}"
        for one in headline.dropped
    ]
