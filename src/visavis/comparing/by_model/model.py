"""Whoever is asked for a headline, or to read picks: a model on a server, or an object of the caller's."""

from __future__ import annotations

from typing import Any

from visavis.chat import Client, Endpoint
from visavis.contracts import ChatModel
from visavis.errors import InvalidParameter


def as_model(asked: Any, name: str = "headline") -> ChatModel:
    """What can be asked. Raises InvalidParameter for anything that is no Endpoint and does not keep the contract."""
    if isinstance(asked, Endpoint):
        return Client(asked)
    if isinstance(asked, type) or not isinstance(asked, ChatModel):
        raise InvalidParameter(
            f"{name} must be an Endpoint(url, model), or an object with model, host and ask, "
            f"got one of type {type(asked).__name__}"
        )
    for what, value in (("model", asked.model), ("host", asked.host)):
        if not isinstance(value, str):
            raise InvalidParameter(f"{what} of the {name}'s model must be text, got one of type {type(value).__name__}")
    return asked
