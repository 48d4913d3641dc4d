"""How far picks that were found by looking at samples may lie below those that all documents would have given."""

from __future__ import annotations

from dataclasses import dataclass

SURE = 1.645  # standard errors that 95 in 100 estimates stay within, on one side


@dataclass(frozen=True)
class Gap:
    """What a sample costs: of `value`, which all documents tell, at most about `most` is missing to the best picks.

    The best picks by the sample seem worth `seems` to the search, no less than the best picks by all documents seem to
    it; these seem worth what they are, give or take a standard `error`. So the best picks by all documents are worth at
    most about seems + 1.645·error, at 95 in 100. `n_sampled` documents stood for `n_documents`; None: not known.
    """

    value: float
    seems: float | None
    error: float | None
    n_sampled: int
    n_documents: int
    n_tried: int

    @property
    def most(self) -> float | None:
        """How much may be missing."""
        if self.seems is None or self.error is None:
            return None
        return max(0.0, self.seems - self.value + SURE * self.error)

    @property
    def share(self) -> float | None:
        """That as a share of what these picks are worth; None where that is nothing."""
        return None if self.most is None or self.value <= 0.0 else self.most / self.value

    @property
    def told(self) -> str:
        """That in a sentence."""
        seen = f"samples of {self.n_sampled:,} documents stood for {self.n_documents:,} while picks were sought"
        tried = "" if self.n_tried >= self.n_documents else f" among {self.n_tried:,}"
        if self.share is None:
            return f"{seen}{tried}; what that costs could not be estimated"
        return (
            f"{seen}{tried}: better picks may be worth up to {100 * self.share:.1f} % more than these, at 95 in 100 "
            "(exact 'yes' looks at all pairs)"
        )
