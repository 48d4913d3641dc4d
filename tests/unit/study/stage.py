"""A study, a desk and a clock under the test's control."""

from __future__ import annotations

import json
import random

from sqlalchemy import func, insert, select

from visavis.study.fieldwork.answering import Answers
from visavis.study.fieldwork.dispatch import Dispatcher
from visavis.study.fieldwork.pool import open_cells
from visavis.study.store import Store, read_facts, schema, units
from visavis.study.store.cells import quota_of_people

HOUR = 3600.0


class Stage:
    def __init__(self, store: Store) -> None:
        self.store, self.now = store, 1000.0
        self.rng = random.Random(1)
        self.dispatcher = Dispatcher(lease=HOUR, rng=random.Random(0))

    def worker(self, state: str = "working") -> int:
        with self.store.writing() as connection:
            count = connection.execute(select(func.count()).select_from(schema.worker)).scalar_one()
            row = {"pseudonym": f"{count:024x}", "session": str(count), "state": state, "before": "", "declared": ""}
            made = connection.execute(insert(schema.worker).values(**row, joined=self.now)).inserted_primary_key
        return made[0]

    def next(self, worker: int) -> str | None:
        with self.store.writing() as connection:
            return self.dispatcher.next_unit(connection, worker, self.now)

    def items(self, token: str) -> list:
        item, unit = schema.item, schema.unit
        with self.store.reading() as connection:
            chosen = select(item).join(unit, unit.c.id == item.c.unit_id).where(unit.c.token == token)
            return list(connection.execute(chosen.order_by(item.c.place)).all())

    def answer(self, token: str, *, right: bool = True, item: object = None, seconds: float = 60.0) -> str:
        """Answer the questionnaire that comes next, or a given one."""
        self.now += seconds
        with self.store.writing() as connection:
            unit = connection.execute(select(schema.unit).where(schema.unit.c.token == token)).one()
            chosen = item or units.first_open(units.items_of(connection, unit.id))
            shown = json.loads(chosen.shown)
            if chosen.gold_id is not None:
                truth = shown["truth"]
            else:
                truth = ["left" if shown["left"]["group"] == code else "right" for code in shown["truth"]]
            sides = tuple(side if right else {"left": "right", "right": "left"}[side] for side in truth)
            return self.dispatcher.submit(connection, unit, Answers(chosen.token, sides), self.now)

    def finish(self, token: str, *, right: bool = True) -> None:
        while any(one.state == "open" for one in self.items(token)):
            self.answer(token, right=right)

    def state(self, worker: int) -> str:
        with self.store.reading() as connection:
            return connection.execute(select(schema.worker.c.state).where(schema.worker.c.id == worker)).scalar_one()

    def room(self) -> int:
        with self.store.reading() as connection:
            facts = read_facts(connection)
            sheets, quota = self.dispatcher.sheets(connection, facts), quota_of_people(facts)
            return sum(open_cells(connection, sheets, facts, quota, self.now)[0].values())


def fill(stage: Stage) -> None:
    """Let able workers answer until nothing is left for anybody new."""
    while (token := stage.next(stage.worker())) is not None:
        stage.finish(token)
