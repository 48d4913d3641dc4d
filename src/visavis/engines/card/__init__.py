"""Pairs of documents on a card, by torch, and by fused kernels where the card has what they need."""

from visavis.engines.card.engine import CardEngine

__all__ = ["CardEngine"]
