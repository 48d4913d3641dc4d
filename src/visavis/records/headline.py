"""What a language model wrote of the picks, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """What a model wrote of one group, citing picks by the ids of their documents (`cites`) and their groups
    (`cited_groups`, one for each): a document of several groups may be a pick of each.

    `accuracy` is the balanced accuracy with which it tells its group from the rest among documents that the model was
    not shown, `p_value` how often picks of groups that do not differ would do as well; None where it came to no test.
    `dropped` says why it is not shown, and is blank if it is. A text that nobody should see is left blank.
    """

    group: str
    text: str
    cites: tuple[str, ...] = ()
    accuracy: float | None = None
    p_value: float | None = None
    dropped: str = ""
    cited_groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class Headline:
    """Sentences of a `model` at a `host`, to which so many texts were sent.

    `missing` says why no sentence was asked for or none came back, and is blank if some did.
    """

    model: str
    host: str
    texts_sent: int = 0
    sentences: tuple[Sentence, ...] = ()
    missing: str = ""

    @property
    def shown(self) -> tuple[Sentence, ...]:
        """The sentences that passed every check."""
        return tuple(sentence for sentence in self.sentences if not sentence.dropped)

    @property
    def dropped(self) -> tuple[Sentence, ...]:
        """Those that did not."""
        return tuple(sentence for sentence in self.sentences if sentence.dropped)
