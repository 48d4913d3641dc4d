"""What the commands share: progress on the error stream, and a look at outputs before the work begins."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from visavis.errors import InvalidParameter

if TYPE_CHECKING:
    from visavis.records import Summary


class StageProgress:
    """A spinner on stderr that names the stage at work; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._status: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("starting")
            self._status.start()
        return self

    def __call__(self, stage: str) -> None:
        """Name the stage that begins."""
        if self._status is not None:
            from rich.text import Text

            from visavis.shared.text import line

            self._status.update(Text(line(stage)))  # a stage may name a value of the user's data

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()


def check_outputs(outputs: Sequence[str], inputs: Sequence[str], *, folders: bool = False) -> None:
    """Refuse, before any work, outputs that are inputs, that have no known format, or that cannot be written."""
    from visavis.report import RENDERERS

    given = [place for name in inputs for place in _places(name)]
    for name in outputs:
        path = Path(name)
        if any(_same(path, place) or _would_be_read(path, place) for place in given):
            raise InvalidParameter(f"output {name!r} is also an input: it would be overwritten; choose another name")
        if folders:
            _check_folder(path)
            continue
        if path.suffix.lower() not in RENDERERS:
            known = ", ".join(RENDERERS)
            raise InvalidParameter(f"output {name!r} has no known format; end it in one of {known}")
        if path.is_dir():
            raise InvalidParameter(f"output {name!r} is a folder; name a file in it")
        parent = path.parent
        if not parent.is_dir():
            raise InvalidParameter(f"output {name!r}: there is no folder {str(parent)!r}; make it first")
        if not os.access(parent, os.W_OK):
            raise InvalidParameter(f"output {name!r}: the folder {str(parent)!r} cannot be written to")


def tell_of_models(summary: Summary, facet: str = "") -> None:
    """Say on stderr what was sent to a model and where to, and what came of it; `facet` is the value it is about."""
    from visavis.report.by_model import in_short, picks_read_in_short
    from visavis.shared.text import line

    of = f" of {line(facet)}" if facet else ""
    if summary.picks_read is not None:
        click.echo(f"picks{of}: {picks_read_in_short(summary.picks_read)}", err=True)
    if summary.headline is not None:
        click.echo(f"headline{of}: {in_short(summary.headline)}", err=True)


def _check_folder(path: Path) -> None:
    """Refuse a folder that is a file, or that neither exists nor can be made."""
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise InvalidParameter(f"output {str(path)!r} must be a folder with --facet, but {str(there)!r} is a file")
    if not os.access(there, os.W_OK):
        raise InvalidParameter(f"output {str(path)!r}: the folder {str(there)!r} cannot be written to")


def print_json(text: str) -> None:
    """Print JSON in UTF-8, whatever encoding the terminal has: it is data."""
    click.echo(text.encode(), nl=not text.endswith("\n"))


def _places(name: str) -> list[Path]:
    """The files and folders an input stands for."""
    path = Path(name.partition("::")[0])
    if path.exists() or not any(mark in name for mark in "*?["):
        return [path]
    return [Path(match) for match in glob.glob(name, recursive=True)]  # noqa: PTH207 (may be absolute)


def _would_be_read(path: Path, folder: Path) -> bool:
    """Whether a report would be one of the texts of an input folder."""
    from visavis.corpus.readers import TEXT_SUFFIXES

    inside = folder.is_dir() and path.resolve().is_relative_to(folder.resolve())
    return inside and path.suffix.lower() in TEXT_SUFFIXES


def _same(left: Path, right: Path) -> bool:
    try:
        return left.exists() and right.exists() and left.samefile(right)
    except OSError:
        return False
