"""The last door: everything that was found becomes one summary, which a report can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from visavis._version import __version__
from visavis.comparing.candidates import Candidates
from visavis.comparing.choice import read_sizes, shown_sizes
from visavis.comparing.comparison import Comparison
from visavis.comparing.describe import Description
from visavis.comparing.options import CompareOptions
from visavis.comparing.overview import Overview
from visavis.comparing.session import DocumentSession
from visavis.comparing.titles import make_title
from visavis.comparing.tune import Decided, can_be_tuned
from visavis.explain.stability import count_resamples
from visavis.kernel import KernelKind, kernel_kind, needs_gamma
from visavis.records import Assessment, GroupSummary, Headline, Pick, PicksRead, Shortlist
from visavis.report.by_model import picks_read
from visavis.report.text import heading
from visavis.select.methods import row_of
from visavis.select.parameters import decisive_names, name_of
from visavis.select.search import Selection

TOLD_ELSEWHERE = (  # or of no consequence
    "method", "parameters", "tune", "seed", "jobs", "device", "engine", "memory", "title", "live", "command", "by",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found behind each door; `warnings` and `notes` are the search's own."""

    candidates: Candidates
    session: DocumentSession
    decided: Decided
    selection: Selection
    about: Overview
    description: Description
    assessment: Assessment
    headline: Headline | None = None
    shortlist: Shortlist | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    picks_read: PicksRead | None = None


def summarize(found: Findings, options: CompareOptions) -> Comparison:
    """The summary of a comparison."""
    grouping, assessed = found.candidates.grouping, found.assessment
    return Comparison(
        title=options.title or make_title(grouping, options),
        by=grouping.by,
        groups=_with_stability(found.description, assessed),
        test=assessed.tests or (),
        accuracy=assessed.accuracy,
        accuracy_interval=assessed.accuracy_interval,
        ceiling=assessed.ceiling,
        ceiling_interval=assessed.ceiling_interval,
        common=found.description.common,
        set_aside=grouping.corpus.set_aside,
        folded=found.candidates.folded,
        not_candidates=found.candidates.not_shown,
        boilerplate=found.candidates.boilerplate,
        warnings=(*found.warnings, *assessed.warnings, *_unused(options), *_uncolored(options, grouping.names)),
        notes=(
            *found.candidates.notes, *_few_stories(found, options), *_sampled(found), *found.about.notes,
            *assessed.notes, *_read_by_model(found), *found.notes,
        ),
        method=name_of(options.method),
        parameters=_parameters(found, options),
        seed=options.seed,
        version=__version__,
        command=options.command,
        size_curve=found.decided.curve,
        timeline=found.about.timeline,
        map=found.about.map,
        colors=options.colors,
        headline=found.headline,
        picks_read=found.picks_read,
        shortlist=found.shortlist,
        gap=found.selection.gap,
    )  # fmt: skip


def _read_by_model(found: Findings) -> list[str]:
    """What became of picks that a model read, if one did."""
    if found.picks_read is None:
        return []
    named = {name for one in found.picks_read.refused for name in (one.id, one.like)}
    called = {one.id: heading(one) for one in found.session.documents if one.id in named}
    return picks_read(found.picks_read, called)


def _sampled(found: Findings) -> list[str]:
    """What it may have cost that samples stood for the documents."""
    return [] if found.selection.gap is None else [found.selection.gap.told]


def _few_stories(found: Findings, options: CompareOptions) -> list[str]:
    """Groups that have fewer picks than were asked for, because their documents tell too few stories."""
    if options.budget is not None or options.size == "auto":
        return []
    session, counts = found.session, [len(group.picks) for group in found.description.groups]
    asked = read_sizes(options.size, session.names) or counts
    there = np.bincount(session.codes[session.candidates], minlength=len(session.names)).tolist()
    return [
        f"group {name!r} has {count} of {want} picks: the documents that may be shown tell {count} "
        f"{'story' if count == 1 else 'distinct stories'}"
        for name, count, want, documents in zip(session.names, counts, asked, there, strict=True)
        if count < want and count < documents
    ]


def _size_accuracy(found: Findings) -> float | None:
    """The held-out accuracy of the size that was chosen; None where none was, or where pins made it larger."""
    return dict(found.decided.curve).get(max(found.decided.choice.sizes or (0,)))


