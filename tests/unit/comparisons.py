"""A small comparison with vectors of its own, quick enough to be made many times."""

from __future__ import annotations

import numpy as np

import visavis

PLACES = ("east", "north", "west")
STORIES = {
    "east": ("harbor ships cargo cranes", "strike workers wages union"),
    "north": ("snow glacier ice winter", "reindeer herders tundra moss"),
    "west": ("ranch cattle drought dust", "film studio actors script"),
}


def rows(each=12, seed=3):
    """Articles of three places, two stories each, with vectors of their own."""
    rng = np.random.default_rng(seed)
    centers = {(place, k): 2.0 * rng.normal(size=4) for place in PLACES for k in (0, 1)}
    made = []
    for n in range(each * 3):
        place, k = PLACES[n % 3], (n // 3) % 2
        words = STORIES[place][k].split()
        text = f"Report {n} tells of {' and '.join(rng.permutation(words))} near town {n * 7} this season"
        vector = centers[place, k] + rng.normal(size=4)
        made.append({"id": f"d{n}", "title": f"Item {n}", "text": text, "place": place, "vector": vector.tolist()})
    return made


ROWS = rows()


def compare(source=None, by="place", **options):
    told = {
        "embedder": "column:vector",
        "size": 2,
        "method": "mmd-diff-greedy",
        "jobs": 1,
        "candidates": "all",
        **options,
    }
    return visavis.compare(ROWS if source is None else source, by, **told)


def ids(summary):
    return {group.name: [pick.document.id for pick in group.picks] for group in summary.groups}
