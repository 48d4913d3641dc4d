"""Where operations run: this machine's threads; later a card, or a cluster."""

from visavis.engines.local import LocalEngine

__all__ = ["LocalEngine"]
