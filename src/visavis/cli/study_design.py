"""`visavis study design`."""

from __future__ import annotations

import json
from typing import Any

import click

from visavis.cli.documents import (
    document_choices,
    embedding_options,
    grouping_options,
    reading_options,
    source_of,
    words,
)
from visavis.cli.output import StageProgress
from visavis.errors import InvalidParameter
from visavis.study.design.plan import STUDY_METHODS, StudyPlan, read_pairs
from visavis.study.design.run import StudyDesign, design_study
from visavis.study.gold import read_golds
from visavis.study.shape import FEWEST_GOLDS, fewest_golds
from visavis.study.store.designs import check_new, write_design


@click.command()
@click.argument("corpus", nargs=-1, required=True)
@grouping_options
@embedding_options
@reading_options
@click.option("--methods", default=",".join(STUDY_METHODS), show_default=True, help="What is compared.")
@click.option("--size", default=4, show_default=True, help="Picks per group.")
@click.option("--pairs", default="top:10", show_default=True, help="top:N of each method, or all.")
@click.option("--min-accuracy", default=0.65, show_default=True, help="Below it people cannot do the task.")
@click.option("--questions", default=6, show_default=True, help="Test articles a pair.")
@click.option("--judgements", default=3, show_default=True, help="For each question and method.")
@click.option("--sampling", default="balanced", show_default=True, type=click.Choice(["balanced", "uniform"]),
              help="Whether each group has at least two of a pair's test articles (one, of three).")  # fmt: skip
@click.option("--mask-dates", is_flag=True, help="Hide dates, months and years in what workers read.")
@click.option("--contrast", default=0.1, show_default=True)
@click.option("--gamma", default="median", show_default=True)
@click.option("--gold", type=click.Path(exists=True, dir_okay=False), help="Gold questionnaires to bring in at once.")
@click.option("--few-golds", is_flag=True, help=f"Be content with fewer than {FEWEST_GOLDS} gold questionnaires.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", required=True, metavar="FILE", help="The study to make, for instance study.db.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def design(corpus: tuple[str, ...], gold: str | None, out: str, as_json: bool, **given: Any) -> None:
    """Turn CORPUS into a study: pairs of groups, summaries, questions, questionnaires."""
    plan = _plan(given)
    check_new(out)
    golds = read_golds(gold) if gold else ()
    with StageProgress() as progress:
        made = design_study(source_of(corpus), plan, golds, progress=progress)
    write_design(made, out)
    click.echo(json.dumps(made.report, indent=2) if as_json else as_text(made, out))


def _plan(given: dict[str, Any]) -> StudyPlan:
    documents = document_choices(given)
    given["methods"] = tuple(words(given["methods"]))
    given["top"] = read_pairs(given.pop("pairs"))
    if given["gamma"] not in ("median", "scale"):
        try:
            given["gamma"] = float(given["gamma"])
        except ValueError:
            raise InvalidParameter(f"gamma must be median, scale or a number, got {given['gamma']!r}") from None
    return StudyPlan(**documents, **given)


def as_text(made: StudyDesign, out: str) -> str:
    """The report for a reader."""
    report, plan = made.report, made.plan
    load, given = report["workload"], report["gives_away"]
    lines = [
        f"{report['documents']} documents in {report['groups']} groups: {report['train']} to pick from, "
        f"{report['test']} to ask about",
        f"{len(report['pairs'])} of {report['pairs_possible']} pairs of groups, {report['questions']} questions in "
        f"{report['questionnaires']} questionnaires, {len(plan.methods)} methods, {plan.judgements} judgements each: "
        f"{report['judgements']} judgements",
        "automatic accuracy: " + ", ".join(f"{name} {value:.3f}" for name, value in
                                           report["automatic_accuracy"].items()),
        f"of {given['texts']} texts shown, {given['name']} name their group, {given['date']} their month or day, "
        f"{given['year']} their year" + ("" if plan.mask_dates else " (--mask-dates hides dates)"),
        f"workers: at least {load['least']}; {load['workers']} where each answers up to {load['units']} units "
        f"({load['questionnaires']} questionnaires to answer, golds aside)",
        "power of a one-sided sign test at 5 % between two methods: "
        + ", ".join(f"{100 * d:.0f} points {100 * p:.0f} %" for d, p in report["power"]),
        *report["notes"],
    ]  # fmt: skip
    fewest = fewest_golds(few=plan.few_golds)
    if report["golds"] < fewest:
        lines.append(
            f"gold questionnaires: {report['golds']}; nobody is asked before there are {fewest} "
            f"(`visavis study gold import {out} FILE`, or the admin page)"
        )
    return "\n".join([*lines, f"written: {out}"])
