"""Rehearsing a whole study: simulated workers play a copy that is served for them, or a server that runs already."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from visavis.errors import InvalidParameter
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import make_keys
from visavis.study.fieldwork.pool import why_closed
from visavis.study.fieldwork.quality import REHEARSAL
from visavis.study.rehearsal.clock import FastClock
from visavis.study.rehearsal.crowd import Crowd, RehearsalLog, counted, simulate
from visavis.study.rehearsal.page import read_page
from visavis.study.rehearsal.visitor import Unreachable, Visitor
from visavis.study.store import Store, open_store, read_facts
from visavis.study.store.copying import copy_study
from visavis.web.local import running


@dataclass(frozen=True)
class Rehearsal:
    """What happened, and how many questionnaires are counted of those that are needed."""

    log: RehearsalLog
    counted: int
    needed: int

    @property
    def failed(self) -> bool:
        """Whether something went wrong, or nobody could answer though answers are wanted."""
        idle = not self.log.acknowledged and self.counted < self.needed
        return bool(self.log.failures) or idle


def rehearse(store: Store, crowd: Crowd, *, url: str | None = None, out: Path | None = None) -> Rehearsal:
    """Play the study at a running server's `url`; without one, a copy (kept in `out`), the study staying untouched.

    Raises InvalidParameter where nobody could do anything, or the copy cannot be made.
    """
    _check(store, url, crowd)
    if url is not None:
        return Rehearsal(simulate(url, store, crowd), *counted(store))
    with tempfile.TemporaryDirectory() as folder:
        copy = out or Path(folder) / "rehearsal.db"
        copy_study(store, copy)
        rehearsed = open_store(copy, create=True)
        app = create_app(
            rehearsed, make_keys(), ServeOptions(rate=0, lease=600.0), now=FastClock(speed=100.0)
        )  # leases pass in seconds
        with running(app) as address:
            log = simulate(address, rehearsed, replace(crowd, away=7.0))
        found = Rehearsal(log, *counted(rehearsed))
        rehearsed.close()
    return found


def _check(store: Store, url: str | None, crowd: Crowd) -> None:
    """Refuse a rehearsal in which nobody could do anything."""
    with store.reading() as connection:
        reason = why_closed(connection, read_facts(connection))
    if reason:
        raise InvalidParameter(f"nobody would be given work: {reason}")
    if url is None:
        return
    if crowd.late:
        raise InvalidParameter("late workers wait until their lease is over: leave out --url, or --late")
    visitor = Visitor(url)
    try:
        if "csrf" not in read_page(visitor.get(f"/w?PROLIFIC_PID={REHEARSAL}first-look").page).fields:
            raise InvalidParameter(f"the server at {url!r} hands out no questionnaires")
    except Unreachable as error:
        raise InvalidParameter(f"no server answers at {url!r} ({error}): start `visavis study serve` first") from error
    finally:
        visitor.close()
