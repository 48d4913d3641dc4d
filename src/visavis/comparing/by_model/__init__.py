"""What a model does with picks: read them before they are shown, and write of them what the documents bear out."""

from __future__ import annotations

from visavis.comparing.by_model.editor import read_picks
from visavis.comparing.by_model.model import as_model
from visavis.comparing.by_model.write import write_headline

__all__ = ["as_model", "read_picks", "write_headline"]