def _with_stability(description: Description, assessed: Assessment) -> tuple[GroupSummary, ...]:
    """The groups, each pick with how steady it is, where that is known."""
    if assessed.stability is None or assessed.resamples is None or assessed.stability_by_chance is None:
        return description.groups
    found = zip(assessed.stability, assessed.resamples, assessed.stability_by_chance, strict=True)
    known = {id(pick): values for pick, values in zip(description.order, found, strict=True)}

    def steady(pick: Pick) -> Pick:
        again, held, chance = known[id(pick)]
        return replace(pick, stability=again, resamples=held, stability_by_chance=chance)

    return tuple(replace(group, picks=tuple(map(steady, group.picks))) for group in description.groups)


def _parameters(found: Findings, options: CompareOptions) -> dict[str, Any]:
    """How the picks were made, in JSON's types."""
    choice, names = found.decided.choice, found.session.names
    kind = kernel_kind(choice.kernel)
    own = dict(kind.values) if isinstance(kind, KernelKind) else {}
    chosen = {**options.common, **choice.parameters, **found.selection.parameters, **own}
    rule = {**options.common, **choice.parameters}["sharpness"]
    matter = _matter(options)
    chosen |= {name: None for name in options.common if name not in matter}
    counts = [len(group.picks) for group in found.description.groups]
    details = dict(found.candidates.points.parameters)
    shown: dict[str, Any] = {
        "by": found.candidates.grouping.by,
        "size": shown_sizes(tuple(counts), names),
        "budget": options.budget,
        "contrast": chosen.pop("contrast"),
        "gamma": found.session.gamma,
        "gamma_rule": options.gamma if isinstance(options.gamma, str) else None,
        "kernel": options.kernel if isinstance(options.kernel, str) else "custom",
        "sharpness": chosen.pop("sharpness"),
        "sharpness_rule": rule if isinstance(rule, str) and "sharpness" in matter else None,
        "lead": found.candidates.lead,
        "boilerplate": options.boilerplate,
        "candidates": options.candidates,
        "blocks": found.candidates.blocks.by,
        "given": list(options.given) or None,
        "tuned": found.decided.tuned,
        "resamples": count_resamples(len(found.session.codes), sum(counts)),
    }
    if found.decided.curve:
        shown["size_accuracy"] = _size_accuracy(found)
        shown["size_curve"] = [list(point) for point in found.decided.curve]
    shown |= {"embedder": details.pop("embedder"), "embedding": details}
    shown |= {"device": found.session.engine.device} if found.session.engine.device != "cpu" else {}
    shown |= _models(found)
    usual = {p.name: p.default for p in row_of(options.method).parameters if not p.grid}  # how a search goes
    others = {k: v for k, v in chosen.items() if k in options.parameters or k not in usual or usual[k] != v}
    return shown | asked_options(options, shown) | ({"parameters": others} if others else {})


def _models(found: Findings) -> dict[str, Any]:
    """Which models were asked, and where."""
    asked = {"headline": found.headline, "editor": found.picks_read}
    return {name: {"host": one.host, "model": one.model} for name, one in asked.items() if one is not None}


def asked_options(options: CompareOptions, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever else the caller said that shapes a page: every option that is not as usual, by its name."""
    usual = {option.name: option.default for option in fields(CompareOptions)} | {"columns": {}, "colors": {}}
    told = {name: getattr(options, name) for name in usual if name not in shown and name not in TOLD_ELSEWHERE}
    return {
        name: list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
        for name, value in told.items()
        if value != usual[name]
    }


def _unused(options: CompareOptions) -> list[str]:
    """What was given and does not matter to the method."""
    matter = _matter(options)
    return [
        f"{name} was given, but does not matter to the method {name_of(options.method)}"
        for name in ("contrast", "sharpness", "gamma", "tune")
        if getattr(options, name) != getattr(CompareOptions, name) and name not in matter
    ]


def _matter(options: CompareOptions) -> set[str]:
    """What matters to the method and the kernel."""
    matter = {*decisive_names(options.method), *(p.name for p in row_of(options.method).parameters if not p.grid)}
    matter -= set() if needs_gamma(options.kernel) else {"gamma"}
    return matter | ({"tune"} if can_be_tuned(options.method, options.kernel) else set())


def _uncolored(options: CompareOptions, names: Sequence[str]) -> list[str]:
    """Colors for groups that are not there."""
    there = ", ".join(map(repr, names))
    return [
        f"a color was given for {name!r}, but the groups are {there}" for name in options.colors if name not in names
    ]
