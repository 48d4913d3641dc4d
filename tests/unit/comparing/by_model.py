"""A posed comparison to write headlines of, and a model that says what it is told to."""

from __future__ import annotations

import json
from functools import cache

from unit.comparisons import ROWS
from visavis.comparing import describe, find_candidates, group_documents, make_options, pose, prepare, select
from visavis.comparing.by_model import write_headline
from visavis.records import Assessment, TwoSampleTest
from visavis.select import Request

SENTENCES = {
    "east": "Harbor ships, cargo cranes and a strike of union workers over wages.",
    "north": "Snow, glacier ice and reindeer herders on the tundra.",
    "west": "Cattle and drought on the ranch, and film studio actors.",
}
CITES = {"east": ["A1", "A2"], "north": ["B1", "B2"], "west": ["C1", "C2"]}
DIFFER = Assessment(tests=(TwoSampleTest(("east", "north", "west"), 0.4, 0.001, 0.001),))


def item(group, sentence=None, cites=None):
    return {"group": group, "sentence": sentence or SENTENCES[group], "cites": cites or CITES[group]}


FINE = [item(group) for group in SENTENCES]


class Says:
    """A model on no machine at all; `asked` holds the messages it got."""

    model, host = "parrot", "nowhere.test"

    def __init__(self, answer):
        self.answer = answer if isinstance(answer, str) or not isinstance(answer, list) else json.dumps(answer)
        self.asked = []

    def ask(self, messages):
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def posed(rows):
    """A session on these rows with two picks a group, and what is said of them."""
    options = make_options(by="place", embedder="column:vector", candidates="all", jobs=1)
    prepared = prepare(rows, options.reading)
    found = find_candidates(prepared, group_documents(prepared, options.grouping), options)
    session = pose(
        found.points,
        found.grouping.names,
        found.grouping.codes,
        documents=found.grouping.corpus.documents,
        texts=found.texts,
        candidates=found.allowed,
        blocks=found.blocks,
    )
    return session, describe(session, select(session, Request(method="mmd-diff-greedy", size=2)))


@cache
def usual():
    return posed(ROWS)


def headline(answer, assessment=DIFFER, of=None):
    """What comes of an answer (a list of items, a text, an exception), or of a model itself."""
    model = answer if hasattr(answer, "ask") else Says(answer)
    return write_headline(*(of or usual()), assessment, model)
