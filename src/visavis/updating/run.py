"""An update, from files to a summary: the corridor of a comparison, with what the state has frozen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing.assess import assess
from visavis.comparing.candidates import Candidates, find_candidates
from visavis.comparing.comparison import Comparison
from visavis.comparing.describe import describe
from visavis.comparing.overview import overview
from visavis.comparing.posing import make_choice, pose_candidates
from visavis.comparing.prepare import group_documents
from visavis.comparing.run import make_headline
from visavis.comparing.session import DocumentSession
from visavis.comparing.shortlist import make_shortlist
from visavis.comparing.summarize import Findings, summarize
from visavis.comparing.tune import Decided
from visavis.contracts import Engine
from visavis.corpus.lead import settle_lead
from visavis.corpus.reading import read_corpus
from visavis.errors import InvalidParameter
from visavis.kernel.threads import limited_to
from visavis.records import Assessment, Corpus, Summary
from visavis.records.changes import Entry
from visavis.report import write
from visavis.select.search import select
from visavis.shared.progress import Progress, silent
from visavis.shared.warned import heard
from visavis.updating.changes import Found, tell_changes
from visavis.updating.documents import Joined, KeptDocuments, Learned, join
from visavis.updating.drift import find_drift
from visavis.updating.ledger import last_like, make_entry
from visavis.updating.moves import decide
from visavis.updating.options import Settings
from visavis.updating.state import State, alone_with, check_state, read_state, write_state
from visavis.updating.sums import Sums, advance


@dataclass(frozen=True, eq=False, repr=False)
class Updated(Comparison):
    """A comparison that stands in the ledger of a state, under its `number`; `changes` says what is new in it."""

    state: str = ""
    number: int = 0

    def update(self, source: Any = None, **options: Any) -> Updated:
        """The next summary of the same state; see `visavis.update`."""
        return update(self.state, source, **options)


def update(
    state: str | os.PathLike[str],
    source: Any = None,
    *,
    outputs: Sequence[str | os.PathLike[str]] = (),
    progress: Progress | None = None,
    **options: Any,
) -> Updated:
    """Bring a state up to date with the documents of a source, which is whatever `compare` takes, and summarize it.

    A state that is not there is made; `options` are then those of `compare`, `stickiness` (how firmly picks of the last
    summary are held, 0 for not at all) and `quick` (without assessment). Later they are those of the state; others may
    be given where they do not contradict it. Without a source the documents stay what they are. `outputs` are reports
    to write before the state is. Raises VisavisError for anything the caller can put right.
    """
    path, tell = Path(state), progress or silent
    if path.exists():
        check_state(path)  # before a lock is left beside a file that is something else
    elif source is None:
        raise InvalidParameter(f"there is no state {str(path)!r}: name files to make it of")
    else:
        Settings.first(options)
    with alone_with(path):
        before = read_state(path) if path.exists() else None
        settings = Settings.first(options) if before is None else Settings.later(before.settings, options)
        tell("reading")
        corpus = None if source is None else read_corpus(source, settings.compare.reading, by_id=True)
        after, summary = advance_state(before, corpus, settings, tell=tell)
        summary = replace(summary, state=os.fspath(path))
        for output in outputs:
            write(summary, Path(output))
        tell("keeping the state")
        write_state(path, before, after)
    return summary


def advance_state(
    before: State | None,
    corpus: Corpus | None,
    settings: Settings,
    *,
    tell: Progress = silent,
    now: datetime | None = None,
    engine: Engine | None = None,
) -> tuple[State, Updated]:
    """The state after some documents came, and its summary; nothing is read or written."""
    settings = settings.settled(0 if corpus is None else len(corpus.documents))
    prepared, joined = _join(before, corpus, settings)
    tell("grouping")
    grouping = group_documents(prepared, settings.compare.grouping)
    base = None if before is None else last_like(before.entries, settings)
    with limited_to(1, "blas"), heard() as caught:
        tell("embedding")
        candidates = find_candidates(prepared, grouping, settings.compare)
        session = _pose(before, candidates, settings, engine)
        tell("adding up")
        sums = _add_up(before, prepared, candidates, session)
        found, findings = _summarize(session, candidates, settings, replace(joined, items=prepared.items), base, tell)
    findings = replace(findings, warnings=caught.told, notes=caught.technical)
    frame = session.frames[0]
    assert frame.center is not None  # as it was posed
    drift = None if before is None else find_drift(prepared.items, joined.fresh, frame.center)
    changes = tell_changes(found, base, drift)
    summary = _as_updated(summarize(findings, settings.compare), changes)
    entries = () if before is None else before.entries
    entry = make_entry(len(entries) + 1, summary, settings, changes, now or datetime.now(UTC))
    after = State(
        settings.kept() if before is None else before.settings, prepared.learned, frame.gamma, frame.median,
        frame.center, prepared.items, sums, (*entries, entry), prepared.corpus.origin, dict(prepared.corpus.columns),
    )  # fmt: skip
    return after, replace(summary, number=entry.number)


def _join(before: State | None, corpus: Corpus | None, settings: Settings) -> tuple[KeptDocuments, Joined]:
    """The documents of the state with those that came, prepared by what was learned of the first ones."""
    options = settings.compare
    learned = Learned() if before is None else replace(before.learned)
    known = () if before is None else before.items
    joined = join(known, corpus, settle_lead(options.lead, 0), learned, options.boilerplate == "drop")
    whole = _whole_corpus(before, joined, corpus)
    return KeptDocuments(whole, options.reading, items=list(joined.items), learned=learned), joined


def _whole_corpus(before: State | None, joined: Joined, corpus: Corpus | None) -> Corpus:
    """All documents as one corpus; what was set aside and noted is what was read this time."""
    documents = tuple(item.document for item in joined.items)
    known = {} if before is None else before.columns
    origin = "" if before is None else before.origin
    if corpus is None:
        return Corpus(documents, origin, known)
    return Corpus(documents, origin or corpus.origin, {**corpus.columns, **known}, corpus.set_aside, corpus.notes)


def _pose(before: State | None, candidates: Candidates, settings: Settings, engine: Engine | None) -> DocumentSession:
    """The session on all documents, in the frame of the state: its γ, its center."""
    options = settings.compare
    gamma = options.gamma if before is None else before.gamma
    session = pose_candidates(candidates, options, options.chosen_kernel, gamma)
    if before is None:
        center = np.asarray(candidates.points.vectors.mean(axis=0, dtype=np.float64))
        frame = replace(session.frames[0], center=center)
    else:
        frame = replace(session.frames[0], center=before.center, median=before.median)
    return replace(session, frames=(frame,), engine=engine or session.engine)


def _add_up(before: State | None, prepared: KeptDocuments, candidates: Candidates, session: DocumentSession) -> Sums:
    """The sums of all documents, which the session is told; only those that came or changed are looked at."""
    points, codes = candidates.points, candidates.grouping.codes
    vectors = np.zeros((len(prepared.items), points.vectors.shape[1]), np.float32)
    weights = np.zeros((len(prepared.items), len(session.names)))
    vectors[points.rows] = points.vectors
    weights[points.rows, codes] = points.weights
    known = None if before is None else before.sums
    sums = advance(known, session.names, vectors, weights, session.frames[0], session.engine)
    session.tell_sums(sums.values[points.rows])
    return sums


def _summarize(
    session: DocumentSession, candidates: Candidates, settings: Settings, joined: Joined, base: Entry | None,
    tell: Progress,
) -> tuple[Found, Findings]:  # fmt: skip
    """Select, hold, describe and assess."""
    options = settings.compare
    choice = make_choice(session, candidates, options)
    tell("selecting")
    scratch = select(session, session.request(choice, candidates.pinned))
    last = dict.fromkeys(_rows_of(base, session, candidates, options.ban))
    decision = decide(session, scratch, last, settings.stickiness, candidates.pinned)
    tell("describing")
    about, assessment = overview(session), Assessment()
    if not settings.quick:
        assessment = assess(session, decision.selection, about=about, pairs=options.pairs, progress=tell)
        about = about.tested(assessment.telling)
    description = describe(session, decision.selection, about)
    found = Found(joined, candidates, session, decision, description, settings)
    headline = make_headline(session, description, assessment, options, tell)
    shortlist = make_shortlist(session, decision.selection, about) if options.live else None
    return found, Findings(
        candidates, session, Decided(choice), decision.selection, about, description, assessment, headline, shortlist
    )


def _rows_of(base: Entry | None, session: DocumentSession, candidates: Candidates, banned: Sequence[str]) -> list[int]:
    """Where last time's picks stand that are still in their groups, and are neither banned nor a copy of what is."""
    if base is None:
        return []
    picked = {(pick.group, pick.id): at for at, pick in enumerate(base.picks)}
    families = candidates.points.families
    out = {int(families[row]) for row, document in enumerate(session.documents) if document.id in set(banned)}
    found = [
        (picked[key], row)
        for row, (document, code) in enumerate(zip(session.documents, session.codes.tolist(), strict=True))
        if (key := (session.names[code], document.id)) in picked and int(families[row]) not in out
    ]
    return [row for _, row in sorted(found)]


def _as_updated(summary: Comparison, changes: Any) -> Updated:
    told = {one.name: getattr(summary, one.name) for one in fields(Summary)}
    warning = changes.drift.warning if changes.drift else ""
    told["warnings"] = (*summary.warnings, *([warning] if warning else []))
    return Updated(**{**told, "changes": changes if changes.since else None})
