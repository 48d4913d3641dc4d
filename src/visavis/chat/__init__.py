"""A language model on a server: where it may stand, what it is asked, what comes back. Nothing here runs unasked."""

from __future__ import annotations

from visavis.chat.client import Client, Limits
from visavis.chat.endpoint import KEY, Endpoint
from visavis.chat.key import holds_key

__all__ = ["KEY", "Client", "Endpoint", "Limits", "holds_key"]
