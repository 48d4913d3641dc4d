"""The main job: read, group, embed, select, explain. It joins the stages, which do not know each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from visavis import report
from visavis._version import __version__
from visavis.comparing.candidates import Candidates, find_candidates
from visavis.comparing.explain import Explained, explain
from visavis.comparing.options import CompareOptions, make_options
from visavis.comparing.prepare import Prepared, group_documents, prepare
from visavis.comparing.tune import Asked, Bench, Tuned, decide
from visavis.corpus.grouping import check_by, facets
from visavis.errors import InvalidParameter, UnknownName, VisavisError
from visavis.explain.holdout import RESAMPLES
from visavis.inputs import check_compute, check_whole
from visavis.kernel.threads import limited_to
from visavis.records import Corpus, Grouping, Integers, Summary
from visavis.select.methods import tuned_by

Progress = Callable[[str], None]


class Comparison(Summary):
    """A summary that can be written and shown."""

    def write(self, path: str | Path) -> None:
        """Write a report; the suffix chooses the format (.html, .md, .json, .csv, .sqlite)."""
        report.write(self, path)

    def to_html(self, path: str | Path) -> None:
        """Write the page."""
        report.write_as(self, path, ".html")

    def to_markdown(self, path: str | Path) -> None:
        """Write Markdown."""
        report.write_as(self, path, ".md")

    def to_json(self, path: str | Path) -> None:
        """Write JSON."""
        report.write_as(self, path, ".json")

    def to_csv(self, path: str | Path) -> None:
        """Write a table of the picks."""
        report.write_as(self, path, ".csv")

    def to_sqlite(self, path: str | Path) -> None:
        """Write a database of documents, groups and picks."""
        report.write_as(self, path, ".sqlite")

    def _repr_html_(self) -> str:
        return report.notebook_html(self)


def compare(source: Any, by: str | None = None, *, progress: Progress | None = None, **options: Any) -> Comparison:
    """Compare the groups of documents in `source`: a file, several, a data frame, or a list of dicts or strings.

    `options` are the fields of CompareOptions. Raises VisavisError for anything the caller can put right.
    """
    chosen = make_options(by=by, **options)
    tell = progress or (lambda _: None)
    tell("reading")
    return compare_prepared(prepare(source, chosen.reading), chosen, tell)


def compare_facets(
    source: Any, facet: str, by: str | None = None, *, progress: Progress | None = None, **options: Any
) -> list[tuple[str, Comparison | VisavisError]]:
    """One comparison for each value of a column; a value that cannot be compared has the reason in its place.

    Raises VisavisError, as `compare` does, for what is wrong for all of them, and if none can be compared.
    """
    chosen = make_options(by=by, **options)
    tell = progress or (lambda _: None)
    tell("reading")
    prepared = prepare(source, chosen.reading)
    check_by(prepared.corpus, chosen.grouping)
    results: list[tuple[str, Comparison | VisavisError]] = []
    for value, part in facets(prepared.corpus, facet, chosen.date_order):
        try:
            found = compare_prepared(prepared, chosen, _prefixed(tell, value), part)
            alone = InvalidParameter("there is only one group, and nothing to compare it with")
            titled = replace(found, title=f"{found.title}: {value}")
            results.append((value, titled if len(found.groups) > 1 else alone))
        except VisavisError as error:
            results.append((value, error))
    errors = [result for _, result in results if isinstance(result, VisavisError)]
    if len(errors) == len(results):
        raise errors[0] if errors else InvalidParameter(f"no document has a value in {facet!r}")
    return results


def _prefixed(tell: Progress, value: str) -> Progress:
    return lambda stage: tell(f"{value}: {stage}")


def compare_prepared(
    prepared: Prepared, options: CompareOptions, tell: Progress, within: Corpus | None = None
) -> Comparison:
    """The stages after reading, for all documents or a part of their corpus."""
    compute = check_compute("float32", options.jobs, 512)
    tell("grouping")
    grouping = group_documents(prepared, options.grouping, within)
    with limited_to(1, "blas"):  # our own threads do the parallel work, so results do not depend on their number
        tell("embedding")
        candidates = find_candidates(prepared, grouping, options)
        bench = Bench(
            candidates.points.vectors,
            candidates.grouping.codes,
            candidates.points.weights,
            candidates.allowed,
            candidates.points.unique,
            candidates.grouping.names,
            compute,
            options.seed,
        )
        tell("selecting")
        asked = _asked(bench, candidates, options)
        tuned = decide(bench, asked, bench.parts()[0] if asked.is_open else [], tell)
        tell("explaining")
        explained = explain(
            bench, candidates.grouping, candidates.texts, asked, tuned, pinned=candidates.pinned, pairs=options.pairs,
            budget=options.budget,
        )  # fmt: skip
    return _comparison(candidates, options, tuned, explained)


def _asked(bench: Bench, candidates: Candidates, options: CompareOptions) -> Asked:
    sizes = _sizes(options.size, candidates.grouping.names)
    if sizes == "auto" and options.budget is not None:  # the budget decides
        sizes = 4
    pins = np.bincount(bench.codes[list(candidates.pinned)], minlength=bench.n_groups)
    if sizes != "auto" and options.budget is None:
        _check_pins(pins, sizes, candidates.grouping.names)
    return Asked(options.settings(), _what_there_is(sizes, bench), options.tune, max(1, int(pins.max())))


def _check_pins(pins: Integers, sizes: Any, names: tuple[str, ...]) -> None:
    for place, name in enumerate(names):
        size = sizes[place] if isinstance(sizes, dict) else sizes
        if pins[place] > size:
            raise InvalidParameter(f"group {name!r} has {pins[place]} pinned documents but size={size}: raise size")


def _what_there_is(sizes: Any, bench: Bench) -> Any:
    """Sizes cut down to the documents there are to pick from; the smaller number shows in the report."""
    if sizes == "auto":
        return sizes
    room = np.bincount(bench.codes[bench.allowed], minlength=bench.n_groups)
    wanted = sizes if isinstance(sizes, dict) else dict.fromkeys(range(bench.n_groups), sizes)
    given = {group: min(size, max(1, int(room[group]))) for group, size in wanted.items()}
    return sizes if given == wanted else given


def _sizes(size: Any, names: tuple[str, ...]) -> Any:
    """A number, "auto", or numbers by group, told apart by the groups' places."""
    if isinstance(size, Mapping):
        unknown = [name for name in size if name not in names]
        if unknown:
            raise UnknownName(f"size names the group {unknown[0]!r}; there are {', '.join(map(repr, names))}")
        missing = [name for name in names if name not in size]
        if missing:
            raise InvalidParameter(f"size names no number for the group {missing[0]!r}")
        return {place: check_whole(f"size of {name!r}", size[name], low=1) for place, name in enumerate(names)}
    return size if size == "auto" else check_whole("size", size, low=1)


