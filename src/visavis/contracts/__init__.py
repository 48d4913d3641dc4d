"""All protocols: what a stage may ask of another, and nothing about how it is done."""

from visavis.contracts.chat import ChatModel
from visavis.contracts.documents import (
    Cacheable,
    Covering,
    Embedder,
    FittedEmbedder,
    Reader,
    Renderer,
    Restorable,
    Spreadable,
    Telling,
)
from visavis.contracts.pairs import ClimbingPairs, Engine, Kernel, Operation, Pairs, SmoothPairs, TileContent, Vectors
from visavis.contracts.search import (
    Classifier,
    Climbing,
    Draws,
    Exchangeable,
    Lazy,
    Objective,
    Optimizer,
    Selector,
    Smooth,
    State,
)

__all__ = [
    "Cacheable",
    "ChatModel",
    "Classifier",
    "Climbing",
    "ClimbingPairs",
    "Covering",
    "Draws",
    "Embedder",
    "Engine",
    "Exchangeable",
    "FittedEmbedder",
    "Kernel",
    "Lazy",
    "Objective",
    "Operation",
    "Optimizer",
    "Pairs",
    "Reader",
    "Renderer",
    "Restorable",
    "Selector",
    "Smooth",
    "SmoothPairs",
    "Spreadable",
    "State",
    "Telling",
    "TileContent",
    "Vectors",
]
