"""The frozen records that cross from one stage to the next."""

from visavis.records.arrays import Array, Booleans, Floats, Integers, Rows, joint_codes
from visavis.records.documents import Blocks, Corpus, Document, Embedded, Grouping, Points, SetAside
from visavis.records.gap import Gap
from visavis.records.headline import Headline, Sentence
from visavis.records.picks_read import PicksRead, Refused
from visavis.records.searching import (
    STAGES,
    Abilities,
    Climb,
    Compute,
    Frame,
    KernelAbilities,
    Parameter,
    Quota,
    Sample,
)
from visavis.records.shortlist import Candidate, GroupShortlist, Outside, Shortlist
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
    "Candidate",
    "Climb",
    "Compute",
    "Corpus",
    "Document",
    "DocumentMap",
    "Embedded",
    "Floats",
    "Frame",
    "Gap",
    "GroupShortlist",
    "GroupSummary",
    "Grouping",
    "Headline",
    "Integers",
    "KernelAbilities",
    "Outside",
    "Parameter",
    "Pick",
    "PicksRead",
    "Points",
    "Quota",
    "Refused",
    "Rows",
    "Sample",
    "Scores",
    "Sentence",
    "SetAside",
    "Shortlist",
    "Summary",
    "Term",
    "Theme",
    "Timeline",
    "TwoSampleTest",
    "joint_codes",
]