def _comparison(candidates: Candidates, options: CompareOptions, tuned: Tuned, explained: Explained) -> Comparison:
    grouping = candidates.grouping
    settings = tuned.settings
    told = {"by": grouping.by, "size": explained.sizes, "budget": options.budget, "contrast": settings.contrast}
    told |= {"gamma": explained.gamma, "gamma_rule": options.gamma if isinstance(options.gamma, str) else None}
    told |= {"kernel": settings.kernel if isinstance(settings.kernel, str) else "custom"}
    rule = options.sharpness if isinstance(options.sharpness, str) else None
    told |= {"sharpness": explained.sharpness, "sharpness_rule": rule}
    told |= {"init": settings.init, "lead": options.lead, "tuned": tuned.tuned, "resamples": RESAMPLES}
    told |= {"size_curve": [list(point) for point in tuned.curve]} if tuned.curve else {}
    details = dict(candidates.points.parameters)
    told |= {"embedder": details.pop("embedder"), "embedding": details}
    return Comparison(
        title=options.title or _title(grouping),
        by=grouping.by,
        groups=explained.groups,
        test=explained.tests,
        accuracy=explained.accuracy,
        ceiling=explained.ceiling,
        common=tuple(grouping.corpus.documents[row] for row in explained.common),
        set_aside=grouping.corpus.set_aside,
        folded=candidates.folded,
        warnings=(*explained.warnings, *_unused(options)),
        notes=(*candidates.notes, *explained.notes),
        method=options.method,
        parameters=told,
        seed=options.seed,
        version=__version__,
        command=options.command,
        size_curve=tuned.curve,
        timeline=explained.timeline,
        map=explained.map,
    )


def _unused(options: CompareOptions) -> list[str]:
    """Parameters that were given and do not matter to the method."""
    asked = {"contrast": options.contrast != CompareOptions.contrast, "sharpness": options.sharpness != "auto"}
    return [
        f"{name} was given, but does not matter to the method {options.method}"
        for name, given in asked.items()
        if given and name not in tuned_by(options.method)
    ]


def _title(grouping: Grouping) -> str:
    """What is compared, by the file's name without folders and suffixes."""
    name = Path(grouping.corpus.origin.partition("::")[0]).name
    return f"{name.partition('.')[0] or name or 'documents'} by {grouping.by}"
