"""Pages that were saved as HTML files, one or a folder of them; what a browser saved beside a page is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from visavis.collect.records import Reason
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.pages import BATCH, LARGEST, PageBatch
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")


class SavedPages:
    """html:PATH, a file or a folder with all that lies in it.

    A page's address is the one it was saved from or names as its own, else that of the file; that of the file too where
    another page is here under the first, since some sites name one address for all of their pages. The position is when
    the last file that was read came to lie here, so that new files are read and others are not read again.
    """

    def __init__(self, where: str) -> None:
        self.name = f"html:{where}"
        self._path = Path(where)
        if not self._path.exists():
            raise InvalidParameter(f"there is no file or folder {where!r}; write html:PATH for saved pages")

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Pages of the files after the position. Raises Unreadable where the folder cannot be read."""
        pending = PageBatch(self.name, live)
        place, last = position or "", position
        for number, (when, path) in enumerate(self._files(), start=1):
            here = f"{when:020d} {path}"
            if here <= place:
                continue
            self._read(number, path, pending, live)
            last = here
            if live.stop.is_set():
                break
            if len(pending) >= BATCH:
                yield pending.batch(last)
        yield pending.batch(last)

    def _files(self) -> list[tuple[int, str]]:
        """Files by when they came to lie here, which copying sets anew and the date of a file does not tell."""
        try:
            paths = [self._path] if self._path.is_file() else list(html_files(self._path))
            return sorted((path.stat().st_ctime_ns, str(path)) for path in paths)
        except OSError as error:
            raise Unreadable(str(self._path), error.strerror or str(error)) from error

    def _read(self, number: int, name: str, pending: PageBatch, live: Live) -> None:
        path = Path(name)
        try:
            size, body = path.stat().st_size, path.read_bytes() if path.stat().st_size <= LARGEST else b""
            saved = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except OSError as error:
            pending.refuse(number, f"{path.name}: {error.strerror or error}")
            return
        if size > LARGEST:
            pending.refuse(number, f"{path.name}: {size:,} bytes; a page has at most {LARGEST:,}")
            return
        said = live.reader.ask("address", body)
        url = "" if isinstance(said, Reason) else str(said["url"])
        own = path.absolute().as_uri()
        pending.take(url or own, "text/html", body, saved, spare=own)


def html_files(folder: Path) -> Iterator[Path]:
    """The pages in a folder and in those inside it, without what a browser saved beside a page."""
    for path in sorted(folder.rglob("*")):
        beside = any(part.endswith(("_files", "_fichiers", "-Dateien")) for part in path.relative_to(folder).parts[:-1])
        if path.suffix.lower() in SUFFIXES and path.is_file() and not beside and not path.name.startswith("."):
            yield path
