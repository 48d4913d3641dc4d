"""Messages to a language model, its answer as plain text: any OpenAI-compatible server, within limits, key unseen."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from visavis._version import __version__
from visavis.chat.endpoint import KEY, Endpoint
from visavis.chat.key import holds_key, read_key
from visavis.chat.wire import Answer, post
from visavis.errors import InvalidParameter, NotSent, Unanswered, Unusable
from visavis.shared.text import clean

TOO_LONG = 413
BUSY = (429, 500, 502, 503, 504, 529)  # statuses after which it is worth asking again
LONGEST_WAIT = 1e9  # seconds, so that a message has room for them
PAUSE = 1.0  # seconds before the second try, where the server names no time; twice as long before each later one


@dataclass(frozen=True)
class Limits:
    """What asking may cost: `seconds` for a whole answer, waits and tries included; `calls` in all; `tries` each."""

    seconds: float = 300.0
    answer_bytes: int = 1_000_000
    calls: int = 20
    tries: int = 3


class Client:
    """Asks one model. Nothing is sent but what `ask` is given; the key is read for each call and kept nowhere.

    Raises InvalidParameter if the address or the model's name holds the key, or if no header can hold it.
    """

    def __init__(self, endpoint: Endpoint, limits: Limits | None = None) -> None:
        read_key()  # refused now rather than after the comparison, if no header can hold it
        if holds_key(f"{endpoint.url} {endpoint.model}"):
            raise InvalidParameter(f"the model's endpoint or name holds the key: it belongs into {KEY} alone")
        self._endpoint, self._limits, self._calls = endpoint, limits or Limits(), 0

    @property
    def model(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def host(self) -> str:
        """The machine that is asked."""
        return self._endpoint.host

    def ask(self, messages: Sequence[Mapping[str, str]]) -> str:
        """What the model says to these messages ({"role": ..., "content": ...}), without control characters.

        Raises Unanswered, saying in plain words what went wrong; NotSent if nothing was sent.
        """
        if self._calls >= self._limits.calls:
            raise NotSent(f"{self.host} was asked {self._calls} times, which is the most there may be in one run")
        try:
            key = read_key()
        except InvalidParameter as error:
            raise NotSent(str(error)) from None
        self._calls += 1
        told = {"model": self.model, "messages": [dict(message) for message in messages], "stream": False}
        answer = self._post(json.dumps(told).encode(), key)
        _check_status(answer.status, self._endpoint, has_key=bool(key))
        said = clean(_content(answer.body, self.host))
        if holds_key(said):
            raise Unanswered(f"the answer of {self.host} repeats the key, and is not used")
        return said

    def _post(self, body: bytes, key: str) -> Answer:
        """The answer, asked for again while the server is busy and time is left."""
        ends = time.monotonic() + self._limits.seconds
        headers = {"User-Agent": f"visavis/{__version__}", "Content-Type": "application/json"}
        headers |= {"Accept": "application/json", "Accept-Encoding": "identity"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        for tried in range(1, self._limits.tries + 1):
            left = max(0.0, ends - time.monotonic())
            try:
                answer = post(self._endpoint, body, headers, left, self._limits.answer_bytes)
            except NotSent as error:
                raise (NotSent if tried == 1 else Unanswered)(str(error)) from None
            if answer.status not in BUSY or tried == self._limits.tries:
                break
            wait = max(_seconds_asked(answer.retry_after), PAUSE * 2 ** (tried - 1) if not answer.retry_after else 0.0)
            if time.monotonic() + wait >= ends:
                raise Unanswered(f"{self.host} asks to wait for {wait:,.0f} seconds, longer than there is time for")
            time.sleep(wait)
        return answer


def _check_status(status: int, endpoint: Endpoint, *, has_key: bool) -> None:
    """Raise Unanswered in our own words: what a server says of an error may repeat the key."""
    host = endpoint.host
    if 200 <= status < 300:
        return
    refused = f"{host} refuses the key in {KEY}" if has_key else f"{host} wants a key: set {KEY}"
    said = {
        400: f"{host} does not understand the request: is {endpoint.model!r} a model for chats?",
        401: refused,
        402: f"{host} wants to be paid first",
        403: refused,
        404: f"{host} has no model {endpoint.model!r}, or does not answer at {endpoint.path}: check both",
        413: f"{host} finds the texts too long",
        429: f"{host} answers no more for now: too many requests, or no credit left",
    }
    if 300 <= status < 400:
        raise Unanswered(f"{host} points to another address, which is not followed: give that address itself")
    kind = Unusable if status == TOO_LONG else Unanswered
    raise kind(said.get(status, f"{host} failed to answer (status {status})"))


def _content(body: bytes, host: str) -> str:
    """The text of the first choice. Raises Unanswered for anything else."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Unanswered(f"the answer of {host} is not JSON: is this an OpenAI-compatible address?") from None
    try:
        content = said["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise Unanswered(f"the answer of {host} is not that of a chat: is this an OpenAI-compatible address?") from None
    if not isinstance(content, str) or not content.strip():
        raise Unusable(f"the answer of {host} is empty")
    return content


def _seconds_asked(retry_after: str) -> float:
    """How long a server asks to wait: a number of seconds or a date; 0 where it is neither."""
    try:
        seconds = float(retry_after)
    except ValueError:
        seconds = _seconds_until(retry_after)
    return min(max(0.0, seconds), LONGEST_WAIT) if math.isfinite(seconds) else 0.0


def _seconds_until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
