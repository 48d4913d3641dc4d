"""What the steps of `visavis collect` share: the state file, --json, and the options of several."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

State = click.Path(dir_okay=False)


def _steps(create: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What all steps share: --state, opened for writing and made if it may be, and --json."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @click.option("--state", type=State, default="collection.sqlite", show_default=True)
        @as_json
        @wraps(command)
        def wrapped(state: str, as_json: bool, **options: Any) -> None:
            from visavis.collect.state.store import Store

            with Store(state, create=create) as store:
                command(store=store, as_json=as_json, **options)

        return wrapped

    return decorated


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
first_step, step = _steps(create=True), _steps(create=False)
topic = click.option("--topic", required=True, help="The topic's name.")
any_topic = click.option("--topic", help="Only this topic.")
contact = click.option("--contact", default="", help="Your address or page, for the User-Agent.")
workers = click.option("--workers", default=8, show_default=True, type=click.IntRange(1, 64), help="Hosts at once.")
pause = click.option(
    "--seconds-a-host", default=1.0, show_default=True, type=click.FloatRange(0), help="Between requests to a host."
)
