"""What a language model said of picks before they were shown, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refused:
    """A document (its `id`, its `row` among those compared) that was a pick of a `group` until a model read it.

    `why` it is none, in the model's words; `like` is the id of a pick beside it that tells the same event, and blank
    where the document itself was found odd.
    """

    id: str
    row: int
    group: str
    why: str = ""
    like: str = ""


@dataclass(frozen=True)
class PicksRead:
    """Picks that a `model` at a `host` has read, to which so many texts were sent, and those it `refused`.

    Others stand in their places, which it has read as well, but for the `unread`. `kept` counts those it would have
    refused of groups that had nothing else to show, or had lost many. `missing` says why it was not asked, or not to
    the end; blank if it was.
    """

    model: str
    host: str
    texts_sent: int = 0
    refused: tuple[Refused, ...] = ()
    kept: int = 0
    unread: int = 0
    missing: str = ""
