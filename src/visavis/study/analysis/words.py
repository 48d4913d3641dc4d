"""What the numbers say, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visavis.study.analysis.counting import PUBLISHED
from visavis.study.analysis.intervals import FEWEST_PAIRS
from visavis.study.analysis.results import (
    Analysis,
    ClassifierResults,
    Combined,
    Interval,
    MethodResult,
    Reading,
    SignTest,
)
from visavis.study.records import REHEARSED

CONVENTIONAL = 0.05
TOO_EASY = 0.95  # accuracy of every method above which a task tells them apart no more
AGREEMENT = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))


def percent(value: float) -> str:
    """A share, to a tenth of a percent."""
    return f"{100 * value:.1f} %"


def span(interval: Interval, *, signed: bool = False) -> str:
    """An interval of shares."""
    if interval is None:
        return "–"
    form = "{:+.1f}" if signed else "{:.1f}"
    return " to ".join(form.format(100 * end).replace("-", "−") for end in interval) + " %"


def kappa(value: float | None) -> str:
    """κ with three digits; a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def p_value(p: float) -> str:
    """A probability: two significant digits, never a bare 0."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def seconds(value: float | None) -> str:
    """A time."""
    return "–" if value is None else f"{value:.1f} s"


def reading_name(reading: str) -> str:
    """A reading as headings call it."""
    return "By the recorded order (as published)" if reading == PUBLISHED else "By what was shown"


def agreement(value: float | None) -> str:
    """Landis and Koch's word for a κ."""
    if value is None:
        return "undefined"
    return next((word for limit, word in AGREEMENT if value <= limit), "almost perfect")


def reader(machine: str) -> str:
    """Who answered, in a sentence: people, a machine by name, or the simulated workers of a rehearsal."""
    return {"": "people", REHEARSED: "simulated workers, who are no people,"}.get(machine, f"the machine {machine}")


def overview(analysis: Analysis) -> str:
    """The size of the study in a sentence or two."""
    first = analysis.readings[0]
    combined, methods = first.combined, [method.name for method in first.methods]
    short = analysis.planned is not None and combined.judgements < analysis.planned
    wanted = f" of the {analysis.planned:,} planned" if short else ""
    who = plural(combined.workers, "person", "people")
    if analysis.machine:
        name = reader(analysis.machine)
        who = name[0].upper() + name[1:]
    told = (
        f"{who} gave {plural(combined.judgements, 'judgement')}{wanted} on "
        f"{plural(max(method.questions for method in first.methods), 'question')} about "
        f"{plural(len(analysis.pairs), 'pair')} of groups, with picks by {listed(methods)}."
    )
    return told + not_counted("judgement", analysis.gold, analysis.gold_correct, analysis.excluded)


def not_counted(what: str, gold: int, right: int, excluded: int) -> str:
    """What was set aside of a study's answers, as the end of a sentence; nothing where nothing was."""
    aside = []
    if gold:
        aside.append(f"{plural(gold, f'gold {what}')} ({right} right)")
    if excluded:
        aside.append(f"{plural(excluded, what)} set aside (of excluded workers, late or surplus)")
    return f" Not counted: {listed(aside)}." if aside else ""


def contradiction(analysis: Analysis) -> str:
    """Which readings there are, and why."""
    if len(analysis.readings) == 1:
        return ""
    return (
        f"In {analysis.contradicted} of {plural(analysis.questionnaires, 'questionnaire')} the recorded order of the "
        f"two groups contradicts the order that was shown, so the answers can be read in two ways; both follow. What "
        f"a worker saw is what a worker judged: where the readings differ, trust the one by what was shown."
    )


def findings(reading: Reading, analysis: Analysis) -> Iterator[str]:
    """The results of a reading, sentence by sentence."""
    ranked = sorted(reading.methods, key=lambda method: (-method.accuracy, method.name))
    yield _best(ranked, f"{reader(analysis.machine)} {'were' if analysis.machine in ('', REHEARSED) else 'was'}")
    yield from cannot_tell(reading)
    if len(ranked) > 1:
        yield _tested(ranked[0].name, reading.sign_tests)
        yield _leads(ranked[0].name, reading, len(analysis.pairs))
    yield _against_chance(reading)
    yield from _rated(reading)
    combined = reading.combined
    if not analysis.machine:
        yield _agreed(combined)
    if combined.seconds_per_question is not None:
        spent = f"On average a question took {seconds(combined.seconds_per_question)}"
        whole = combined.seconds_per_questionnaire
        yield spent + ("." if whole is None else f" and a questionnaire {seconds(whole)}.")
    if analysis.classifiers is not None:
        yield from _classifiers(reading, analysis.classifiers)


