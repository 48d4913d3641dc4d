"""What leaves a study: a table that is safe in spreadsheets, and lines of JSON that lose nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from visavis.errors import InvalidParameter
from visavis.shared.files import replace_file
from visavis.shared.spreadsheet import csv_text
from visavis.study.fieldwork.payments import exit_answers_csv
from visavis.study.preferences import PREFERENCE_COLUMNS
from visavis.study.records import COLUMNS
from visavis.study.store import Store, read_facts
from visavis.study.store.comparisons import preferences_with_rows
from visavis.study.store.judgements import judgements_with_rows
from visavis.study.store.tables import all_rows
from visavis.study.tasks import PREFER

MORE = (
    "correct", "state", "unit", "page_place", "shown_side", "left_group", "answered_at", "usefulness", "difficulty",
    "flags",
)  # fmt: skip
MORE_OF_PREFERENCES = ("state", "unit", "shown_side", "answered_at", "flags")


def write_export(store: Store, path: Path) -> None:
    """Write the judgements (.csv) or everything (.jsonl), whole or not at all. Raises InvalidParameter."""
    write = {".csv": as_csv, ".jsonl": as_jsonl}.get(path.suffix.lower())
    if write is None:
        raise InvalidParameter(f"output {str(path)!r} has no known format; end it in .csv or .jsonl")
    replace_file(path, lambda: write(store))


def write_exit_answers(store: Store, path: Path) -> None:
    """Write what people said at the end (.csv), whole or not at all. Raises InvalidParameter."""
    if path.suffix.lower() != ".csv":
        raise InvalidParameter(f"output {str(path)!r}: the last answers are written as .csv")
    replace_file(path, lambda: exit_answers_csv(store))


def as_csv(store: Store) -> str:
    """One row a judgement, with what was shown and the worker's flags; `visavis study analyze` reads it."""
    with store.reading() as connection:
        facts = read_facts(connection)
        groups = facts["groups"]
    if facts["task"] == PREFER:
        return _preferences_as_csv(store)
    columns, rows = (*COLUMNS, *MORE), []
    for judgement, row in judgements_with_rows(store):
        cells = {**judgement.row(), **_more(row, groups), "flags": " ".join(judgement.flags)}
        rows.append([cells[name] for name in columns])
    return csv_text(columns, rows)


def _preferences_as_csv(store: Store) -> str:
    columns, rows = (*PREFERENCE_COLUMNS, *MORE_OF_PREFERENCES), []
    for preference, row in preferences_with_rows(store):
        more = {"state": row["state"], "unit": row["unit_id"], "shown_side": row["side"], "answered_at": row["at"]}
        cells = {**preference.row(), **more, "flags": " ".join(preference.flags)}
        rows.append([cells[name] for name in columns])
    return csv_text(columns, rows)


def _more(row: Mapping[Any, Any], groups: list[str]) -> dict[str, Any]:
    left = json.loads(row["shown"])["left"].get("group")
    return {
        "correct": bool(row["correct"]), "state": row["state"], "unit": row["unit_id"], "page_place": row["place"],
        "shown_side": row["side"], "left_group": "" if left is None else groups[left], "answered_at": row["at"],
        "usefulness": row["usefulness"], "difficulty": row["difficulty"],
    }  # fmt: skip


def as_jsonl(store: Store) -> str:
    """Every row of every table, one object a line, with the table's name; the keys to workers' sessions left out."""
    lines = []
    with store.reading() as connection:
        read_facts(connection)
        for table, row in all_rows(connection):
            cells = {name: _plain(value) for name, value in row.items()}
            lines.append(json.dumps({"table": table, **cells}, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value
