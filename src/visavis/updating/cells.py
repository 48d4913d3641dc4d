"""Documents and other records as text that a state file keeps: they come back as they were, and nothing can run."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np

from visavis.corpus.boilerplate import Boilerplate
from visavis.records import Document

_TEXTS = ("title", "text", "source", "url")


def write_document(document: Document) -> str:
    """A document as JSON; a column that holds its text or title word for word is not written twice."""
    record = {name: getattr(document, name) for name in ("id", *_TEXTS)}
    record |= {"weight": document.weight, "date": _encode(document.date)}
    roles = {getattr(document, name): name for name in reversed(_TEXTS) if getattr(document, name)}
    record["fields"] = {
        name: {"$same": roles[value]} if isinstance(value, str) and value in roles else _encode(value)
        for name, value in document.fields.items()
    }
    return json.dumps(record, ensure_ascii=True, allow_nan=False)


def read_document(written: str) -> Document:
    """What `write_document` wrote. Raises ValueError, TypeError or KeyError for anything else."""
    record = json.loads(written)
    texts = {name: record[name] for name in ("id", *_TEXTS)}
    if not all(isinstance(value, str) for value in texts.values()) or not texts["id"]:
        raise ValueError("a document without an id or texts")
    weight, when = float(record["weight"]), _decode(record["date"])
    if not 0 <= weight < math.inf or not (when is None or isinstance(when, datetime)):
        raise ValueError("a document with a weight or a date that is none")
    columns = {
        name: texts[value["$same"]] if isinstance(value, dict) and "$same" in value else _decode(value)
        for name, value in record["fields"].items()
    }
    return Document(**texts, date=when, weight=weight, fields=columns)


def _encode(value: Any) -> Any:
    """A cell in JSON's types; what JSON has no type for carries a mark. What is unknown is kept as its text."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, datetime | date | time):
        return {f"${_kind(value)}": value.isoformat()}
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {"$object": {str(key): _encode(item) for key, item in value.items()}}
    if isinstance(value, np.ndarray | list | tuple | set | frozenset):
        return [_encode(item) for item in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return str(value)


def _kind(value: datetime | date | time) -> str:
    return "datetime" if isinstance(value, datetime) else "date" if isinstance(value, date) else "time"


_DECODERS: dict[str, Any] = {
    "$float": float,
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
    "$decimal": Decimal,
    "$bytes": lambda written: base64.b64decode(written, validate=True),
    "$object": lambda written: {key: _decode(item) for key, item in written.items()},
}


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if isinstance(value, dict):
        ((mark, written),) = value.items()
        return _DECODERS[mark](written)
    return value


def write_record(record: Any) -> Any:
    """A frozen record in JSON's types."""
    if hasattr(record, "__dataclass_fields__"):
        return {one.name: write_record(getattr(record, one.name)) for one in fields(record)}
    if isinstance(record, Mapping):
        return {str(key): write_record(item) for key, item in record.items()}
    if isinstance(record, list | tuple):
        return [write_record(item) for item in record]
    if isinstance(record, np.generic):
        return record.item()
    return record


def write_boilerplate(recurring: Boilerplate) -> dict[str, Any]:
    """What recurs, in JSON's types."""
    return {
        "sentences": sorted(recurring.sentences),
        "runs": {str(key): share for key, share in recurring.runs.items()},
    }


def read_boilerplate(written: dict[str, Any]) -> Boilerplate:
    """What `write_boilerplate` wrote. Raises ValueError, TypeError, KeyError or AttributeError for anything else."""
    runs = {int(key): float(share) for key, share in written["runs"].items()}
    sentences = frozenset(map(int, written["sentences"]))
    if not all(0 <= key < 2**64 for key in (*runs, *sentences)):
        raise ValueError("a key of boilerplate is no number of 64 bits")
    return Boilerplate(sentences, runs)
