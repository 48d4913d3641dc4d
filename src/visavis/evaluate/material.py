"""What to evaluate on: documents that came through the doors, or a data set by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing.copies import Copies
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.embed import choose_inputs, embed
from visavis.comparing.prepare import Prepared, group_documents, notes_on, prepare, regroup
from visavis.comparing.worth import judge_worth
from visavis.datasets import load_dataset, sample_path
from visavis.errors import Incompatible
from visavis.evaluate.plan import Plan
from visavis.evaluate.source import DocumentEmbedding
from visavis.evaluate.splits import standard_and_random
from visavis.kernel.threads import limited_to
from visavis.records import Array, Booleans, Integers
from visavis.shared.progress import Progress, silent

Splits = tuple[tuple[Integers, Integers], ...]

SAMPLE = "sample"


@dataclass(frozen=True, eq=False)
class Material:
    """Vectors or an embedding, the groups' names for each document, and what a reader should know.

    `splits` come with the data; `n_train`, where given, is how many first rows make up the standard training part.
    `protocol` holds the fields of a plan that the data decide where the user does not; `worthy` marks the documents
    that may be shown, None where no rule says.
    """

    vectors: Array | DocumentEmbedding
    groups: Array
    protocol: Mapping[str, Any]
    splits: Splits = field(default=(), repr=False)
    n_train: int | None = None
    notes: tuple[str, ...] = ()
    worthy: Booleans | None = field(default=None, repr=False)

    def plan(self, **chosen: Any) -> Plan:
        """The plan with these choices, and the data's protocol in all others."""
        return Plan(**{**self.protocol, **chosen})

    def splits_for(self, plan: Plan) -> Splits | None:
        """The splits that come with the data; None if the plan must draw them."""
        if self.n_train is not None:
            return standard_and_random(len(self.groups), self.n_train, plan.splits, plan.seed)
        return self.splits or None


def load_material(
    source: Any, options: DocumentOptions, dataset: str | None = None, *, progress: Progress | None = None
) -> Material:
    """What to evaluate on: the documents of a source or, where its name is given, a data set instead.

    "sample" is grouped by month unless the options say otherwise, an .h5 file by its own groups. Raises VisavisError
    for what cannot be read, and Incompatible for options that a data set has no use for.
    """
    tell = progress or silent
    tell("reading")
    if dataset is None:
        return document_material(prepare(source, options.reading), options, tell=tell)
    if dataset == SAMPLE:
        by = options.by or (None if options.groups else "date:month")
        return document_material(prepare(sample_path(), options.reading), replace(options, by=by), SAMPLE, tell=tell)
    grouped = options.by is not None or bool(options.groups)
    if grouped and Path(dataset).suffix.lower() in (".h5", ".hdf5"):
        return document_material(prepare(Path(dataset), options.reading), options, dataset, tell=tell)
    _refuse_unused(dataset, options)
    data = load_dataset(dataset)
    protocol = {"dataset": data.name, "grid": data.grid, "init": data.init, "variance": data.variance}
    return Material(data.vectors, data.groups, protocol, data.splits, data.n_train)


def document_material(
    prepared: Prepared, options: DocumentOptions, name: str | None = None, *, tell: Progress = silent
) -> Material:
    """Documents to evaluate on, near-duplicates and those without any vector left out.

    Raises VisavisError for options that do not fit the documents, and if none is left.
    """
    grouping = group_documents(prepared, options.grouping)
    rows = prepared.rows_of(grouping.corpus)
    kept = Copies.DROP.unless_kept(options.duplicates).rows(prepared, rows)
    tell("embedding")
    with limited_to(1):  # with more threads, the last digits of an embedding would depend on their number
        points = embed(prepared, options.embedder, kept)
    smaller = regroup(prepared, grouping, points)
    inputs = choose_inputs(prepared, options.embedder, points.rows)
    known = None if inputs.needs_fitting else points.vectors
    readable = not any(prepared.corpus.documents[row].image for row in points.rows.tolist())
    return Material(
        vectors=DocumentEmbedding(inputs, prepared.texts(points.rows), known, readable),
        groups=np.array(smaller.names)[smaller.codes],
        protocol={"dataset": name or prepared.corpus.origin, "embedding": inputs.name},
        splits=smaller.corpus.splits,
        notes=notes_on(grouping, smaller, points, len(rows) - len(kept)),
        worthy=judge_worth(prepared, points, smaller, (0,) * len(smaller.names)).shown if readable else None,
    )


def _refuse_unused(name: str, options: DocumentOptions) -> None:
    """A data set brings its own groups and vectors: what would change them is refused, not passed over."""
    usual = DocumentOptions()
    for option in fields(DocumentOptions):
        if getattr(options, option.name) != getattr(usual, option.name):
            spelled = {"groups": "group", "duplicates": "keep-duplicates", "columns": next(iter(options.columns), "")}
            written = spelled.get(option.name, option.name.replace("_", "-"))
            about = {"embedder": "vectors", "lead": "vectors", "boilerplate": "vectors"} | dict.fromkeys(
                ("columns", "sql", "strict"), "documents"
            )
            brings = about.get(option.name, "groups")
            raise Incompatible(f"--{written} does not go with --dataset {name}, which brings its own {brings}")
