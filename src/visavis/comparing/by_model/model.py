"""Whoever is asked for a headline: a model on a server, or an object of the caller's."""

from __future__ import annotations

from typing import Any

from visavis.chat import Client, Endpoint
from visavis.contracts import ChatModel
from visavis.errors import InvalidParameter


def as_model(headline: Any) -> ChatModel:
    """What can be asked. Raises InvalidParameter for anything that is no Endpoint and does not keep the contract."""
    if isinstance(headline, Endpoint):
        return Client(headline)
    if isinstance(headline, type) or not isinstance(headline, ChatModel):
        raise InvalidParameter(
            "headline must be an Endpoint(url, model), or an object with model, host and ask, "
            f"got one of type {type(headline).__name__}"
        )
    for name, value in (("model", headline.model), ("host", headline.host)):
        if not isinstance(value, str):
            raise InvalidParameter(
                f"{name} of the headline's model must be text, got one of type {type(value).__name__}"
            )
    return headline
