"""The report before it has a format: headings, sentences, tables, figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visavis.study.analysis import words
from visavis.study.analysis.intervals import FEWEST_PAIRS
from visavis.study.analysis.machine_words import machine_findings, versus_sentences
from visavis.study.analysis.more_tables import more_tables
from visavis.study.analysis.results import Analysis, MachineReader, PairScore, Reading
from visavis.study.analysis.tables import Table
from visavis.study.analysis.words import kappa, p_value, percent, seconds, span
from visavis.study.records import Pair


@dataclass(frozen=True)
class Figure:
    """A picture to be drawn from a reading (boxes, density or levels) or from the readers at a place."""

    kind: str
    caption: str
    name: str
    place: int = 0


@dataclass(frozen=True)
class Section:
    """One part of the report; `reading` is the one its figures are drawn from."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    quotes: tuple[tuple[str, str], ...] = ()
    reading: Reading | None = None


def sections(analysis: Analysis) -> Iterator[Section]:
    """All parts in order."""
    for reading in analysis.readings:
        yield Section(
            words.reading_name(reading.reading) if len(analysis.readings) > 1 else "Results",
            tuple(words.findings(reading, analysis)),
            tuple(_tables(reading, analysis)),
            tuple(_figures(reading, analysis)),
            reading=reading,
        )
    for machine in analysis.machines:
        yield machine_section(machine)
    if analysis.comments:
        quotes = tuple(
            (comment.text, _about(comment.method, comment.pair, comment.gold)) for comment in analysis.comments
        )
        yield Section("What people wrote", (f"{len(quotes)} questionnaires came back with a comment.",), quotes=quotes)
    yield Section("How this was made", tuple(_making(analysis)))


def machine_section(machine: MachineReader) -> Section:
    """What a machine made of the same questions, apart from people and against them."""
    rows = tuple(
        (m.name, f"{m.correct} of {m.judgements}", percent(m.accuracy), span(m.interval))
        for m in machine.reading.methods
    )
    tables = [Table(f"Accuracy of {machine.name}", ("method", "right", "accuracy", "95 % interval"), rows)]
    if machine.versus:
        beside = tuple(
            (v.method, str(v.questions), f"{v.same} of {v.decided}", f"{100 * v.difference:+.1f} %".replace("-", "−"),
             span(v.interval, signed=True))
            for v in machine.versus
        )  # fmt: skip
        head = ("method", "questions", "same as most people", "accuracy, less people's", "95 % interval")
        tables.append(Table(f"{machine.name} and people on the same questions", head, beside))
    sentences = (*machine_findings(machine), *versus_sentences(machine))
    return Section(f"What the machine {machine.name} made of it", sentences, tuple(tables))


def _about(method: str, pair: Pair, gold: bool) -> str:
    return f"{'gold' if gold else method}, {pair[0]} or {pair[1]}"


def _tables(reading: Reading, analysis: Analysis) -> Iterator[Table]:
    yield _methods(reading)
    yield _agreement(reading, analysis.per_question)
    if len(reading.methods) > 1:
        yield Table(
            "One-sided sign tests: is the first better than the second? Per question, how many judges were right",
            ("better", "worse", "wins", "losses", "ties", "p", "p (Holm)"),
            tuple(
                (t.better, t.worse, str(t.wins), str(t.losses), str(t.ties), p_value(t.p), p_value(t.adjusted))
                for t in reading.sign_tests
            ),
            labels=2,
        )
        yield Table(
            "Differences of accuracy" + _drawn(analysis),
            ("one", "other", "difference", "95 % interval"),
            tuple(
                (d.one, d.other, f"{100 * d.value:+.1f} %".replace("-", "−"), span(d.interval, signed=True))
                for d in reading.differences
            ),
            labels=2,
        )
    yield from more_tables(reading, analysis)
    yield _pairs(reading, analysis)


def _drawn(analysis: Analysis) -> str:
    over = "questions, for these pairs of groups alone" if len(analysis.pairs) < FEWEST_PAIRS else "pairs of groups"
    return f", with 95 % intervals over {over}"


