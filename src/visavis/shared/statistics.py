"""Statistics that several stages need."""

from __future__ import annotations

from collections.abc import Sequence

ALPHA = 0.05  # p-values below it are called a difference


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for how many there are (Holm, 1979), in the order given.

    With p_(1) ≤ … ≤ p_(m): adjusted p_(k) = max over j ≤ k of min(1, (m − j + 1) p_(j)).
    """
    adjusted, running = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        running = max(running, min(1.0, (len(p_values) - rank) * float(p_values[place])))
        adjusted[place] = running
    return adjusted
