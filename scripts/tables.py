"""A script's table: printed, or put into a page of the documentation between two marks."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

STUDY = Path(__file__).resolve().parent.parent / "docs" / "study.md"


def tell_table(told: str | None, table: Callable[[], str], begin: str, end: str, page: Path = STUDY) -> None:
    """Print the table; with --write, put it into the page in the place of what stands between the marks."""
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{page.name}")
    if not parser.parse_args().write:
        print(table())
        return
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{table()}\n{end}{after}", encoding="utf-8")
