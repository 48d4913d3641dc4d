"""Data frames of any make, through narwhals."""

from __future__ import annotations

import importlib
from typing import Any

from visavis.corpus.readers.base import Table, check_header
from visavis.errors import InvalidParameter
from visavis.shared.extras import require


def read_frame(frame: Any) -> Table:
    """The rows of a pandas, polars or pyarrow frame. Raises InvalidParameter for anything else, or MissingExtra."""
    kind = type(frame).__name__
    if not any(
        hasattr(type(frame), sign) for sign in ("columns", "column_names", "__arrow_c_stream__", "__dataframe__")
    ):
        raise InvalidParameter(f"documents come from a path, a data frame or a list, not from {kind}")
    require("narwhals", extra="tables", what="reading a data frame")
    narwhals = importlib.import_module("narwhals")
    name = "the data frame"
    try:
        wrapped = narwhals.from_native(frame)
        wrapped = wrapped.collect() if isinstance(wrapped, narwhals.LazyFrame) else wrapped
        columns = check_header(name, (str(column) for column in wrapped.columns))
        rows = [
            (number, dict(zip(columns, cells, strict=True)))
            for number, cells in enumerate(wrapped.iter_rows(), start=1)
        ]
    except (TypeError, narwhals.exceptions.NarwhalsError) as error:
        raise InvalidParameter(f"{name} ({kind}) cannot be read: {' '.join(str(error).split())[:200]}") from error
    if not rows:
        raise InvalidParameter(f"{name} holds no rows")
    return Table(name, "row", columns, rows)
