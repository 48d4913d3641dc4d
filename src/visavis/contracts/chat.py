"""What can be asked in words, and answers in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class ChatModel(Protocol):
    """A language model, wherever it runs."""

    @property
    def model(self) -> str:
        """The model's name, as a reader is told it."""

    @property
    def host(self) -> str:
        """The machine that texts are sent to."""

    def ask(self, messages: Sequence[Mapping[str, str]]) -> str:
        """What the model says to these messages ({"role": ..., "content": ...}). Raises VisavisError if nothing."""
