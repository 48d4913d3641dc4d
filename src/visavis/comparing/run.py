"""The whole way at once: read, group, embed, pose, choose, select, describe, assess, summarize."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from visavis.comparing.again import folds_within, held_out_folds
from visavis.comparing.assess import assess
from visavis.comparing.candidates import find_candidates
from visavis.comparing.choice import Choice
from visavis.comparing.comparison import Comparison
from visavis.comparing.describe import Description, describe
from visavis.comparing.options import CompareOptions, make_options
from visavis.comparing.overview import Known, overview
from visavis.comparing.posing import count_processes, make_choice, pose_candidates, spread_as_asked
from visavis.comparing.prepare import Prepared, group_documents, prepare
from visavis.comparing.session import DocumentSession
from visavis.comparing.shortlist import make_shortlist
from visavis.comparing.summarize import Findings, summarize
from visavis.comparing.tune import Decided, decide
from visavis.corpus.grouping import check_by, facets
from visavis.errors import InvalidParameter, VisavisError
from visavis.explain.words import reads_all
from visavis.kernel.threads import limited_to, load_libraries, meanwhile
from visavis.records import Assessment, Corpus, Grouping, Headline, Integers, PicksRead
from visavis.report.periods import said
from visavis.select.search import Selection, select
from visavis.shared.garbage import seldom_collected
from visavis.shared.names import unknown
from visavis.shared.processes import warm_up, warm_up_for
from visavis.shared.progress import Progress, silent
from visavis.shared.warned import Heard, heard


def compare(source: Any, by: str | None = None, *, progress: Progress | None = None, **options: Any) -> Comparison:
    """Compare the groups of documents in `source`: a file, several, a data frame, or a list of dicts or strings.

    `options` are the fields of CompareOptions. Raises VisavisError for anything the caller can put right.
    """
    chosen = make_options(by=by, **options)
    tell = progress or silent
    tell("reading")
    with spread_as_asked(chosen):
        return compare_prepared(_prepare(source, chosen), chosen, tell)


def compare_facets(
    source: Any, facet: str, by: str | None = None, *, progress: Progress | None = None, **options: Any
) -> list[tuple[str, Comparison | VisavisError]]:
    """One comparison for each value of a column; a value that cannot be compared has the reason in its place.

    Raises VisavisError, as `compare` does, for what is wrong for all of them, and if none can be compared.
    """
    chosen = make_options(by=by, **options)
    with spread_as_asked(chosen):
        return _compare_each(source, facet, chosen, progress or silent)


def _compare_each(
    source: Any, facet: str, chosen: CompareOptions, tell: Progress
) -> list[tuple[str, Comparison | VisavisError]]:
    tell("reading")
    prepared = _prepare(source, chosen)
    check_by(prepared.corpus, chosen.grouping)
    results: list[tuple[str, Comparison | VisavisError]] = []
    if chosen.headline is not None or chosen.editor is not None:
        from visavis.comparing.by_model import as_model

        asked = (chosen.headline, chosen.editor)
        headline, editor = (None if one is None else as_model(one) for one in asked)
        chosen = replace(chosen, headline=headline, editor=editor)  # whose calls are counted over all values
    _check_ids(prepared, chosen)
    for value, part in facets(prepared.corpus, facet, chosen.date_order):
        try:
            found = compare_prepared(prepared, _within(chosen, part), _prefixed(tell, value), part)
            alone = InvalidParameter("there is only one group, and nothing to compare it with")
            results.append((value, _titled(found, said(value)) if len(found.groups) > 1 else alone))
        except VisavisError as error:
            results.append((value, error))
    errors = [result for _, result in results if isinstance(result, VisavisError)]
    if len(errors) == len(results):
        raise errors[0] if errors else InvalidParameter(f"no document has a value in {facet!r}")
    return results


def _prepare(source: Any, chosen: CompareOptions) -> Prepared:
    with seldom_collected():
        return prepare(source, chosen.reading)


def _titled(found: Comparison, value: str) -> Comparison:
    """The comparison of a facet with its value in the title, unless that is a part of it already."""
    parts = found.title.casefold().split(", ")
    return found if value.casefold() in ("", *parts) else replace(found, title=f"{found.title}: {value}")


def _check_ids(prepared: Prepared, options: CompareOptions) -> None:
    """Raise UnknownName for a pin or ban that is no document at all."""
    known = {document.id for document in prepared.corpus.documents}
    for name in (*options.pin, *options.ban):
        if name not in known:
            raise unknown("document", name, sorted(known))


def _within(options: CompareOptions, part: Corpus) -> CompareOptions:
    """The options of one facet: pins and bans of the others' documents are none of its business."""
    own = {document.id for document in part.documents}
    pin, ban = (tuple(name for name in names if name in own) for names in (options.pin, options.ban))
    return replace(options, pin=pin, ban=ban)


