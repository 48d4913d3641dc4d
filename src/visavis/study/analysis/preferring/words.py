"""What preferences say, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from visavis.shared.statistics import ALPHA
from visavis.study.analysis.preferring.counting import PEOPLE
from visavis.study.analysis.preferring.results import MethodPair, PreferenceAnalysis, Readers, Versus
from visavis.study.analysis.preferring.statistics import FEWEST, sign_test
from visavis.study.analysis.words import agreement, kappa, listed, not_counted, p_value, percent, plural, seconds, span
from visavis.study.records import REHEARSED

SIDED = 0.01  # p below which the place on the page, not the summary, may have decided
REASON_WORDS = {
    "represents": "represents the groups",
    "difference": "shows how they differ",
    "variety": "does not repeat itself",
    "worth": "is worth reading",
}


def overview(analysis: PreferenceAnalysis) -> Iterator[str]:
    """The size of the study, a sentence for each kind of readers."""
    for readers in analysis.readers:
        wanted = ""
        if readers.name == PEOPLE and analysis.planned is not None and readers.answers < analysis.planned:
            wanted = f" of the {analysis.planned:,} planned"
        named = {
            PEOPLE: plural(readers.readers, "person", "people"),
            REHEARSED: "Simulated workers, who are no people,",
        }
        who = named.get(readers.name, f"The machine {readers.name}")
        told = (
            f"{who} said of {plural(readers.answers, 'page')}{wanted} which of two summaries serves a reader better: "
            f"{plural(readers.comparisons, 'comparison')} on {plural(readers.materials, 'set')} of documents, of "
            f"{plural(len(readers.pairs), 'pair')} of methods."
        )
        yield told + not_counted("answer", readers.gold, readers.gold_correct, readers.excluded)
    if analysis.alike:
        yield (
            f"{plural(analysis.alike, 'comparison')} {'was' if analysis.alike == 1 else 'were'} not asked: both "
            f"methods picked the same documents, which is a tie."
        )


def findings(readers: Readers) -> Iterator[str]:
    """The results of one kind of readers, sentence by sentence."""
    for pair in readers.pairs:
        yield _preferred(pair)
    if len(readers.strengths) > 2:
        yield _strongest(readers)
    if readers.same is not None:
        yield (
            f"Two readers of the same comparison preferred the same summary in {percent(readers.same)} of cases, an "
            f"agreement usually called {agreement(readers.kappa)} (Fleiss κ {kappa(readers.kappa)})."
        )
    yield from _reasons(readers)
    yield _side(readers)
    if readers.seconds is not None:
        yield f"On average a page took {seconds(readers.seconds)}."


def _preferred(pair: MethodPair) -> str:
    """Two methods in one sentence, the one that is ahead first."""
    ahead = pair.share >= 0.5
    better, worse = (pair.first, pair.second) if ahead else (pair.second, pair.first)
    share = pair.share if ahead else 1 - pair.share
    interval = pair.interval
    if interval is not None and not ahead:
        interval = (1 - interval[1], 1 - interval[0])
    wins, losses = (pair.wins, pair.losses) if ahead else (pair.losses, pair.wins)
    told = (
        f"{better} was preferred to {worse} by {percent(share)} of readers"
        f"{f' (95 % interval {span(interval)})' if interval else ''}: {wins} : {losses} comparisons"
        f"{f', {pair.ties} undecided' if pair.ties else ''}"
    )
    if pair.adjusted < ALPHA:
        return f"{told}, which shows a preference ({_p(pair.adjusted)} after Holm's correction)."
    if pair.p < ALPHA:
        return f"{told}, which shows a preference only before Holm's correction ({_p(pair.p)})."
    return f"{told}, which shows no preference ({_p(pair.adjusted)})."


def _p(value: float) -> str:
    written = p_value(value)
    return f"p {written}" if written.startswith("<") else f"p = {written}"


def _strongest(readers: Readers) -> str:
    best, *rest = readers.strengths
    interval = f", 95 % interval {span(best.interval)}" if best.interval else ""
    others = [f"{one.method} {percent(one.share)}" for one in rest]
    told = (
        f"Over all comparisons, by the model of Bradley and Terry, {best.method} would be preferred to another of "
        f"these methods in {percent(best.share)} of cases{interval}; {listed(others)}."
    )
    if readers.materials < FEWEST:
        told += f" For intervals {FEWEST} sets of documents are needed, and there are {readers.materials}."
    return told


def _reasons(readers: Readers) -> Iterator[str]:
    for one in readers.reasons:
        given = sorted((each for each in one.given if each[1]), key=lambda each: -each[1])
        if given:
            told = [f"it {REASON_WORDS[name]} ({percent(count / one.preferred)})" for name, count in given]
            yield f"Who preferred {one.method} said why: {listed(told)}."


def _side(readers: Readers) -> str:
    share, other = readers.on_the_left / readers.answers, readers.answers - readers.on_the_left
    told = f"The summary called X was preferred in {percent(share)} of answers"
    p = sign_test(readers.on_the_left, other)
    if p < SIDED:
        return f"{told} ({_p(p)}): its place on the page had a part in it, which balanced sides make up for."
    return f"{told}, about as often as by chance."


def beside_people(versus: tuple[Versus, ...]) -> Iterator[str]:
    """How machines compare with people, a sentence for each machine and pair of methods."""
    for one in versus:
        told = (
            f"On {plural(one.comparisons, 'comparison')} of {one.first} and {one.second} that people answered too, "
            f"{one.machine} preferred the same summary as most people in {one.same} of {one.decided}"
        )
        points = f"{100 * one.difference:+.1f}".replace("-", "−")
        ends = f" (95 % interval {span(one.interval, signed=True)})" if one.interval else ""
        yield f"{told}; its share for {one.first} is {points} points from people's{ends}."
