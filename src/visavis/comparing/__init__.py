"""The corridor for documents: read and prepare, embed, pose, select, describe, assess, summarize."""

from __future__ import annotations

from visavis.comparing.run import Comparison, compare, compare_facets, compare_prepared

__all__ = ["Comparison", "compare", "compare_facets", "compare_prepared"]
