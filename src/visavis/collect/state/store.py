"""All state of a collection in one SQLite file: every step reads what the last one left, and resumes."""

from __future__ import annotations

from visavis.collect.state.counts import CountRows
from visavis.collect.state.documents import DocumentRows
from visavis.collect.state.pages import PageRows
from visavis.collect.state.posts import PostRows
from visavis.collect.state.queries import QueryRows
from visavis.collect.state.statefile import BadState

__all__ = ["BadState", "Store"]


class Store(PostRows, QueryRows, PageRows, DocumentRows, CountRows):
    """What the steps keep, by kind. Every `add_*` and `set_*` is one transaction.

    Saying the same thing twice changes nothing, so that a step that was stopped may simply run again.
    """
