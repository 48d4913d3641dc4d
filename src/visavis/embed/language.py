"""Which embedder suits the texts when nobody says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.embed.tokens import FUNCTION_WORDS, readings, tokenize
from visavis.embed.wordvectors import bundled_vectors

KNOWN_ENOUGH = 0.6
SAMPLE = 500
LEAD = 1000

_ENGLISH_WORDS = """
the of and to in is that for it with as was on be at by this had not are but from or have an they which you were all we
when there can more if who about their has will what been would so its after than them says said do no his he her she
"""
# German, Dutch, French, Spanish, Portuguese, Italian, Swedish, Danish, Polish, Turkish, Indonesian
_FOREIGN_WORDS = """
der die das und ist nicht mit ein eine einen dem den des von zu auf für sich auch es im werden aus er hat dass sie
het een en van dat niet zijn voor wordt ook door naar bij deze maar le la les et du une est pour dans que qui sur pas au
avec par ce il sont aux ont el los las de y un por con para una su al lo como más pero sus o os da em não uma se na ao
pelo di che non è sono gli della nel och att det som på är av för inte og af til ikke w z się nie jest ve bir bu için
ile yang dengan untuk ini itu
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_FOREIGN = frozenset(_FOREIGN_WORDS.split())


def choose_embedder(texts: Sequence[str]) -> str:
    """ "glove" for texts that seem to be English, else "tfidf".

    They seem so if 60 % of the words of a sample are among the vectors' and the most common words of English are
    more frequent than those of other languages.
    """
    step = max(1, len(texts) // SAMPLE)
    tokens = tokenize([text[:LEAD] for text in texts[::step]])
    occurrences = np.bincount(tokens.ids, minlength=len(tokens.distinct))
    table = bundled_vectors().rows
    known = total = english = foreign = 0
    for token, count in zip(tokens.distinct, occurrences.tolist(), strict=True):
        ways = readings(token)
        if not ways or not ways[-1] or token in FUNCTION_WORDS:
            continue
        total += count
        known += count * (token.isascii() and any(word in table for way in ways for word in way))
        english += count * (token in _ENGLISH)
        foreign += count * (token in _FOREIGN)
    return "glove" if total and known >= KNOWN_ENOUGH * total and english >= foreign else "tfidf"
