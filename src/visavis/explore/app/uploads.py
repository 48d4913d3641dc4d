"""A file that the browser brings, and the sample: read in the background, in a folder that goes with the server."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect

from visavis.corpus.readers import PICTURE_SUFFIXES, READERS, ZIPPED_SUFFIXES
from visavis.errors import InvalidParameter
from visavis.explore.app.guard import LARGEST_UPLOAD
from visavis.explore.app.shared import Json, workspace_of
from visavis.shared.text import line

router = APIRouter()

NAME = "x-file-name"
LONGEST_NAME = 120
PIECE = 2**20
KINDS = tuple(suffix for suffix in READERS if suffix not in PICTURE_SUFFIXES)


@router.post("/api/upload")
async def upload(request: Request) -> Response:
    """Take one file, as the body with its name in a header, or as the only file of a form."""
    workspace = workspace_of(request)
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_files=1, max_fields=4, max_part_size=LARGEST_UPLOAD) as form:
            files = [value for value in form.values() if isinstance(value, UploadFile)]
            if len(files) != 1:
                raise InvalidParameter("send one file")
            name = shown_name(files[0].filename or "")
            path = await _keep(workspace.folder, name, _pieces(files[0]))
    else:
        name = shown_name(unquote(request.headers.get(NAME, "")))
        try:
            path = await _keep(workspace.folder, name, request.stream())
        except ClientDisconnect:
            raise InvalidParameter("the file did not arrive whole") from None
    workspace.load_later(path, name, (name,))
    return Json({"stage": "reading", "name": name}, 202)


@router.post("/api/sample")
def sample(request: Request) -> Response:
    """Take the bundled articles."""
    workspace_of(request).load_sample()
    return Json({"stage": "reading"}, 202)


def shown_name(written: str) -> str:
    """What a file is called on the page; only how it ends decides how it is read. Raises InvalidParameter."""
    name = line(written.replace("\\", "/").rpartition("/")[2])[-LONGEST_NAME:]
    if not name or not _suffix(name):
        known = ", ".join((*KINDS, *(f"{suffix}.gz" for suffix in ZIPPED_SUFFIXES)))
        raise InvalidParameter(f"{name or 'a file without a name'!r} cannot be read here: it may end in {known}")
    return name


def _suffix(name: str) -> str:
    """How a name ends, if that is known: ".csv", ".csv.gz"; empty if not."""
    lower = name.lower()
    zipped = next((f"{suffix}.gz" for suffix in ZIPPED_SUFFIXES if lower.endswith(f"{suffix}.gz")), "")
    return zipped or next((suffix for suffix in KINDS if lower.endswith(suffix)), "")


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE):
        yield piece


async def _keep(folder: Path, name: str, pieces: AsyncIterator[bytes]) -> Path:
    """Write what arrives under a name of our own. Raises InvalidParameter where it is nothing, or too much."""
    path = folder / f"{secrets.token_hex(8)}{_suffix(name)}"
    size = 0
    try:
        with path.open("xb") as stream:
            async for piece in pieces:
                size += len(piece)
                if size > LARGEST_UPLOAD:
                    raise InvalidParameter(f"at most {LARGEST_UPLOAD // 2**20} MB can be read here")
                stream.write(piece)
        if size == 0:
            raise InvalidParameter(f"{name!r} is empty")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path
