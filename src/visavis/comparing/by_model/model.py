"""Whoever is asked for a headline, or to read picks: a model on a server, or an object of the caller's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from visavis.chat import Client, Endpoint
from visavis.contracts import ChatModel
from visavis.errors import InvalidParameter, NotSent, VisavisError

Found = TypeVar("Found")


@dataclass(frozen=True)
class Asked(Generic[Found]):
    """What came of asking a model: what was `found` in its answer, or `why` there is nothing, and whether it was `sent`
    what it was asked."""

    found: Found | None
    sent: bool = True
    why: str = ""


def ask(model: ChatModel, messages: Sequence[Mapping[str, str]], read: Callable[[str], Found]) -> Asked[Found]:
    """Ask a model, and `read` its answer; whatever fails is told in words that anybody may see."""
    try:
        return Asked(read(model.ask(messages)))
    except NotSent as error:
        return Asked(None, sent=False, why=str(error))
    except VisavisError as error:
        return Asked(None, why=str(error))
    except Exception as error:  # of a caller's own model; its message may hold anything
        return Asked(None, why=f"the model failed ({type(error).__name__})")


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