def _prefixed(tell: Progress, value: str) -> Progress:
    return lambda stage: tell(f"{value}: {stage}")


def compare_prepared(
    prepared: Prepared, options: CompareOptions, tell: Progress, within: Corpus | None = None
) -> Comparison:
    """The doors after reading, for all documents or a part of their corpus."""
    tell("grouping")
    grouping = group_documents(prepared, options.grouping, within)
    if (processes := count_processes(grouping, options)) > 1:
        warm_up(processes, "visavis.comparing.again")
    else:
        warm_up_for(len(prepared.corpus.documents), prepared.reading.processes, "visavis.corpus.boilerplate")
    tell("embedding")
    with _at_work(prepared, grouping) as caught:
        candidates = find_candidates(prepared, grouping, options, tell)
        session = first = pose_candidates(candidates, options, options.chosen_kernel, options.gamma)
        choice = make_choice(session, candidates, options)
        rows = candidates.points.rows
        known = Known(prepared.tokens(rows)) if reads_all(len(rows)) else None
        with meanwhile(partial(overview, session, known), _at_once(session, options)) as look:
            decided = decide(session, choice, held_out_folds(session)[0] if choice.is_open else [], tell)
            if decided.tuned:
                session = pose_candidates(candidates, options, decided.choice.kernel, decided.choice.gamma)
            tell("selecting")
            selection = select(session, session.request(decided.choice, candidates.pinned))
            selection, picks_read = read_by_model(session, selection, options, tell)
            if picks_read is not None:
                candidates = candidates.refusing(picks_read)
                session = session.allowing(candidates.allowed)
            tell("describing")
            about = look()
        anew = choosing_anew(first.allowing(candidates.allowed), choice, selection)
        assessment = assess(session, selection, about=about, pairs=options.pairs, choose=anew, progress=tell)
        about = about.tested(assessment.telling)
        description = describe(session, selection, about)
        headline = make_headline(session, description, assessment, options, tell)
        shortlist = make_shortlist(session, selection, about) if options.live else None
    found = Findings(
        candidates, session, decided, selection, about, description, assessment, headline, shortlist,
        caught.told, caught.technical, picks_read,
    )  # fmt: skip
    return summarize(found, options)


@contextmanager
def _at_work(prepared: Prepared, grouping: Grouping) -> Iterator[Heard]:
    """Warnings are heard; once there are texts, libraries keep to one thread: our own do the parallel work."""
    with seldom_collected(), heard() as caught:
        _make_texts(prepared, grouping)
        with limited_to(1, "blas"):
            yield caught


def _make_texts(prepared: Prepared, grouping: Grouping) -> None:
    """Make the texts of the documents: mostly in other processes, while this one loads what it needs next."""
    with meanwhile(load_libraries, prepared.reading.processes) as loaded:
        prepared.texts(prepared.rows_of(grouping.corpus))
        loaded()


def _at_once(session: DocumentSession, options: CompareOptions) -> int:
    """In how many threads to select and to look around; one after the other where memory is short."""
    return 1 if options.memory is not None or session.keys is not None else session.compute.threads


def read_by_model(
    session: DocumentSession, selection: Selection, options: CompareOptions, tell: Progress
) -> tuple[Selection, PicksRead | None]:
    """The picks when a model has read them, and what became of those it refused; as they are where none is asked."""
    if options.editor is None:
        return selection, None
    from visavis.comparing.by_model import read_picks

    return read_picks(session, selection, options.editor, title=options.title or "", progress=tell)


def make_headline(
    session: DocumentSession, description: Description, assessment: Assessment, options: CompareOptions, tell: Progress
) -> Headline | None:
    """A model's headline, where one is asked for; without that, nothing that could send anything is even imported."""
    if options.headline is None:
        return None
    from visavis.comparing.by_model import write_headline

    return write_headline(session, description, assessment, options.headline, progress=tell)


def choosing_anew(
    session: DocumentSession, choice: Choice, selection: Selection
) -> Callable[[Integers], Choice] | None:
    """How to choose on training rows what was left open; None where nothing was."""
    if not choice.is_open:
        return None
    counts = tuple(np.bincount(selection.owner, minlength=len(session.names)).tolist())
    again = choice if choice.sizes is None else replace(choice, sizes=counts, budget=None)

    def choose(train: Integers) -> Choice:
        found: Decided = decide(session, again, folds_within(session, train))
        return found.choice

    return choose
