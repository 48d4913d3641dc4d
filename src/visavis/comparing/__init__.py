"""The corridor for documents: prepare, embed, pose, select, overview, describe, assess, summarize."""

from __future__ import annotations

from visavis.comparing.assess import assess
from visavis.comparing.candidates import choose_candidates, find_candidates, place_documents
from visavis.comparing.choice import Choice
from visavis.comparing.comparison import Comparison
from visavis.comparing.describe import describe
from visavis.comparing.embed import embed
from visavis.comparing.options import CompareOptions, make_options
from visavis.comparing.overview import overview
from visavis.comparing.posing import make_choice, pose_candidates
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.run import compare, compare_facets, compare_prepared
from visavis.comparing.session import DocumentSession, pose
from visavis.comparing.shortlist import make_shortlist
from visavis.comparing.summarize import Findings, summarize
from visavis.comparing.tune import decide
from visavis.select.search import Request, select

__all__ = [
    "Choice",
    "CompareOptions",
    "Comparison",
    "DocumentSession",
    "Findings",
    "Request",
    "assess",
    "choose_candidates",
    "compare",
    "compare_facets",
    "compare_prepared",
    "decide",
    "describe",
    "embed",
    "find_candidates",
    "group_documents",
    "make_choice",
    "make_options",
    "make_shortlist",
    "overview",
    "place_documents",
    "pose",
    "pose_candidates",
    "prepare",
    "select",
    "summarize",
]
