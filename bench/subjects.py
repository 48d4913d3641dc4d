"""Who is measured, against whom, and at which sizes."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = (2_000, 8_000, 20_000, 50_000)
LARGEST_FOR_PEERS = 20_000
LARGEST_MATRIX = 12 * 2**30


@dataclass(frozen=True)
class Row:
    """A subject: where its code is, what it is compared with, and what its picks are valued by.

    `whole_matrix` marks those that hold all N × N pairs at once, in float32.
    """

    target: str
    about: str
    against: str | None = None
    objective: str | None = None
    ours: bool = False
    whole_matrix: bool = False

    def skipped(self, n: int) -> str | None:
        """Why it is not run at this size, if it is not."""
        if not self.ours and n > LARGEST_FOR_PEERS:
            return ""
        if self.whole_matrix and n * n * 4 > LARGEST_MATRIX:
            return f"skipped: its {n:,} × {n:,} matrix exceeds {LARGEST_MATRIX // 2**30} GiB"
        return None


SUBJECTS = {
    "floor": Row("bench.floor:floor", "floor: product and exp of all pairs", ours=True),
    "greedy": Row("bench.ours:greedy_mmd", "**visavis** mmd-diff-greedy", "floor", "mmd-diff", ours=True),
    "sklearn": Row(
        "bench.peers:sklearn_greedy_mmd",
        "the same on scikit-learn's `rbf_kernel`",
        "greedy",
        "mmd-diff",
        whole_matrix=True,
    ),
    "nearest": Row("bench.ours:nearest", "**visavis** nn-comp-greedy", None, "nearest", ours=True),
    "apricot": Row("bench.peers:apricot", "apricot-select, facility location", "nearest", "nearest"),
    "submodlib": Row("bench.peers:submodlib", "submodlib-py, facility location", "nearest", "nearest"),
    "gradient": Row("bench.ours:gradient", "**visavis** 100 gradients of mmd-diff", None, ours=True),
    "loop": Row("bench.peers:gradient_loop", "the same, a NumPy loop over prototypes", "gradient"),
}
