"""Who may be shown: the longest fifth of each group."""

from visavis.eligible.shown import SHARE_SHOWN, Screening, screen, word_counts

__all__ = ["SHARE_SHOWN", "Screening", "screen", "word_counts"]
