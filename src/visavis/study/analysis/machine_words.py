"""What machines made of a study, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from visavis.study.analysis.results import MachineReader
from visavis.study.analysis.words import cannot_tell, listed, percent, plural, span


def machine_findings(machine: MachineReader) -> Iterator[str]:
    """How often a machine was right."""
    ranked = sorted(machine.reading.methods, key=lambda method: (-method.accuracy, method.name))
    told = [f"{method.name} {percent(method.accuracy)} ({method.correct} of {method.judgements})" for method in ranked]
    yield f"The machine {machine.name} was right with the picks of {listed(told)}."
    yield from cannot_tell(machine.reading)
    if machine.gold:
        yield f"Of {plural(machine.gold, 'gold question')} it had {machine.gold_correct} right."


def versus_sentences(machine: MachineReader) -> Iterator[str]:
    """How a machine compares with people, method by method."""
    for one in machine.versus:
        points = f"{100 * one.difference:+.1f}".replace("-", "−")
        ends = f" (95 % interval {span(one.interval, signed=True)})" if one.interval else ""
        yield (
            f"With the picks of {one.method} it chose as most people did on {one.same} of {one.decided} questions, and "
            f"its accuracy is {points} points from theirs{ends}."
        )
