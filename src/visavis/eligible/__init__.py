"""Who may be shown: of each group the documents that are close to it and say something."""

from visavis.eligible.shown import SHARE_SHOWN, Screening, screen, word_counts

__all__ = ["SHARE_SHOWN", "Screening", "screen", "word_counts"]
