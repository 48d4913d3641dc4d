"""Why these picks: scores, words, covered documents, stability; and whether the groups differ at all."""
