"""A model's headline: sentences written from the picks, of which those are shown that the documents bear out."""

from __future__ import annotations

from visavis.comparing.by_model.model import as_model
from visavis.comparing.by_model.write import write_headline

__all__ = ["as_model", "write_headline"]
