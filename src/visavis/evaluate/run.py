"""The whole evaluation: splits, methods, processes, journal, results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array

from visavis._version import __version__
from visavis.errors import InvalidParameter
from visavis.evaluate.gather import candidate_notes, gather_results
from visavis.evaluate.journal import Journal, open_journal
from visavis.evaluate.output import write_evaluation
from visavis.evaluate.plan import CEILING, Plan
from visavis.evaluate.results import Evaluation
from visavis.evaluate.search import MOST_EXAMPLES, evaluate_everything, evaluate_method
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Embedding, Source
from visavis.evaluate.splits import check_room, make_splits
from visavis.evaluate.whole_blocks import WholeBlocks
from visavis.evaluate.worthy import SplitCandidates
from visavis.inputs import check_compute, check_groups
from visavis.kernel.threads import limited_to
from visavis.records import Array, Blocks, Floats
from visavis.select.methods import Pair, row_of
from visavis.shared.processes import in_processes

Progress = Callable[[int, int, str], None]  # pieces done, pieces in all, the last one's name

_shared: dict[tuple[str, int], Shared] = {}  # this process's latest split


def evaluate(
    vectors: ArrayLike | Embedding,
    groups: ArrayLike,
    plan: Plan | None = None,
    *,
    splits: Sequence[tuple[ArrayLike, ArrayLike]] | None = None,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    notes: Sequence[str] = (),
    texts: Sequence[str] | None = None,
    worthy: ArrayLike | None = None,
    blocks: Blocks | ArrayLike | None = None,
) -> Evaluation:
    """Which method, how many picks, on these documents? Every method of the plan on every split.

    `vectors` is an array (N, d), or a function from the rows of a training part to such an array, called for each
    split. `splits` are pairs of training and test rows to use instead of random ones. With a `folder` the run is kept
    there: it can be stopped at any moment, the same call continues it, and tables and figures are written at the end.
    Neither that nor `jobs`, the number of processes, changes a single digit. `texts` are what a reader would read (by
    default those of documents that are embedded here): without them there is no variety. `worthy` marks the documents
    that may be shown: without it no share is set aside. `blocks`, a label for each document, are held out whole, in
    splits and in folds. A plan whose candidates are "worthy" needs documents that are embedded here, from
    `load_material`. Raises InvalidParameter, TooFewDocuments, UnknownName, Incompatible, and VisavisError if the folder
    belongs to another run.
    """
    plan = plan or Plan()
    source = replace(_source(vectors, groups, plan, splits, blocks), **_aids(texts, worthy, len(np.asarray(groups))))
    check_compute("float32", jobs, 512)
    with limited_to(1):  # with more threads, the last digits of an embedding would depend on their number
        key = source.digest(plan, __version__)
    about = {**plan.describe(), "version": __version__, "blocks": source.blocks_record()}
    opened = open_journal(Path(folder), key, about) if folder is not None else nullcontext(None)
    with opened as journal:
        done: dict[tuple[int, str], Mapping[str, Any]] = dict(journal.done) if journal is not None else {}
        _finish(source, plan, key, jobs, done, journal, progress)
    evaluation = _evaluation(source, plan, key, done, notes)
    if folder is not None:
        write_evaluation(evaluation, Path(folder))
    return evaluation


def _source(
    vectors: Any, groups: ArrayLike, plan: Plan, given: Any, blocks: Blocks | ArrayLike | None = None
) -> Source:
    labels = np.asarray(groups)
    grouped = check_groups(labels, len(labels))
    if len(grouped.labels) < 2:
        raise InvalidParameter("there is one group only: nothing can be told apart; evaluate two groups or more")
    data = vectors if callable(vectors) else _array(vectors)
    names = tuple(str(label) for label in grouped.labels.tolist())
    whole = WholeBlocks.of(blocks, len(labels))
    splits = make_splits(grouped.codes, plan, given, names, whole)
    for number, split in enumerate(splits):
        check_room(grouped.codes, names, split, number, plan, whole)
    return Source(data, grouped.codes, names, splits, blocks=whole)


def _aids(texts: Sequence[str] | None, worthy: ArrayLike | None, n_documents: int) -> dict[str, Any]:
    """What the measures need beyond vectors, one for each document. Raises InvalidParameter."""
    marks: Array | None = None if worthy is None else np.asarray(worthy)
    if texts is not None and (isinstance(texts, str) or len(texts) != n_documents):
        raise InvalidParameter(f"there are {len(texts)} texts but {n_documents} groups' labels: one each")
    if marks is not None and (marks.dtype != np.bool_ or marks.shape != (n_documents,)):
        raise InvalidParameter(f"worthy must be {n_documents} times True or False, got {marks.dtype} of {marks.shape}")
    return {"given_texts": None if texts is None else tuple(texts), "worthy": marks}


def _array(vectors: Any) -> Floats:
    try:
        return np.asarray(check_array(vectors, dtype=np.float64, order="C", input_name="vectors"))
    except (TypeError, ValueError) as error:
        raise InvalidParameter(str(error).splitlines()[0]) from error


def _finish(
    source: Source,
    plan: Plan,
    key: str,
    jobs: int,
    done: dict[tuple[int, str], Mapping[str, Any]],
    journal: Journal | None,
    progress: Progress | None,
) -> None:
    """Do what is not done yet, and keep each piece as it comes."""
    pieces = [(split, method) for split in range(len(source.splits)) for method in _longest_first(plan)]
    left = [piece for piece in pieces if piece not in done]
    tell = progress or (lambda *_: None)
    tell(len(pieces) - len(left), len(pieces), "")
    if left and jobs > 1:
        _ = source.terms  # once here, not in every process
    for record in _work_all(source, plan, key, jobs, left):
        if journal is not None:
            journal.append(record)
        done[record["split"], record["method"]] = record
        tell(len(done), len(pieces), f"split {record['split']}, {record['method']}")
    _shared.clear()


def _longest_first(plan: Plan) -> list[str]:
    """Methods that take longest first, so that no process is left alone with them at the end."""

    def rank(method: str) -> int:
        row = None if method == CEILING else row_of(method)
        return 0 if isinstance(row, Pair) and not row.is_nested else 1

    return sorted(plan.units, key=rank)


def _work_all(
    source: Source, plan: Plan, key: str, jobs: int, pieces: Sequence[tuple[int, str]]
) -> Iterator[dict[str, Any]]:
    if jobs == 1 or len(pieces) < 2:
        yield from (work(source, plan, key, split, method) for split, method in pieces)
        return
    failed: list[Exception] = []
    tasks = _with_candidates(source, plan, pieces, failed)
    yield from in_processes(partial(_work_on, source, plan, key), tasks, jobs, ordered=False)
    if failed:
        raise failed[0]


def _with_candidates(
    source: Source, plan: Plan, pieces: Sequence[tuple[int, str]], failed: list[Exception]
) -> Iterator[tuple[int, str, SplitCandidates | None]]:
    """The pieces with what may be picked in their splits, which is told here: documents stay in this process.

    What fails ends them and is put down, since whoever asks for the next piece is a thread that nobody hears.
    """
    for split, own in groupby(pieces, itemgetter(0)):
        try:
            candidates = source.candidates(split, plan)
        except Exception as error:
            failed.append(error)
            return
        yield from ((split, method, candidates) for _, method in own)


def _work_on(source: Source, plan: Plan, key: str, task: tuple[int, str, SplitCandidates | None]) -> dict[str, Any]:
    return work(source, plan, key, *task)


def work(
    source: Source, plan: Plan, key: str, split: int, method: str, candidates: SplitCandidates | None = None
) -> dict[str, Any]:
    """One piece: a method on a split. The split's shared state is kept for the next piece of it."""
    wall, cpu = time.perf_counter(), time.process_time()
    with limited_to(1):
        if (key, split) not in _shared:
            _shared.clear()
            _shared[key, split] = Shared(source, plan, split, candidates)
        shared = _shared[key, split]
        found = evaluate_everything(shared) if method == CEILING else evaluate_method(shared, method)
    return {
        "split": split,
        "method": method,
        "rows": [chosen.as_record() for chosen in found],
        "seconds": round(time.perf_counter() - wall, 3),
        "cpu_seconds": round(time.process_time() - cpu, 3),
        **shared.about_candidates(),
    }