def _agreed(combined: Combined) -> str:
    return (
        f"People agree with each other to a degree usually called {agreement(combined.kappa_correct)} on what is right "
        f"(Fleiss κ {kappa(combined.kappa_correct)}) and {agreement(combined.kappa_choice)} on the group "
        f"(κ {kappa(combined.kappa_choice)})."
    )


def _best(ranked: list[MethodResult], who: str) -> str:
    best = ranked[0]
    interval = f"; 95 % interval {span(best.interval)}" if best.interval else ""
    told = (
        f"With the picks of {best.name} {who} right in {best.correct} of {best.judgements} judgements "
        f"({percent(best.accuracy)}{interval}), and by majority on {best.majority} of {best.questions} questions"
    )
    rest = [f"{method.name} {percent(method.accuracy)}" for method in ranked[1:]]
    return told + (f"; with {listed(rest)}." if rest else ".")


def cannot_tell(reading: Reading) -> Iterator[str]:
    """That the task is too easy, where it is."""
    if all(method.accuracy > TOO_EASY for method in reading.methods):
        yield (
            f"Every method exceeds {100 * TOO_EASY:.0f} %: the task cannot tell them apart, however many are asked; "
            f"ask which summary serves better instead (`visavis study design --task prefer`)."
        )


def _tested(best: str, tests: Iterable[SignTest]) -> str:
    """Which leads of the best method the sign tests support."""
    own = [test for test in tests if test.better == best]
    firm = [test.worse for test in own if test.adjusted < CONVENTIONAL]
    raw = [test.worse for test in own if test.p < CONVENTIONAL <= test.adjusted]
    told = f"By one-sided sign tests on questions {best} is "
    if firm:
        told += f"better than {listed(firm)} (p < 0.05 after Holm's correction)"
        told += f", and than {listed(raw)} only before that correction" if raw else ""
    elif raw:
        told += f"better than {listed(raw)} before Holm's correction for the number of tests (p < 0.05), not after it"
    else:
        told += "not clearly better than any other method (no p < 0.05)"
    return told + "."


def _leads(best: str, reading: Reading, n_pairs: int) -> str:
    """Which leads stay above 0, and for what that holds."""
    ahead = [d.other for d in reading.differences if d.one == best and d.interval is not None and d.interval[0] > 0]
    told = f"the interval of its lead over {listed(ahead)} stays above 0." if ahead else "none of its leads is sure."
    if n_pairs >= FEWEST_PAIRS:
        return f"Questions about one pair of groups are not independent; over the {n_pairs} pairs, {told}"
    return (
        f"With {plural(n_pairs, 'pair')} of groups nothing can be said about other pairs, which needs {FEWEST_PAIRS}; "
        f"over the questions of what was asked, {told}"
    )


def _against_chance(reading: Reading) -> str:
    better = [test.method for test in reading.chance if test.adjusted < CONVENTIONAL]
    rest = [test.method for test in reading.chance if test.adjusted >= CONVENTIONAL]
    told = [f"better than a coin with {listed(better)} (p < 0.05 after Holm's correction)"] if better else []
    told += [f"not clearly better than a coin with {listed(rest)}"] if rest else []
    return f"Question by question, answers are {'; '.join(told)}."


def _rated(reading: Reading) -> Iterator[str]:
    """The scales, from the highest mean to the lowest, and what their tests support."""
    for scale in dict.fromkeys(rating.scale for rating in reading.ratings):
        ranked = sorted((r for r in reading.ratings if r.scale == scale), key=lambda r: (-r.mean, r.method))
        means = [f"{rating.method} {rating.mean:.2f}" for rating in ranked]
        firm = [
            test.lower
            for test in reading.rating_tests
            if (test.scale, test.higher) == (scale, ranked[0].method) and test.adjusted < CONVENTIONAL
        ]
        told = f"{scale.capitalize()}, from 1 to 5, is on average {listed(means)}"
        yield told + (f"; {ranked[0].method} is rated higher than {listed(firm)} (p < 0.05, Holm)." if firm else ".")


def _classifiers(reading: Reading, classifiers: ClassifierResults) -> Iterator[str]:
    parts = []
    for method in reading.methods:
        told = [s.value for s in classifiers.scores if (s.judge, s.scope, s.method) == ("svm", "same", method.name)]
        if told:
            parts.append(f"{percent(sum(told) / len(told))} for {method.name} (people {percent(method.accuracy)})")
    if parts:
        yield f"An SVM trained on the same picks is right on the same articles in {listed(parts)}."
    if classifiers.ceiling is not None:
        ceiling = percent(classifiers.ceiling)
        yield f"An SVM that sees all the training part reaches a mean balanced accuracy of {ceiling}."


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: a, b and c."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def plural(count: int, noun: str, many: str = "") -> str:
    """A count and its noun."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
