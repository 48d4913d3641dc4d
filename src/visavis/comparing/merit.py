"""What counts for showing a document beside what its words tell of its group: how it ranks there in other ways.

The weights were found on judgements of single documents, and of those that searches had picked (docs/defaults.md).
"""

from __future__ import annotations

import numpy as np

from visavis.comparing.familiar import familiarity
from visavis.comparing.subject import SHORT, closeness_to_subject
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
    familiarity; 0 where it is more than 6 times as long as its group's median, unless that is short. s is known of
    English alone, c of English texts that are not short. `words` are those that are looked at, `sizes` how many there
    are in all.
    """
    familiar, total = familiarity(words, groups), np.zeros(len(groups))
    measures = ((substance(words, groups), SUBSTANCE, 1.0), (closeness_to_subject(words, groups), SUBJECT, ENOUGH))
    for group in np.unique(groups).tolist():
        inside = groups == group
        own, lowest = LENGTH * mid_ranks(sizes[inside]), mid_ranks(familiar[inside])
        for measure, counts, enough in measures:
            if not np.isnan(measure[inside]).any():
                rank = mid_ranks(measure[inside])
                own, lowest = own + counts * up_to(enough, rank), np.minimum(lowest, rank)
        if (median := float(np.median(sizes[inside]))) >= SHORT:
            lowest[sizes[inside] > FAR_LONGER * median] = 0.0
        total[inside] = own + LOWEST * up_to(LOW, lowest)
    return total
