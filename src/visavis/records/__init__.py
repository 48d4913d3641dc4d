"""The frozen records that cross from one stage to the next."""

from visavis.records.arrays import Array, Booleans, Floats, Integers, Rows
from visavis.records.documents import Blocks, Corpus, Document, Embedded, Grouping, Points, SetAside
from visavis.records.headline import Headline, Sentence
from visavis.records.searching import STAGES, Abilities, Compute, Frame, KernelAbilities, Parameter, Quota
from visavis.records.summary import (
    Assessment,
    DocumentMap,
    GroupSummary,
    Pick,
    Scores,
    Summary,
    Term,
    Theme,
    Timeline,
    TwoSampleTest,
)

__all__ = [
    "STAGES",
    "Abilities",
    "Array",
    "Assessment",
    "Blocks",
    "Booleans",
    "Compute",
    "Corpus",
    "Document",
    "DocumentMap",
    "Embedded",
    "Floats",
    "Frame",
    "GroupSummary",
    "Grouping",
    "Headline",
    "Integers",
    "KernelAbilities",
    "Parameter",
    "Pick",
    "Points",
    "Quota",
    "Rows",
    "Scores",
    "Sentence",
    "SetAside",
    "Summary",
    "Term",
    "Theme",
    "Timeline",
    "TwoSampleTest",
]
