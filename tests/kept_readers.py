"""Children that read pages, kept from one test to the next: starting one takes longer than a handful of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from visavis.shared.child import Child, Death

WAITING: defaultdict[tuple[str, ...], list[KeptChild]] = defaultdict(list)  # by what was started


class KeptChild(Child):
    """A child that waits for whoever wants the same, once it is wanted no longer; one that took harm is ended."""

    def __init__(self, script: Sequence[str]) -> None:
        super().__init__(script)
        self._script, self._is_ready, self._is_whole = tuple(script), False, True

    def starts(self, *seconds):
        self._is_ready = self._is_ready or super().starts(*seconds)
        return self._is_ready

    def ask(self, *asked):
        before, self._is_whole = self._is_whole, False  # until it has answered
        answer = super().ask(*asked)
        self._is_whole = before and not isinstance(answer, Death)
        return answer

    def ask_record(self, *asked):
        answer = super().ask_record(*asked)
        self._is_whole = self._is_whole and not isinstance(answer, Death) and not answer.get("spent")
        return answer

    def close(self):
        if self._is_ready and self._is_whole:
            WAITING[self._script].append(self)
        else:
            super().close()


def kept_child(script: Sequence[str]) -> KeptChild:
    """One that waits, or a new one."""
    waiting = WAITING[tuple(script)]
    return waiting.pop() if waiting else KeptChild(script)


def end_all() -> None:
    """End those that wait."""
    for waiting in WAITING.values():
        while waiting:
            Child.close(waiting.pop())
