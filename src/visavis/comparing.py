"""The main job: read, group, embed, select, explain. It joins the stages, which do not know each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from visavis import report
from visavis._version import __version__
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.grouping import GroupOptions, facets, group, restrict
from visavis.corpus.lead import lead_text
from visavis.corpus.reading import ReadOptions, read_corpus
from visavis.embed import create_embedder
from visavis.embed.cache import embed_cached
from visavis.embed.given import given_vectors
from visavis.embed.language import choose_embedder
from visavis.errors import InvalidParameter, UnknownName, VisavisError
from visavis.explain.holdout import RESAMPLES
from visavis.explaining import Explained, explain
from visavis.inputs import check_compute, check_whole
from visavis.kernel.threads import limited_to
from visavis.records import Array, Booleans, Corpus, Embedded, Grouping, Integers, SetAside, Settings, Summary
from visavis.select.methods import DEFAULT_METHOD
from visavis.tuning import Bench, Tuned, choose_size, tune

Progress = Callable[[str], None]


@dataclass(frozen=True)
class CompareOptions:
    """Everything a comparison can be told; the command's options have the same names.

    Reading: `columns` (role → column), `sql`, `strict`, `date_order`. Grouping: `by`, `groups`, `only`, `versus`,
    `min_size`, `small`, `filter`. Embedding: `embedder` ("auto", a name, a file, "column:NAME", an .npy), `lead`
    sentences (None for all), `duplicates` folded or not. Selecting: `size` (a number, "auto", or one per group),
    `budget`, `method`, `contrast`, `gamma`, `kernel`, `sharpness`, `init`, `tune`, and the ids to `pin` or `ban`.
    """

    by: str | None = None
    groups: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    versus: str | None = None
    min_size: int = 1
    small: str = "drop"
    filter: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    sql: str | None = None
    strict: bool = False
    date_order: str | None = None
    embedder: str = "auto"
    lead: int | None = 3
    duplicates: bool = True
    size: Any = 4
    budget: int | None = None
    method: str = DEFAULT_METHOD
    contrast: float = 0.6
    gamma: float | str = "median"
    kernel: Any = "rbf"
    sharpness: float | str = "auto"
    init: str = "auto"
    tune: bool = False
    pin: tuple[str, ...] = ()
    ban: tuple[str, ...] = ()
    pairs: bool = False
    seed: int = 0
    jobs: int = -1
    title: str | None = None
    command: str = ""

    def settings(self) -> Settings:
        """What the engine is told."""
        return Settings(self.method, self.gamma, self.contrast, self.kernel, self.sharpness, self.init)


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
    return compare_corpus(_read(source, chosen), chosen, tell)


def compare_facets(
    source: Any, facet: str, by: str | None = None, *, progress: Progress | None = None, **options: Any
) -> list[tuple[str, Comparison | VisavisError]]:
    """One comparison for each value of a column; a value that cannot be compared has the reason in its place."""
    chosen = make_options(by=by, **options)
    tell = progress or (lambda _: None)
    tell("reading")
    results: list[tuple[str, Comparison | VisavisError]] = []
    for value, part in facets(_read(source, chosen), facet):
        name = f"{chosen.title or part.origin}: {value}"
        try:
            found = compare_corpus(part, replace(chosen, title=name), _prefixed(tell, value))
            alone = InvalidParameter("there is only one group, and nothing to compare it with")
            results.append((value, found if len(found.groups) > 1 else alone))
        except VisavisError as error:
            results.append((value, error))
    return results


def _prefixed(tell: Progress, value: str) -> Progress:
    return lambda stage: tell(f"{value}: {stage}")


def make_options(**options: Any) -> CompareOptions:
    """Options by name, lists welcome. Raises UnknownName for a name that is none."""
    known = {option.name for option in fields(CompareOptions)}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UnknownName(f"unknown option {unknown[0]!r}. There are: {', '.join(sorted(known))}")
    several = ("groups", "only", "pin", "ban")
    given: dict[str, Any] = {
        name: tuple([value] if isinstance(value, str) else value) if name in several else value
        for name, value in options.items()
    }
    return CompareOptions(**given)


def compare_corpus(corpus: Corpus, options: CompareOptions, tell: Progress) -> Comparison:
    """The stages after reading."""
    compute = check_compute("float32", options.jobs, 512)
    check_whole("seed", options.seed, low=0)
    tell("grouping")
    grouping = group(corpus, _group_options(options))
    with limited_to(1, "blas"):  # our own threads do the parallel work, so results do not depend on their number
        tell("embedding")
        prepared = _prepare(grouping, options)
        bench = Bench(
            prepared.vectors,
            prepared.grouping.codes,
            prepared.weights,
            prepared.allowed,
            prepared.unique,
            prepared.grouping.names,
            compute,
            options.seed,
        )
        tell("selecting")
        tuned = _tuned(bench, prepared, options, tell)
        tell("explaining")
        explained = explain(
            bench, prepared.grouping, prepared.texts, tuned, pinned=prepared.pinned, pairs=options.pairs,
            budget=options.budget,
        )  # fmt: skip
    return _comparison(prepared, options, tuned, explained)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """Documents that have vectors, and what was learned on the way there."""

    grouping: Grouping
    texts: tuple[str, ...]
    vectors: Array
    weights: Array
    allowed: Booleans
    unique: Booleans
    pinned: tuple[int, ...]
    folded: int
    notes: tuple[str, ...]
    embedding: Mapping[str, object]


def _prepare(grouping: Grouping, options: CompareOptions) -> _Prepared:
    """Vectors for the documents, those without one or without weight set aside, copies folded, pins and bans found."""
    documents = grouping.corpus.documents
    texts = [lead_text(document, options.lead) for document in documents]
    embedded = _embed(grouping.corpus, texts, options)
    kept = np.array([row for row in embedded.kept if documents[row].weight > 0], np.intp)
    weightless = [documents[row].id for row in embedded.kept if documents[row].weight <= 0]
    away = _missing(grouping.corpus, embedded)
    away += (SetAside("weight of 0", tuple(weightless)),) if weightless else ()
    vectors = embedded.vectors[np.isin(embedded.kept, kept)]
    kept_texts = tuple(texts[row] for row in kept)
    smaller = _regroup(grouping, kept, away)
    leader = _leaders(smaller.corpus, kept_texts) if options.duplicates else np.arange(len(kept))
    places = {document.id: row for row, document in enumerate(smaller.corpus.documents)}
    pinned = tuple(_place(places, name, "pin") for name in dict.fromkeys(options.pin))
    allowed = _allowed(leader, smaller.codes, [_place(places, name, "ban") for name in options.ban], pinned)
    notes = (*grouping.corpus.notes, *smaller.notes, *embedded.notes)
    weights = np.array([document.weight for document in smaller.corpus.documents])
    folded = int(np.sum(leader != np.arange(len(leader))))
    unique = leader == np.arange(len(leader))
    return _Prepared(smaller, kept_texts, vectors, weights, allowed, unique, pinned, folded, notes, embedded.parameters)


def _embed(corpus: Corpus, texts: list[str], options: CompareOptions) -> Embedded:
    name = options.embedder
    if name.startswith("column:"):
        column = name.removeprefix("column:")
        return given_vectors([document.fields.get(column) for document in corpus.documents], len(texts))
    if name.endswith(".npy"):
        found = given_vectors(corpus.vectors, len(texts))
        return replace(found, parameters={**found.parameters, "source": name})
    if name == "auto":
        if corpus.vectors is not None:
            return given_vectors(corpus.vectors, len(texts))
        pictures = any(document.image for document in corpus.documents)
        name = "pixels" if pictures else choose_embedder(texts)
    what = [document.image for document in corpus.documents] if name == "pixels" else texts
    return embed_cached(create_embedder(name), what)


def _missing(corpus: Corpus, embedded: Embedded) -> tuple[SetAside, ...]:
    by_reason: dict[str, list[str]] = {}
    for row, reason in embedded.missing:
        by_reason.setdefault(reason, []).append(corpus.documents[row].id)
    return tuple(SetAside(reason, tuple(ids)) for reason, ids in by_reason.items())


def _regroup(grouping: Grouping, kept: Integers, away: tuple[SetAside, ...]) -> Grouping:
    """The grouping of the documents that are left; groups that lost all of theirs are gone."""
    if len(kept) == 0:
        raise InvalidParameter("no document is left: none has a vector (for other languages, use --embedder tfidf)")
    codes = grouping.codes[kept]
    found, codes = np.unique(codes, return_inverse=True)
    lost = sorted(set(range(len(grouping.names))) - set(found.tolist()))
    notes = tuple(f"group {grouping.names[g]!r} has no document left" for g in lost)
    corpus = restrict(grouping.corpus, kept.tolist(), away)
    names = tuple(grouping.names[g] for g in found)
    return Grouping(corpus, grouping.by, names, codes.astype(np.intp), (*grouping.notes, *notes))


def _leaders(corpus: Corpus, texts: tuple[str, ...]) -> Integers:
    """The first text each one nearly repeats; pictures stand for themselves, for all they have to read is a name."""
    return near_duplicates(["" if d.image else text for d, text in zip(corpus.documents, texts, strict=True)])


def _place(places: Mapping[str, int], name: str, what: str) -> int:
    if name not in places:
        raise UnknownName(f"{what} names {name!r}, which is no document of this comparison")
    return places[name]


def _allowed(leader: Integers, codes: Integers, banned: list[int], pinned: tuple[int, ...]) -> Booleans:
    """One document of every family of copies may be picked: a pinned one, else the first of its group's.

    A copy in another group may stand in only where its group would otherwise have nothing to show.
    """
    allowed = leader == np.arange(len(leader))
    for code in np.unique(codes):
        inside = codes == code
        if not np.any(allowed & inside):
            _, first = np.unique(leader[inside], return_index=True)
            allowed[np.flatnonzero(inside)[first]] = True
    for row in pinned:
        allowed[leader == leader[row]] = False
    allowed[list(pinned)] = True
    if not set(leader[banned]).isdisjoint(leader[list(pinned)]):
        raise InvalidParameter("a document is pinned and banned, or its copy is: choose one")
    for row in banned:  # a copy of a banned story is the same story
        allowed[leader == leader[row]] = False
    return np.asarray(allowed)


def _tuned(bench: Bench, prepared: _Prepared, options: CompareOptions, tell: Progress) -> Tuned:
    settings = options.settings()
    sizes = _what_there_is(_sizes(options.size, prepared.grouping.names), bench)
    if options.tune:
        tell("tuning")
        settings = tune(bench, settings, 4 if sizes == "auto" else sizes)
    if sizes == "auto":
        tell("choosing the size")
        size, curve = choose_size(bench, settings)
        pins = np.bincount(prepared.grouping.codes[list(prepared.pinned)], minlength=1)
        return Tuned(settings, max(size, int(pins.max())), curve)
    return Tuned(settings, sizes, ())


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


def _comparison(prepared: _Prepared, options: CompareOptions, tuned: Tuned, explained: Explained) -> Comparison:
    grouping = prepared.grouping
    settings = tuned.settings
    told = {"by": grouping.by, "size": explained.sizes, "budget": options.budget, "contrast": settings.contrast}
    told |= {"gamma": explained.gamma, "gamma_rule": settings.gamma if isinstance(settings.gamma, str) else None}
    told |= {
        "kernel": settings.kernel if isinstance(settings.kernel, str) else "custom",
        "sharpness": settings.sharpness,
    }
    told |= {"init": settings.init, "lead": options.lead, "tuned": options.tune, "resamples": RESAMPLES}
    told |= {"size_curve": [list(point) for point in tuned.curve]} if tuned.curve else {}
    details = dict(prepared.embedding)
    told |= {"embedder": details.pop("embedder", options.embedder), "embedding": details}
    return Comparison(
        title=options.title or _title(grouping),
        by=grouping.by,
        groups=explained.groups,
        test=explained.tests,
        accuracy=explained.accuracy,
        ceiling=explained.ceiling,
        common=tuple(grouping.corpus.documents[row] for row in explained.common),
        set_aside=grouping.corpus.set_aside,
        folded=prepared.folded,
        warnings=explained.warnings,
        notes=(*prepared.notes, *explained.notes),
        method=options.method,
        parameters=told,
        seed=options.seed,
        version=__version__,
        command=options.command,
        size_curve=tuned.curve,
        timeline=explained.timeline,
        map=explained.map,
    )


def _title(grouping: Grouping) -> str:
    """What is compared, by the file's name without folders and suffixes."""
    name = Path(grouping.corpus.origin.partition("::")[0]).name
    return f"{name.partition('.')[0] or name or 'documents'} by {grouping.by}"


def _read(source: Any, options: CompareOptions) -> Corpus:
    """The documents, with the vectors of an .npy file, whose rows are those of the source before any are left out."""
    corpus = read_corpus(source, ReadOptions(options.columns, options.sql, options.strict, options.date_order))
    if options.embedder.endswith(".npy"):
        given = given_vectors(options.embedder, len(corpus.documents))
        return replace(corpus, vectors=given.vectors.astype(np.float64))
    return corpus


def _group_options(options: CompareOptions) -> GroupOptions:
    if options.by is None and not options.groups:
        raise InvalidParameter("say what to compare by: --by published:month or --by source (by=... in Python)")
    return GroupOptions(
        options.by, options.groups, options.only, options.versus, options.min_size, options.small, options.filter,
        options.date_order,
    )  # fmt: skip


__all__ = ["CompareOptions", "Comparison", "compare", "compare_facets"]
