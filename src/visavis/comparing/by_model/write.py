"""From picks to a headline: the model is asked once, and a failure of it never spoils the report."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from visavis.comparing.by_model.answer import read_answer
from visavis.comparing.by_model.check import check_sentences
from visavis.comparing.by_model.model import as_model, ask
from visavis.comparing.by_model.prompt import MOST_GROUPS, Quoted, compose, quote_picks
from visavis.comparing.describe import Description
from visavis.comparing.session import DocumentSession
from visavis.records import Assessment, Headline
from visavis.shared.progress import Progress, silent
from visavis.shared.statistics import ALPHA


def write_headline(
    session: DocumentSession,
    description: Description,
    assessment: Assessment,
    asked: Any,
    *,
    progress: Progress | None = None,
) -> Headline:
    """What a model writes of the picks and the documents bear out, or why there is nothing.

    `asked` is an Endpoint or a ChatModel. Where no difference was shown there is nothing to tell, and nothing is sent.
    """
    model, quoted = as_model(asked), quote_picks(session, description)
    empty = Headline(model.model, model.host)
    why = _needless(session, assessment, quoted)
    if why:
        return replace(empty, missing=why)
    (progress or silent)(f"asking {model.model} at {model.host}, {len(quoted)} texts")
    sent = replace(empty, texts_sent=len(quoted))
    answer = ask(model, compose(session.names, quoted), partial(read_answer, names=session.names, quoted=quoted))
    if answer.found is None:
        return replace(sent if answer.sent else empty, missing=answer.why)
    proposals, dropped = answer.found
    try:
        return replace(sent, sentences=(*check_sentences(session, quoted, proposals), *dropped))
    except Exception as error:  # what was sent must be told, and the rest of the report needs no headline
        return replace(sent, missing=f"its sentences could not be checked ({type(error).__name__})")


def _needless(session: DocumentSession, assessment: Assessment, quoted: tuple[Quoted, ...]) -> str:
    """Why the model need not be asked; blank if it should be."""
    p = assessment.tests[0].p_value if assessment.tests else None
    if len(session.names) > MOST_GROUPS:
        return f"there are {len(session.names)} groups, and a headline can tell of {MOST_GROUPS} at most"
    if p is None or p >= ALPHA:
        return "no difference between the groups was shown, so that there is nothing to tell"
    if len({one.group for one in quoted}) < 2:
        return "fewer than two groups have picks with something to read"
    return ""
