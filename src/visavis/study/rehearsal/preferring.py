"""What simulated workers prefer: the better summary of a gold, else that of the method named first in the study."""

from __future__ import annotations

import random

from visavis.study.preferences import CLEARNESS, REASONS
from visavis.study.rehearsal.page import Page
from visavis.study.store import Store, read_facts
from visavis.study.store.comparisons import summaries
from visavis.study.store.golds import all_golds

Text = tuple[str, str]


class PreferenceKey:
    """Which summary is meant to be preferred, told from the texts alone, as nothing else on the page tells it."""

    def __init__(self, store: Store) -> None:
        self._rank: dict[frozenset[Text], int] = {}
        with store.reading() as connection:
            order = {method: place for place, method in enumerate(read_facts(connection)["methods"], 1)}
            for method, texts in summaries(connection):
                self._keep(texts, order[method])
            for gold in all_golds(connection):
                for place, part in enumerate(("better", "worse")):
                    texts = [(one["title"], one["lead"]) for group in gold["groups"] for one in group[part]]
                    self._keep(texts, place * (len(order) + 1))

    def _keep(self, texts: list[Text], rank: int) -> None:
        key = frozenset(texts)
        self._rank[key] = min(rank, self._rank.get(key, rank))

    def sides(self, page: Page) -> list[str]:
        """The side to be preferred."""
        left, right = (self._rank[frozenset(texts)] for texts in (page.left, page.right))
        return ["left" if left < right else "right"]

    def more(self, rng: random.Random) -> dict[str, str]:
        """How clearly, and why, at random."""
        return {"clearness": str(rng.choice(list(CLEARNESS))), "reason": rng.choice(list(REASONS))}
