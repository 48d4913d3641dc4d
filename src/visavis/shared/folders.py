"""Where this program keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_root() -> Path | None:
    """The user's cache folder; the environment variable VISAVIS_CACHE names another, or says "off": None."""
    chosen = os.environ.get("VISAVIS_CACHE", "")
    if chosen.lower() == "off":
        return None
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("visavis")
