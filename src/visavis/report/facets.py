"""One report for each value of a column, and a page that leads to them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from visavis.errors import VisavisError
from visavis.records import Summary
from visavis.report import write
from visavis.shared.files import replace_file

INDEX = "index.html"


def write_facets(results: Iterable[tuple[str, Summary | VisavisError]], folder: Path, by: str = "") -> Path:
    """Write a page for each value that could be compared, and the index, whose path is returned.

    `results` are the values of the column or period `by`, each with its summary or the reason why there is none. The
    folder is made where it is not there. Raises VisavisError if it cannot be written.
    """
    from visavis.report.html import render_index
    from visavis.report.html.overview import Found
    from visavis.report.html.palette import shared_colors

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VisavisError(f"output {str(folder)!r} cannot be made a folder: {error.strerror}") from error
    results = list(results)
    colors = shared_colors([result for _, result in results if isinstance(result, Summary)])
    found = []
    for number, (value, result) in enumerate(results, 1):
        if isinstance(result, VisavisError):
            found.append(Found(value, result))
            continue
        page = f"{number:03}-{re.sub(r'[^a-z0-9]+', '-', value.lower()).strip('-')[:40] or 'value'}.html"
        write(replace(result, colors=colors), folder / page)
        found.append(Found(value, result, page))
    replace_file(folder / INDEX, lambda: render_index(found, by))
    return folder / INDEX
