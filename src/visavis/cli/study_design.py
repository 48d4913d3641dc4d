"""`visavis study design`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from visavis.cli.documents import (
    document_choices,
    grouping_options,
    reading_options,
    shown_embedding_options,
    source_of,
    words,
)
from visavis.cli.output import StageProgress
from visavis.errors import InvalidParameter
from visavis.study.comparison_gold import comparison_of_record
from visavis.study.design.plan import STUDY_METHODS, StudyPlan, read_pairs
from visavis.study.design.preferring import PreferenceDesign, design_preferences
from visavis.study.design.run import StudyDesign, design_study
from visavis.study.gold import read_golds
from visavis.study.shape import FEWEST_GOLDS
from visavis.study.store.designs import check_new, write_design
from visavis.study.tasks import PREFER, RULES, SORT, TASKS

OF_TASK = {SORT: ("pairs", "min_accuracy", "questions", "sampling", "mask_dates", "mask_names", "also_mask"),
           PREFER: ("comparisons", "against", "documents", "checks")}  # fmt: skip


@click.command()
@click.argument("corpus", nargs=-1, required=True)
@grouping_options
@shown_embedding_options
@reading_options
@click.option("--task", default=SORT, show_default=True, type=click.Choice(TASKS),
              help="Sort articles into groups, as in the paper, or prefer one of two summaries.")  # fmt: skip
@click.option("--methods", default=",".join(STUDY_METHODS), show_default=True, help="What is compared.")
@click.option("--size", default=4, show_default=True, help="Picks per group.")
@click.option("--pairs", default="top:10", show_default=True, help="To sort: top:N of each method, or all.")
@click.option("--min-accuracy", default=0.65, show_default=True, help="To sort: below it people cannot.")
@click.option("--questions", default=6, show_default=True, help="To sort: test articles a pair.")
@click.option("--judgements", default=3, show_default=True, help="For each question and method, or comparison.")
@click.option("--sampling", default="balanced", show_default=True, type=click.Choice(["balanced", "uniform"]),
              help="To sort: whether each group has at least two of a pair's articles (one, of three).")  # fmt: skip
@click.option("--mask-dates", is_flag=True, help="Hide dates, months and years in what workers read.")
@click.option("--mask-names", is_flag=True, help="Hide the groups' names there, short ones as in (R-TX) too.")
@click.option("--also-mask", multiple=True, metavar="NAME", help="Another name to hide, or GROUP=NAME; repeatable.")
@click.option("--comparisons", default=24, show_default=True, help="To prefer: for each pair of methods.")
@click.option("--against", default="", metavar="METHOD", help="To prefer: compare all others with this one alone.")
@click.option("--documents", default=4, show_default=True, help="To prefer: drawn of each group, to show what it is.")
@click.option("--checks", default=16, show_default=True, help="To prefer: golds made where no --gold is given.")
@click.option("--contrast", default=0.1, show_default=True)
@click.option("--gamma", default="median", show_default=True)
@click.option("--gold", type=click.Path(exists=True, dir_okay=False), help="Gold questionnaires to bring in at once.")
@click.option("--few-golds", is_flag=True, help=f"Be content with fewer than {FEWEST_GOLDS} golds.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", required=True, metavar="FILE", help="The study to make, for instance study.db.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def design(corpus: tuple[str, ...], gold: str | None, out: str, as_json: bool, **given: Any) -> None:
    """Turn CORPUS into a study: pairs of groups, summaries, questions, questionnaires."""
    _check_task(given["task"])
    plan = _plan(given)
    check_new(out)
    with StageProgress() as progress:
        made = _design(source_of(corpus), plan, gold, progress)
    write_design(made, out)
    told = preferences_as_text if plan.task == PREFER else as_text
    click.echo(json.dumps(made.report, indent=2) if as_json else told(made, out))


def _design(source: Any, plan: StudyPlan, gold: str | None, progress: StageProgress) -> Any:
    if plan.task == PREFER:
        return design_preferences(
            source, plan, read_golds(gold, comparison_of_record) if gold else (), progress=progress
        )
    return design_study(source, plan, read_golds(gold) if gold else (), progress=progress)


def _check_task(task: str) -> None:
    """Refuse an option that says something of the other task."""
    context = click.get_current_context()
    for name in OF_TASK[PREFER if task == SORT else SORT]:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            other = PREFER if task == SORT else SORT
            raise InvalidParameter(f"--{name.replace('_', '-')} belongs to --task {other}, and the task is {task}")


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
        *_giveaways(given, plan),
        f"workers: at least {load['least']}; {load['workers']} where each answers up to {load['units']} units "
        f"({load['questionnaires']} questionnaires to answer, golds aside)",
        _met_twice(load),
        *([f"{report['asked_again']} test articles are asked about in several pairs of groups, as there are too few: "
           "that limits what one worker can be given"]
          if report["asked_again"] and plan.sampling == "balanced" else []),
        *_power(report, len(plan.methods)),
        *report["notes"],
    ]  # fmt: skip
    fewest = RULES[SORT].golds_needed(few=plan.few_golds)
    if report["golds"] < fewest:
        lines.append(
            f"gold questionnaires: {report['golds']}; nobody is asked before there are {fewest} "
            f"(`visavis study gold import {out} FILE`, or the admin page)"
        )
    return "\n".join([*lines, f"written: {out}"])


def _giveaways(given: dict[str, Any], plan: StudyPlan) -> Iterator[str]:
    """Which texts tell their group, and what would hide that."""
    groups = [f"{name} {of['name']} of {of['texts']}" for name, of in given["by_group"].items() if of["name"]]
    hints = [
        flag for flag, masked in (("--mask-names", plan.mask_names), ("--mask-dates", plan.mask_dates)) if not masked
    ]
    told = f"of {given['texts']} texts shown, {given['name']} name their group"
    told += f" ({', '.join(groups)})" if groups else ""
    told += f", {given['another']} another, {given['date']} tell their month or day, {given['year']} their year"
    yield told + (f" ({' and '.join(hints)} would hide that)" if hints else "")
    if before := given.get("before_masking"):
        yield (
            f"before masking, {before['name']} named their group, {before['another']} another, {before['date']} told "
            f"their month or day, {before['year']} their year"
        )
    golds = given["golds"]
    if golds["name"] or golds["date"]:
        yield f"of {golds['texts']} texts of golds, {golds['name']} name a group and {golds['date']} a date"


def _met_twice(load: dict[str, Any]) -> str:
    told = "nobody meets a test article twice"
    if not load["second_method"]:
        return told + ", nor a pair of groups under two methods"
    return told + (
        f"; in {load['second_method']} of {load['questionnaires']} questionnaires a worker meets a pair of groups that "
        "they met under another method before, as nothing else is left for them"
    )


def _power(report: dict[str, Any], methods: int) -> Iterator[str]:
    """What leads the report's test would show; what would do, where it could not show what it is made for."""
    if methods < 2:
        return
    rows = zip(report["power"], report["power_over_all"], strict=True)
    leads = [
        f"{100 * lead:.0f} points {100 * one:.0f} %" + (f" ({100 * every:.0f} %)" if methods > 2 else "")
        for (lead, one), (_, every) in rows
    ]
    over = " over one given rival (over all of them)" if methods > 2 else ""
    yield f"power of the report's test (sign tests, Holm's correction) to show a lead{over}: {', '.join(leads)}"
    if report["little_power"]:
        wanted = f"{report['wanted']} questions" if report["wanted"] else f"more than {report['most']:,} questions"
        yield (
            f"warning: this is little power for a lead of {100 * report['expected']:.0f} points: {wanted} would be "
            f"needed, and there are {report['questions']} (more --questions, --pairs or --judgements, or fewer methods)"
        )


