"""The whole way at once: read, group, embed, pose, choose, select, describe, assess, summarize."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from visavis.comparing.again import folds_within, held_out_folds
from visavis.comparing.assess import assess
from visavis.comparing.candidates import Candidates, find_candidates, wanted_sizes
from visavis.comparing.choice import MOST_PICKS, Choice, check_pins, clip_sizes, read_sizes
from visavis.comparing.comparison import Comparison
from visavis.comparing.describe import Description, describe
from visavis.comparing.options import CompareOptions, make_options
from visavis.comparing.overview import overview
from visavis.comparing.prepare import Prepared, group_documents, prepare
from visavis.comparing.session import DocumentSession, pose
from visavis.comparing.shortlist import make_shortlist
from visavis.comparing.summarize import Findings, summarize
from visavis.comparing.tune import Decided, can_be_tuned, decide
from visavis.corpus.grouping import check_by, facets
from visavis.engines.local import LocalEngine
from visavis.errors import InvalidParameter, LeftTheData, VisavisError
from visavis.inputs import check_compute, check_whole
from visavis.kernel.threads import limited_to
from visavis.records import Assessment, Corpus, Headline, Integers
from visavis.report.periods import said
from visavis.select.search import Selection, select
from visavis.shared.names import unknown
from visavis.shared.progress import Progress, silent

ALL_CORES = -1
FEW = 3000  # documents up to which threads mostly wait for each other
MANY_PICKS, LONG_SEARCH = 64, 250_000  # picks, and picks times documents, from which processes pay


def compare(source: Any, by: str | None = None, *, progress: Progress | None = None, **options: Any) -> Comparison:
    """Compare the groups of documents in `source`: a file, several, a data frame, or a list of dicts or strings.

    `options` are the fields of CompareOptions. Raises VisavisError for anything the caller can put right.
    """
    chosen = make_options(by=by, **options)
    tell = progress or silent
    tell("reading")
    return compare_prepared(prepare(source, chosen.reading), chosen, tell)


def compare_facets(
    source: Any, facet: str, by: str | None = None, *, progress: Progress | None = None, **options: Any
) -> list[tuple[str, Comparison | VisavisError]]:
    """One comparison for each value of a column; a value that cannot be compared has the reason in its place.

    Raises VisavisError, as `compare` does, for what is wrong for all of them, and if none can be compared.
    """
    chosen = make_options(by=by, **options)
    tell = progress or silent
    tell("reading")
    prepared = prepare(source, chosen.reading)
    check_by(prepared.corpus, chosen.grouping)
    results: list[tuple[str, Comparison | VisavisError]] = []
    if chosen.headline is not None:
        from visavis.comparing.by_model import as_model

        chosen = replace(chosen, headline=as_model(chosen.headline))  # whose calls are counted over all values
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
    with limited_to(1, "blas"), warnings.catch_warnings(record=True) as caught:  # our own threads do the parallel work
        warnings.simplefilter("always")
        tell("embedding")
        candidates = find_candidates(prepared, grouping, options)
        session = first = _pose(candidates, options, options.chosen_kernel, options.gamma)
        choice = _choice(session, candidates, options)
        decided = decide(session, choice, held_out_folds(session)[0] if choice.is_open else [], tell)
        if decided.tuned:
            session = _pose(candidates, options, decided.choice.kernel, decided.choice.gamma)
        tell("selecting")
        selection = select(session, session.request(decided.choice, candidates.pinned))
        tell("describing")
        about = overview(session)
        description = describe(session, selection, about)
        anew = _choosing_anew(first, choice, selection)
        assessment = assess(session, selection, pairs=options.pairs, choose=anew, progress=tell)
        headline = _headline(session, description, assessment, options, tell)
        shortlist = make_shortlist(session, selection, about) if options.live else None
    found = Findings(
        candidates, session, decided, selection, about, description, assessment, headline, shortlist,
        _messages(caught, technical=False), _messages(caught, technical=True),
    )  # fmt: skip
    return summarize(found, options)


def _pose(candidates: Candidates, options: CompareOptions, kernel: Any, gamma: float | str) -> DocumentSession:
    grouping = candidates.grouping
    compute = check_compute("float32", _jobs(options.jobs, len(grouping.codes)), 512)
    return pose(
        candidates.points,
        grouping.names,
        grouping.codes,
        documents=grouping.corpus.documents,
        texts=candidates.texts,
        candidates=candidates.allowed,
        blocks=candidates.blocks,
        strata=None if candidates.given is None else candidates.given.strata,
        kernel=kernel,
        gamma=gamma,
        engine=LocalEngine(compute, processes=_processes(candidates, options)),
        compute=compute,
        seed=options.seed,
    )


def _jobs(asked: int, n_documents: int) -> int:
    """As many threads as were asked for; of all cores only one where there is so little to do that they would wait."""
    return 1 if asked == ALL_CORES and n_documents <= FEW else asked


def _processes(candidates: Candidates, options: CompareOptions) -> int:
    """In how many processes to pick again. With very many picks a search spends its time in Python, which threads
    cannot share; what is no name may live in this process alone."""
    picks = sum(wanted_sizes(options, candidates.grouping.names))
    heavy = picks >= MANY_PICKS and picks * len(candidates.grouping.codes) >= LONG_SEARCH
    named = isinstance(options.method, str) and isinstance(options.kernel, str)
    return check_compute("float32", options.jobs, 512).threads if heavy and named else 1


def _choice(session: DocumentSession, candidates: Candidates, options: CompareOptions) -> Choice:
    """What the options ask for, sizes cut to what there is. Raises InvalidParameter for too many picks or pins."""
    sizes = read_sizes(options.size, session.names)
    pins: Integers = np.bincount(session.codes[list(candidates.pinned)], minlength=len(session.names))
    if options.budget is not None:  # it takes the place of the size: as many of each while parameters are tuned
        _check_budget(options.budget, len(session.names))
        share = max(1, options.budget // len(session.names))
        sizes = clip_sizes((share,) * len(session.names), session.room(candidates.pinned), session.names)
    elif sizes is not None:
        check_pins(pins, sizes, session.names)
        sizes = clip_sizes(sizes, session.room(candidates.pinned), session.names)
    return Choice(
        options.method, options.choice_parameters, options.chosen_kernel, options.gamma, sizes, options.budget,
        options.tune and can_be_tuned(options.method, options.kernel), max(1, int(pins.max())),
    )  # fmt: skip


def _check_budget(budget: Any, n_groups: int) -> None:
    if check_whole("budget", budget, low=1) > MOST_PICKS * n_groups:
        raise InvalidParameter(f"budget={budget} is more than {MOST_PICKS} picks a group: lower budget")


def _headline(
    session: DocumentSession, description: Description, assessment: Assessment, options: CompareOptions, tell: Progress
) -> Headline | None:
    """A model's headline, where one is asked for; without that, nothing that could send anything is even imported."""
    if options.headline is None:
        return None
    from visavis.comparing.by_model import write_headline

    return write_headline(session, description, assessment, options.headline, progress=tell)


def _choosing_anew(
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


def _messages(caught: Sequence[warnings.WarningMessage], *, technical: bool) -> tuple[str, ...]:
    """What was warned of, each thing once; how the search went is technical, and no reason to distrust the picks."""
    messages = [str(one.message) for one in caught if issubclass(one.category, LeftTheData) is technical]
    return tuple(dict.fromkeys(messages))