def _evaluation(
    source: Source, plan: Plan, key: str, done: Mapping[tuple[int, str], Mapping[str, Any]], notes: Sequence[str]
) -> Evaluation:
    trained = [len(split.train) for split in source.splits]
    tested = [len(split.test) for split in source.splits]
    facts = {
        "key": key,
        "splits_key": source.splits_digest(plan),
        "version": __version__,
        "documents": len(source.codes),
        "groups": dict(zip(source.names, np.bincount(source.codes).tolist(), strict=True)),
        "blocks": source.blocks_record(),
        "train": trained,
        "test": tested,
        "test_to_train": sum(tested) / sum(trained),
    }
    if source.blocks is not None:
        notes = [*notes, source.blocks.note(trained, tested)]
    notes = [*notes, *candidate_notes(source, plan, done)]
    if plan.ceilings and max(trained) > MOST_EXAMPLES:
        notes = [*notes, f"the ceilings are trained on {MOST_EXAMPLES:,} evenly spaced documents, groups in proportion"]
    timings = [{k: record[k] for k in ("split", "method", "seconds", "cpu_seconds")} for record in done.values()]
    timings.sort(key=lambda row: (row["method"], row["split"]))
    return Evaluation(gather_results(source, plan, done), plan.describe(), facts, tuple(notes), tuple(timings))
