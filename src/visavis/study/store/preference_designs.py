"""Putting a design of preferences into a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert

from visavis.study.store import schema
from visavis.study.store.documents import save_documents

if TYPE_CHECKING:
    from visavis.study.design.preferring import PreferenceDesign


def save_comparisons(connection: Connection, design: PreferenceDesign) -> None:
    """Store what the comparisons show: sets of documents as pairs, picks by method, documents drawn, who meets whom."""
    of_methods = [rows for found in design.picks for picks in found.values() for rows in picks.values()]
    of_groups = [rows for drawn in design.drawn for rows in drawn.values()]
    save_documents(connection, design.articles, {row for rows in (*of_methods, *of_groups) for row in rows})
    pairs = [{"id": n, "first": one.pair[0], "second": one.pair[1]} for n, one in enumerate(design.sets, 1)]
    connection.execute(insert(schema.pair), pairs)
    picks = [
        {"pair_id": number, "method": method, "group_code": code, "rank": rank, "article_id": row + 1}
        for number, found in enumerate(design.picks, 1)
        for method, by_group in found.items()
        for code, rows in by_group.items()
        for rank, row in enumerate(rows)
    ]
    connection.execute(insert(schema.pick), picks)
    drawn = [
        {"pair_id": number, "group_code": code, "rank": rank, "article_id": row + 1}
        for number, by_group in enumerate(design.drawn, 1)
        for code, rows in by_group.items()
        for rank, row in enumerate(rows)
    ]
    connection.execute(insert(schema.drawn), drawn)
    sheets = [
        {"id": number, "pair_id": place + 1, "first_method": first, "second_method": second}
        for number, (place, first, second) in enumerate(design.comparisons, 1)
    ]
    connection.execute(insert(schema.sheet), sheets)
