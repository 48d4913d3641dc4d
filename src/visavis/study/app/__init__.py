"""The server of a study: pages for workers, pages for the researcher."""

from visavis.study.app.options import ServeOptions
from visavis.study.app.server import create_app, serve

__all__ = ["ServeOptions", "create_app", "serve"]
