"""JSON: an array of objects or one object a line, as the file begins, whatever it is called."""

from __future__ import annotations

import json
import re

from visavis.corpus.readers import json_array, jsonl
from visavis.corpus.readers.base import ReadOptions, Source, Table
from visavis.corpus.text import beginning

SEEN = 2**18  # signs at least that are seen of a file which goes on

_ARRAY = re.compile(r"\s*\[\s*(?:[\]{]|$)")


def read(source: Source, options: ReadOptions) -> Table:
    """The objects of an array or of lines. Raises Unreadable."""
    begins = beginning(source, options.limits)
    in_lines = source.suffix != ".json"
    if _ARRAY.match(begins):
        in_lines = False
    elif begins.lstrip().startswith("{") and _holds_lines(begins):
        in_lines = True
    return jsonl.read(source, options) if in_lines else json_array.read(source, options)


def _holds_lines(begins: str) -> bool:
    """Whether the first line is a whole object, as far as it can be seen."""
    first, ended, _ = begins.lstrip().partition("\n")
    try:
        value, _ = json.JSONDecoder().raw_decode(first)
    except (ValueError, RecursionError):
        return not ended and len(first) >= SEEN
    return isinstance(value, dict)
