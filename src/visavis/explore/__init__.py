"""The comparison, live in the browser: a page on this machine that answers every move."""

from __future__ import annotations

from visavis.explore.app import create_app, serve
from visavis.explore.workspace import Workspace

__all__ = ["Workspace", "create_app", "serve"]
