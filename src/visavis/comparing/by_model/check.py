"""Which sentences stay: those that rest on the picks they cite and tell their group from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from visavis.comparing.again import held_out_rows
from visavis.comparing.by_model.answer import Proposal
from visavis.comparing.by_model.prompt import Quoted
from visavis.comparing.session import CHECKING, DocumentSession
from visavis.contracts import FittedEmbedder
from visavis.embed.tfidf import Tfidf
from visavis.explain.grounding import ungrounded
from visavis.explain.sentences import HeldAgainst, SentenceScore, tell_by_sentences
from visavis.records import Sentence
from visavis.shared.statistics import ALPHA


def check_sentences(
    session: DocumentSession, quoted: Sequence[Quoted], proposals: Sequence[Proposal]
) -> tuple[Sentence, ...]:
    """The proposals as sentences, in the order of their groups; what fails a check is dropped, with the reason."""
    ordered = sorted(proposals, key=lambda one: one.group)
    sent = [one.text for one in quoted]
    found = {}
    for one in ordered:
        why = ungrounded(one.text, [cited.text for cited in one.cites], sent, session.names)
        cites = tuple(session.documents[cited.row].id for cited in one.cites)
        groups = tuple(session.names[cited.group] for cited in one.cites)
        found[one.group] = Sentence(session.names[one.group], one.text, cites, dropped=why, cited_groups=groups)
    grounded = [one for one in ordered if not found[one.group].dropped]
    if grounded:
        found.update(zip((one.group for one in grounded), _tested(session, quoted, grounded, found), strict=True))
    return tuple(found.values())


def _tested(
    session: DocumentSession, quoted: Sequence[Quoted], proposals: Sequence[Proposal], found: dict[int, Sentence]
) -> list[Sentence]:
    """The sentences with what they tell of documents that the model was not shown."""
    sentences = [found[one.group] for one in proposals]
    held, embedder = held_against(session, quoted)
    why = held.undecided(len(session.names))
    placed = embedder.embed([one.text for one in proposals])
    if why or len(placed.kept) == 0:
        return [replace(one, dropped=f"it cannot be checked: {why or 'no word of it is common'}") for one in sentences]
    about = np.array([proposals[place].group for place in placed.kept.tolist()], np.intp)
    told = tell_by_sentences(held, placed.vectors, about, session.rng(CHECKING))
    known = dict(zip(placed.kept.tolist(), told, strict=True))
    for place, sentence in enumerate(sentences):
        if place not in known:
            sentences[place] = replace(sentence, dropped="it cannot be checked: no word of it is common")
            continue
        one = known[place]
        sentences[place] = replace(sentence, accuracy=one.accuracy, p_value=one.p_value, dropped=_untold(one))
    return sentences


def _untold(told: SentenceScore) -> str:
    """Why a sentence tells too little; blank if it tells enough."""
    if told.p_value >= ALPHA:
        return "it does not tell its group from the rest"
    return (
        ""
        if told.p_alone < ALPHA
        else "by itself, without the other sentences, it does not tell its group from the rest"
    )


def held_against(session: DocumentSession, quoted: Sequence[Quoted]) -> tuple[HeldAgainst, FittedEmbedder]:
    """The documents that count, of copies one, by TF-IDF, whatever they were compared by: words are checked."""
    rows, _ = held_out_rows(session)
    rows = rows[session.points.weights[rows] > 0]
    rows = np.array([row for row in rows.tolist() if not session.documents[row].image], np.intp)
    embedded = Tfidf().embed([session.texts[row] for row in rows.tolist()])
    assert embedded.fitted is not None
    rows, families = rows[embedded.kept], session.points.families
    shown = np.isin(families[rows], families[[one.row for one in quoted]])
    n_shown = np.bincount([one.group for one in quoted], minlength=len(session.names))
    blocks = session.blocks.take(rows)
    return HeldAgainst(
        embedded.vectors, session.codes[rows], shown, n_shown, blocks.units, blocks.strata
    ), embedded.fitted
