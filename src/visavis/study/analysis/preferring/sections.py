"""The report on preferences before it has a format."""

from __future__ import annotations

from collections.abc import Iterator

from visavis.study.analysis.preferring import words
from visavis.study.analysis.preferring.counting import PEOPLE
from visavis.study.analysis.preferring.results import PreferenceAnalysis, Readers
from visavis.study.analysis.preferring.statistics import DRAWN, FEWEST
from visavis.study.analysis.results import Comment
from visavis.study.analysis.sections import Figure, Section
from visavis.study.analysis.tables import Table
from visavis.study.analysis.words import kappa, p_value, percent, reader, span
from visavis.study.preferences import CLEARNESS


def sections(analysis: PreferenceAnalysis) -> Iterator[Section]:
    """All parts in order: people, machines, machines beside people, comments, how it was made."""
    for place, readers in enumerate(analysis.readers):
        heading = f"What {reader('' if readers.name == PEOPLE else readers.name)} preferred"
        yield Section(heading, tuple(words.findings(readers)), tuple(_tables(readers)), tuple(_figures(readers, place)))
    if analysis.versus:
        yield Section(
            "Machines beside people", tuple(words.beside_people(analysis.versus)), (_versus(analysis),)
        )  # fmt: skip
    if analysis.comments:
        quotes = tuple((one.text, "gold" if one.gold else _about(one)) for one in analysis.comments)
        yield Section("What readers wrote", (f"{len(quotes)} pages came back with a comment.",), quotes=quotes)
    yield Section("How this was made", tuple(_making(analysis)))


def _about(comment: Comment) -> str:
    return f"{comment.method}; {comment.pair[0]} and {comment.pair[1]}"


def _tables(readers: Readers) -> Iterator[Table]:
    yield _preferences(readers)
    if readers.strengths:
        yield Table(
            "Strengths (Bradley and Terry): how often a method would be preferred to another of these",
            ("method", "preferred", "95 % interval"),
            tuple((one.method, percent(one.share), span(one.interval)) for one in readers.strengths),
        )
    yield _clearness(readers)
    yield Table(
        "Why: of the answers that preferred a method, how many gave each reason",
        ("method", "preferred", *words.REASON_WORDS.values()),
        tuple((one.method, str(one.preferred), *(f"{count}" for _, count in one.given)) for one in readers.reasons),
    )
    if readers.flags:
        yield _flags(readers)


def _preferences(readers: Readers) -> Table:
    return Table(
        "Preferences: how many readers preferred the first method's summary to the second's",
        ("first", "second", "answers", "share", "95 % interval", "comparisons", "undecided", "p", "p (Holm)"),
        tuple(
            (
                pair.first, pair.second, f"{pair.answers[0]} : {pair.answers[1]}", percent(pair.share),
                span(pair.interval), f"{pair.wins} : {pair.losses}", str(pair.ties), p_value(pair.p),
                p_value(pair.adjusted),
            )
            for pair in readers.pairs
        ),
        labels=2,
    )  # fmt: skip


def _clearness(readers: Readers) -> Table:
    return Table(
        "How clearly, answers for the first : for the second",
        ("first", "second", *CLEARNESS.values(), "two readers agree", "κ"),
        tuple(
            (
                pair.first, pair.second, *(f"{a} : {b}" for a, b in pair.clearness),
                "–" if pair.same is None else percent(pair.same), kappa(pair.kappa),
            )
            for pair in readers.pairs
        ),
        labels=2,
    )  # fmt: skip


def _flags(readers: Readers) -> Table:
    return Table(
        "Workers with a flag, who are counted above, and the share of the first method without them",
        ("flag", "workers", "answers", "golds right", *(f"{pair.first} to {pair.second}" for pair in readers.pairs)),
        tuple(
            (
                one.kind, str(one.readers), str(one.answers), f"{one.gold_correct} of {one.gold}",
                *("–" if share is None else percent(share) for share in one.without),
            )
            for one in readers.flags
        ),
    )  # fmt: skip


def _figures(readers: Readers, place: int) -> Iterator[Figure]:
    who = "people" if readers.name == PEOPLE else readers.name
    yield Figure(
        "preferences",
        f"How often {who} preferred each method's summary to another's: the dot is the share of readers, the line its "
        f"95 % interval; at the dashed line neither is preferred.",
        f"preferences-{place}",
        place,
    )
    if any(count for one in readers.reasons for _, count in one.given):
        yield Figure(
            "reasons",
            f"Why {who} preferred a summary: the share of the answers for a method that gave each reason.",
            f"reasons-{place}",
            place,
        )


def _versus(analysis: PreferenceAnalysis) -> Table:
    return Table(
        "Machines and people on the same comparisons",
        ("machine", "first", "second", "comparisons", "same majority", "difference of shares", "95 % interval"),
        tuple(
            (
                one.machine, one.first, one.second, str(one.comparisons), f"{one.same} of {one.decided}",
                f"{100 * one.difference:+.1f} %".replace("-", "−"), span(one.interval, signed=True),
            )
            for one in analysis.versus
        ),
        labels=3,
    )  # fmt: skip


def _making(analysis: PreferenceAnalysis) -> Iterator[str]:
    yield (
        "A comparison is the unit, as its readers see the same two summaries and mostly agree: shares are means over "
        "comparisons; intervals are Wilson's for as many independent answers as the comparisons' spread leaves, with "
        "Student's t. Sign tests are two-sided, on the comparisons' majorities, ties dropped; Holm's correction is "
        "over all pairs of methods. Which summary was called X was balanced and is stored with every answer. Golds and "
        "answers set aside do not count."
    )
    if any(readers.materials >= FEWEST for readers in analysis.readers):
        yield (
            f"Strengths: {analysis.resamples:,} draws of the sets of documents, each with all its comparisons, seed "
            f"{analysis.seed}; {DRAWN:g} imaginary comparison a pair of methods, a draw, keeps them finite."
        )
    materials = max(readers.materials for readers in analysis.readers)
    if materials > len(analysis.groups):
        yield (
            f"The {materials} sets of documents are random halves of {len(analysis.groups)} "
            f"pair{'' if len(analysis.groups) == 1 else 's'} of groups: what is found holds for these groups."
        )
    yield from (f"Note: {note}." for note in analysis.notes)
    yield f"Made by visavis {analysis.version}."
