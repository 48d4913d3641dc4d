"""What to evaluate on: documents that came through the doors, or a data set by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing.blocks import NONE, check_blocks, find_blocks
from visavis.comparing.candidates import tell_stories
from visavis.comparing.copies import Copies
from visavis.comparing.documents import DocumentOptions, as_texts
from visavis.comparing.embed import choose_inputs, embed
from visavis.comparing.prepare import Prepared, group_documents, notes_on, prepare, regroup
from visavis.datasets import load_dataset, sample_path
from visavis.eligible import screen
from visavis.errors import Incompatible
from visavis.evaluate.plan import Plan
from visavis.evaluate.source import DocumentEmbedding
from visavis.evaluate.splits import standard_and_random
from visavis.evaluate.worthy import Rules
from visavis.kernel.threads import limited_to
from visavis.records import Array, Blocks, Booleans, Grouping, Integers, Points
from visavis.shared.progress import Progress, silent

Splits = tuple[tuple[Integers, Integers], ...]

SAMPLE = "sample"


@dataclass(frozen=True, eq=False)
class Material:
    """Vectors or an embedding, the groups' names for each document, and what a reader should know.

    `splits` come with the data; `n_train`, where given, is how many first rows make up the standard training part.
    `protocol` holds the fields of a plan that the data decide where the user does not; `worthy` marks the documents
    that may be shown, None where no rule says; `blocks` are the documents to be held out together, None where each
    stands alone.
    """

    vectors: Array | DocumentEmbedding
    groups: Array
    protocol: Mapping[str, Any]
    splits: Splits = field(default=(), repr=False)
    n_train: int | None = None
    notes: tuple[str, ...] = ()
    worthy: Booleans | None = field(default=None, repr=False)
    blocks: Blocks | None = field(default=None, repr=False)

    def plan(self, **chosen: Any) -> Plan:
        """The plan with these choices, and the data's protocol in all others."""
        return Plan(**{**self.protocol, **chosen})

    def splits_for(self, plan: Plan) -> Splits | None:
        """The splits that come with the data; None if the plan must draw them."""
        if self.n_train is not None:
            return standard_and_random(len(self.groups), self.n_train, plan.splits, plan.seed)
        return self.splits or None


def load_material(
    source: Any,
    options: DocumentOptions,
    dataset: str | None = None,
    *,
    blocks: str | Sequence[str] = NONE,
    progress: Progress | None = None,
) -> Material:
    """What to evaluate on: the documents of a source or, where its name is given, a data set instead.

    "sample" is grouped by month unless the options say otherwise, an .h5 file by its own groups. `blocks` are columns,
    "auto" or "none", as in a comparison. Raises VisavisError for what cannot be read, and Incompatible for options that
    a data set has no use for.
    """
    tell, bound = progress or silent, as_texts(blocks)
    check_blocks(bound)
    tell("reading")
    if dataset is None:
        return document_material(prepare(source, options.reading), options, blocks=bound, tell=tell)
    if dataset == SAMPLE:
        by = options.by or (None if options.groups else "date:month")
        prepared = prepare(sample_path(), options.reading)
        return document_material(prepared, replace(options, by=by), SAMPLE, blocks=bound, tell=tell)
    grouped = options.by is not None or bool(options.groups)
    if grouped and Path(dataset).suffix.lower() in (".h5", ".hdf5"):
        return document_material(prepare(Path(dataset), options.reading), options, dataset, blocks=bound, tell=tell)
    _refuse_unused(dataset, options)
    if bound != (NONE,):
        raise Incompatible(f"--blocks does not go with --dataset {dataset}, which has no columns to tell blocks by")
    data = load_dataset(dataset)
    protocol = {"dataset": data.name, "grid": data.grid, "init": data.init, "variance": data.variance}
    return Material(data.vectors, data.groups, protocol, data.splits, data.n_train)


def document_material(
    prepared: Prepared,
    options: DocumentOptions,
    name: str | None = None,
    *,
    blocks: tuple[str, ...] = (NONE,),
    tell: Progress = silent,
) -> Material:
    """Documents to evaluate on, near-duplicates and those without any vector left out.

    Raises VisavisError for options that do not fit the documents, and if none is left.
    """
    grouping = group_documents(prepared, options.grouping)
    rows = prepared.rows_of(grouping.corpus)
    kept = Copies.DROP.unless_kept(options.duplicates).rows(prepared, rows)
    tell("embedding")
    with limited_to(1):  # with more threads, the last digits of an embedding would depend on their number
        points = embed(prepared, options.embedder, kept, tell=tell)
        smaller = regroup(prepared, grouping, points)
        bound = _find_blocks(prepared, points, smaller, blocks, options.date_order)
    inputs = choose_inputs(prepared, options.embedder, points.rows)
    known = None if inputs.needs_fitting else points.vectors
    readable = not any(prepared.corpus.documents[row].image for row in points.rows.tolist())
    rules = Rules(prepared, smaller.corpus, points.rows)
    texts = prepared.texts(points.rows)
    return Material(
        vectors=DocumentEmbedding(inputs, texts, known, readable, rules if rules.can_screen else None),
        groups=np.array(smaller.names)[smaller.codes],
        protocol={"dataset": name or prepared.corpus.origin, "embedding": inputs.name},
        splits=() if bound else smaller.corpus.splits,
        notes=(*notes_on(grouping, smaller, points, len(rows) - len(kept)), *_notes(blocks, bound, smaller)),
        worthy=_shown(prepared, points, smaller) if readable else None,
        blocks=bound,
    )


def _shown(prepared: Prepared, points: Points, grouping: Grouping) -> Booleans:
    """The documents that a comparison of all of them may show, however few picks are wanted."""
    screening = screen(grouping, tell_stories(prepared, points), prepared.word_counts(points.rows))
    return screening.shown((0,) * len(grouping.names))


def _find_blocks(
    prepared: Prepared, points: Points, grouping: Grouping, told: tuple[str, ...], date_order: str | None
) -> Blocks | None:
    """The blocks of the points, found as a comparison finds them; None where each document stands alone."""
    if told == (NONE,):
        return None
    found = find_blocks(grouping, points, tell_stories(prepared, points), told, date_order=date_order)
    return found if len(np.unique(found.codes)) < len(found.codes) else None


def _notes(told: tuple[str, ...], bound: Blocks | None, grouping: Grouping) -> list[str]:
    """What a reader should know where blocks were asked for."""
    if told != (NONE,) and bound is None:
        return ["no two documents were found to belong to one block: each was held out on its own"]
    if bound is not None and grouping.corpus.splits:
        return ["the splits that the file brings were not used: they may part blocks"]
    return []


def _refuse_unused(name: str, options: DocumentOptions) -> None:
    """A data set brings its own groups and vectors: what would change them is refused, not passed over."""
    usual = DocumentOptions()
    for option in fields(DocumentOptions):
        if getattr(options, option.name) != getattr(usual, option.name):
            spelled = {"groups": "group", "duplicates": "keep-duplicates", "columns": next(iter(options.columns), "")}
            written = spelled.get(option.name, option.name.replace("_", "-"))
            about = {"embedder": "vectors", "lead": "vectors", "boilerplate": "vectors"} | dict.fromkeys(
                ("columns", "sql", "strict", "date_order", "encoding", "allow_broken", "duplicates"), "documents"
            )
            brings = about.get(option.name, "groups")
            raise Incompatible(f"--{written} does not go with --dataset {name}, which brings its own {brings}")
