"""What a study's judgements say: accuracy, agreement, tests, times, and how classifiers do on the same task."""

from __future__ import annotations

from visavis.study.analysis.counting import judgements_of
from visavis.study.analysis.results import Analysis
from visavis.study.analysis.run import Options, analyze, analyze_source

__all__ = ["Analysis", "Options", "analyze", "analyze_source", "judgements_of"]
