"""Everything a study's database holds, but what would let somebody in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from visavis.study.store import schema

NEVER = ("payment", "resume_code")  # who somebody is, and what would let them in, leaves by `study payments` alone
# what would let somebody in
HIDDEN = {"worker": ("session",), "unit": ("token",), "item": ("token",), "machine": ("token",)}


def all_rows(connection: Connection) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row of each table, with the table's name."""
    for table in schema.metadata.sorted_tables:
        if table.name in NEVER:
            continue
        hidden = HIDDEN.get(table.name, ())
        for row in connection.execute(select(table).order_by(*table.primary_key.columns)):
            if table is schema.study and row.key == "codes":  # of payments
                continue
            yield table.name, {name: value for name, value in row._mapping.items() if name not in hidden}