def preferences_as_text(made: PreferenceDesign, out: str) -> str:
    """The report on a design of preferences for a reader."""
    report, plan = made.report, made.plan
    load, halves = report["workload"], " (random halves of their documents)" if report["halves"] else ""
    lines = [
        f"{report['documents']} documents in {report['groups']} groups; {report['sets']} sets of documents from "
        f"{len(report['pairs'])} pairs of groups{halves}",
        f"{report['comparisons']} comparisons of {len(report['methods'])} pairs of methods, {plan.judgements} "
        f"judgements each: {report['judgements']} answers",
        *(f"{first} and {second} pick the same documents in {count} of {report['sets']} sets, which is a tie: not asked"
          for first, second, count in report["alike"]),
        f"workers: at least {load['least']}; {load['workers']} where each answers up to {load['units']} units "
        f"({load['questionnaires']} comparisons to answer, golds aside)",
        "power of a two-sided sign test on comparisons at 5 %, Holm's correction included, for a method that readers "
        "prefer in: " + ", ".join(f"{100 * d:.0f} % of cases {100 * p:.0f} %" for d, p in report["power"]),
        *([_too_little(report)] if report["little_power"] else []),
        *report["notes"],
    ]  # fmt: skip
    fewest = RULES[PREFER].golds_needed(few=plan.few_golds)
    lines.append(f"gold comparisons: {report['golds']}" + (
        f"; nobody is asked before there are {fewest} (`visavis study gold import {out} FILE`)"
        if report["golds"] < fewest else ""))  # fmt: skip
    return "\n".join([*lines, f"written: {out}"])


def _too_little(report: dict[str, Any]) -> str:
    """What would do, where a design could not show what it is made for."""
    wanted, most = report["wanted"], report["most"]
    share = f"{100 * report['expected']:.0f} %"
    told = f"warning: this is little power for a preference of {share}: "
    if wanted is None:
        return told + f"more than {most} comparisons a pair of methods would be needed"
    return told + f"{wanted} comparisons a pair of methods would do (--comparisons {wanted}), or fewer methods"