def _methods(reading: Reading) -> Table:
    rows = [
        (
            method.name, f"{method.correct} of {method.judgements}", percent(method.accuracy), span(method.interval),
            f"{method.majority} of {method.questions}", str(method.workers), seconds(method.seconds_per_question),
            seconds(method.seconds_per_questionnaire),
        )
        for method in reading.methods
    ]  # fmt: skip
    all_ = reading.combined
    rows.append(
        (
            "all", f"{all_.correct} of {all_.judgements}", percent(all_.correct / all_.judgements), "–", "–",
            str(all_.workers), seconds(all_.seconds_per_question), seconds(all_.seconds_per_questionnaire),
        )
    )  # fmt: skip
    head = (
        "method",
        "right",
        "accuracy",
        "95 % interval",
        "right by majority",
        "people",
        "a question",
        "a questionnaire",
    )
    return Table("Accuracy, people and time", head, tuple(rows))


def _agreement(reading: Reading, full: int) -> Table:
    head = ("method", *(f"{right} of {full} right" for right in range(full, -1, -1)), "κ right/wrong", "κ group chosen")
    rows = [
        (m.name, *(str(count) for count in m.levels), kappa(m.kappa_correct), kappa(m.kappa_choice))
        for m in reading.methods
    ]
    totals = (str(sum(counts)) for counts in zip(*(m.levels for m in reading.methods), strict=True))
    rows.append(("all", *totals, kappa(reading.combined.kappa_correct), kappa(reading.combined.kappa_choice)))
    return Table("Agreement: questions by how many judges were right, and Fleiss κ", head, tuple(rows))


def _pairs(reading: Reading, analysis: Analysis) -> Table:
    """Accuracy per pair: people with each method, and classifiers on the same articles where there are some."""
    scores: list[PairScore] = [*reading.people, *(analysis.classifiers.scores if analysis.classifiers else ())]
    columns = [
        (judge, scope, method.name)
        for judge, scope in (("people", "same"), ("svm", "same"), ("1-nn", "same"), ("svm", "whole"), ("1-nn", "whole"))
        for method in reading.methods
    ]
    values = {(s.judge, s.scope, s.method, s.pair): s.value for s in scores}
    used = [column for column in columns if any((*column, pair) in values for pair in analysis.pairs)]
    rows = [
        (f"{one} / {other}", *(_cell(values.get((*column, (one, other)))) for column in used))
        for one, other in analysis.pairs
    ]
    rows.append(("mean", *(_cell(_mean([values.get((*column, pair)) for pair in analysis.pairs])) for column in used)))
    names = {"same": "", "whole": ", whole test set"}
    head = ("pair", *(f"{judge}{names[scope]}: {method}" for judge, scope, method in used))
    return Table("Accuracy on each pair of groups", head, tuple(rows))


def _mean(values: Sequence[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return sum(told) / len(told) if told else None


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _figures(reading: Reading, analysis: Analysis) -> Iterator[Figure]:
    classifiers = analysis.classifiers
    caption = "Accuracy on each pair of groups: the box holds the middle half of the pairs, the diamond is the mean."
    if classifiers is not None and classifiers.ceiling is not None:
        caption += " The dashed line is the mean accuracy of an SVM that sees all the training part."
    yield Figure("boxes", caption, f"boxes-{reading.reading}")
    if classifiers is not None:
        caption = (
            "People against an SVM trained on the same picks, on the same articles: a point is a pair of groups, "
            "larger where several coincide; darker is denser. Above the line people do better."
        )
        yield Figure("density", caption, f"density-{reading.reading}")
    yield Figure("levels", "Questions by how many of their judges were right.", f"levels-{reading.reading}")


def _making(analysis: Analysis) -> Iterator[str]:
    yield (
        "Gold questions and judgements set aside do not count. A question is right by majority if more than half of "
        "its judges are right. Sign tests compare, question by question, how many judges were right with each method; "
        "ties are dropped; Holm's correction is over all ordered pairs of methods. κ of the group chosen takes the "
        "first and the second group of a pair as its two categories."
    )
    units = "questions" if len(analysis.pairs) < FEWEST_PAIRS else "pairs of groups"
    yield (
        f"Intervals of accuracies are Wilson's for as many independent answers as the spread over {units} leaves, with "
        f"Student's t; those of differences are Student's, over {units}, their variance never taken for smaller than "
        "that of independent judgements."
    )
    classifiers = analysis.classifiers
    if classifiers is None:
        yield "No classifier was compared: the vectors of the picks are not at hand."
    else:
        if classifiers.about:
            yield classifiers.about
        if not any(score.scope == "whole" for score in classifiers.scores):
            yield "The whole test set is not at hand, so classifiers answer only the questions that people answered."
    yield from (f"Note: {note}." for note in analysis.notes)
    yield f"Made by visavis {analysis.version}."
