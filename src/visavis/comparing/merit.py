"""What counts for showing a document beside what its words tell of its group: how it ranks there in other ways.

The weights were found on judgements of single documents, and of those that searches had picked (docs/defaults.md).
"""

from __future__ import annotations

import numpy as np

from visavis.comparing.familiar import familiarity
from visavis.comparing.subject import closeness_to_subject
from visavis.comparing.substance import substance
from visavis.corpus.words import Words
from visavis.records import Floats, Integers
from visavis.shared.ranks import mid_ranks, up_to

SUBJECT, SUBSTANCE, LENGTH, LOWEST = 0.6, 0.5, 0.3, 0.7
ENOUGH = 0.6  # the rank of closeness to the subject from which on more of it counts no more
FAR_LONGER = 6.0  # than the median of the group: mostly digests, transcripts and what somebody pasted
LOW = 0.4  # the lowest of the ranks counts for less below this: who is last in one way makes up for it in no other


def merit(words: Words, sizes: Floats, groups: Integers) -> Floats:
    """For each document 0.6·min(c/0.6, 1) + 0.5·s + 0.3·l + 0.7·min(m/0.4, 1), by ranks from 0 to 1 within its group.

    c is its closeness to the subject of all, s its substance, l its length, and m the lowest of c, s and its
    familiarity; 0 where it is more than 6 times as long as half of its group. Substance is known of English alone; c
    and what is far longer count where texts are not short. `words` are those that are looked at, `sizes` how many there
    are in all.
    """
    matter, subject, familiar = substance(words, groups), closeness_to_subject(words, groups), familiarity(words)
    found = np.zeros(len(groups))
    for group in np.unique(groups).tolist():
        inside = groups == group
        lowest = mid_ranks(familiar[inside])
        total = LENGTH * mid_ranks(sizes[inside])
        if not np.isnan(matter[inside]).any():
            rank = mid_ranks(matter[inside])
            total, lowest = total + SUBSTANCE * rank, np.minimum(lowest, rank)
        if subject is not None:
            rank = mid_ranks(subject[inside])
            total, lowest = total + SUBJECT * up_to(ENOUGH, rank), np.minimum(lowest, rank)
            lowest[sizes[inside] > FAR_LONGER * np.median(sizes[inside])] = 0.0
        found[inside] = total + LOWEST * up_to(LOW, lowest)
    return found
