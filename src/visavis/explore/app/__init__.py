"""The pages and the answers: FastAPI over a workspace."""

from __future__ import annotations

from visavis.explore.app.server import create_app, serve

__all__ = ["create_app", "serve"]
