"""How full the cells are: questionnaires under a method, counted or lent out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, and_, bindparam, cast, func, or_, select

from visavis.study.records import REHEARSED
from visavis.study.store import schema
from visavis.study.store.machines import UNANSWERED, machine_by_id
from visavis.study.store.units import LIVE
from visavis.study.store.workers import has_flag, is_person, is_rehearsed

TAKEN = (*LIVE, UNANSWERED)  # what a machine could not answer it is not asked again


@dataclass(frozen=True)
class Quota:
    """How many judgements of one kind of readers each cell takes: of people, of simulated ones, or of one machine."""

    machine: int | None
    judgements: int
    rehearsed: bool = False


def quota_of(connection: Connection, worker: Any, facts: Mapping[str, Any]) -> Quota:
    """The quota that a worker's judgements count for."""
    if worker.machine_id is None:
        return replace(quota_of_people(facts), rehearsed=has_flag(connection, worker.id, REHEARSED))
    return Quota(worker.machine_id, int(machine_by_id(connection, worker.machine_id).judgements))


def quota_of_people(facts: Mapping[str, Any]) -> Quota:
    """What the study wants of people."""
    return Quota(None, int(facts["judgements"]))


def counts_for(quota: Quota) -> ColumnElement[bool]:
    """Whether a worker's answers fill the places of this quota."""
    if quota.machine is not None:
        return schema.worker.c.machine_id == quota.machine
    return is_rehearsed() if quota.rehearsed else is_person()


def count_live(connection: Connection, quota: Quota, now: float) -> int:
    """How many places of all cells are filled, or lent within their lease."""
    item, unit, worker = schema.item, schema.unit, schema.worker
    live = (
        select(func.count())
        .select_from(item)
        .join(unit, unit.c.id == item.c.unit_id)
        .join(worker, worker.c.id == item.c.worker_id)
        .where(
            item.c.sheet_id.is_not(None),
            counts_for(quota),
            or_(item.c.state.in_(("done", UNANSWERED)), and_(item.c.state == "open", unit.c.expires >= now)),
        )
    )
    return int(connection.execute(live).scalar_one())


def places_by_state(connection: Connection, quota: Quota) -> list[tuple[str, str, Counter[int]]]:
    """Method, state, and how many places of each questionnaire are in it.

    All places come in one row of their method and state, which names the questionnaire of each: at every row that is
    read other threads may go first, while everybody waits for this one to have written.
    """
    found = connection.execute(_places(quota))
    return [(row.method, row.state, Counter(map(int, row.sheets.split()))) for row in found]


@cache  # there are as many quotas as kinds of readers, and putting it together takes longer than asking
def _places(quota: Quota) -> Any:
    item, worker = schema.item, schema.worker
    sheets = func.aggregate_strings(cast(item.c.sheet_id, String), " ").label("sheets")
    return (
        select(item.c.method, item.c.state, sheets)
        .join(worker, worker.c.id == item.c.worker_id)
        .where(item.c.sheet_id.is_not(None), counts_for(quota))
        .group_by(item.c.method, item.c.state)
    )


def lapsed_places(connection: Connection, quota: Quota, now: float) -> Sequence[Any]:
    """sheet_id and method of what is lent beyond its lease."""
    return connection.execute(_lapsed(quota), {"now": now}).all()


@cache
def _lapsed(quota: Quota) -> Any:
    item, unit, worker = schema.item, schema.unit, schema.worker
    lapsed = (item.c.sheet_id.is_not(None), item.c.state == "open", unit.c.expires < bindparam("now"))
    return (
        select(item.c.sheet_id, item.c.method)
        .join(unit, unit.c.id == item.c.unit_id)
        .join(worker, worker.c.id == item.c.worker_id)
        .where(*lapsed, counts_for(quota))
    )


def places_taken(connection: Connection, sheet: int, method: str, quota: Quota) -> int:
    """How many places of a cell are filled or lent out."""
    item, worker = schema.item, schema.worker
    counted = select(func.count()).select_from(item).join(worker, worker.c.id == item.c.worker_id)
    of_cell = (item.c.sheet_id == sheet, item.c.method == method, counts_for(quota))
    counted = counted.where(*of_cell, item.c.state.in_(TAKEN))
    return int(connection.execute(counted).scalar_one())
