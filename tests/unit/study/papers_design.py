"""The paper's design, played over HTTP: 21 pairs, each 6 questions × 4 methods × 3 judgements."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Receive, Scope, Send

from unit.study import studies
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import make_keys
from visavis.study.rehearsal.clock import FastClock
from visavis.study.rehearsal.crowd import Crowd, simulate
from visavis.study.store import Store
from visavis.study.store.judgements import judgements
from visavis.web.local import running

CROWD = Crowd(
    workers=2000, accuracy=0.9, concurrency=50, think=(0.2, 2.0), abandon=0.3, double_click=0.1, late=0.05, away=7.0
)
N_PAIRS = 21


class Timed:
    """An application that notes how long each of its answers took."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.timings = app, []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        await self.app(scope, receive, send)
        if scope["type"] == "http":
            self.timings.append(time.perf_counter() - began)


def play(store: Store, n_pairs: int = N_PAIRS, crowd: Crowd = CROWD, speed: float = 120.0) -> list[float]:
    """Fill the study and check that it is filled exactly; how long each answer took, the quickest first.

    Leases of ten minutes pass in five seconds, unless time is to pass at another speed.
    """
    app = Timed(create_app(store, make_keys(), ServeOptions(rate=0, lease=600.0), now=FastClock(speed)))
    with running(app) as url:
        played = simulate(url, store, crowd)
    assert played.failures == []
    assert played.abandoned > n_pairs / 4
    assert played.doubled > n_pairs
    assert played.returned > 0
    assert studies.check_balanced(store) == n_pairs * 6 * 4
    studies.check_blind(store)
    counted = [one for one in judgements(store) if not one.gold and not one.excluded]
    assert len(counted) == n_pairs * 6 * 4 * 3
    accuracy = sum(one.chosen == one.truth for one in counted) / len(counted)
    assert abs(accuracy - crowd.accuracy) < 4 * (0.09 / len(counted)) ** 0.5
    return sorted(app.timings)
