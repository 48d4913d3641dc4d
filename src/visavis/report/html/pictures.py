"""Thumbnails of picked pictures."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path

LARGEST = 160
MOST_PIXELS = 60_000_000
MOST_BYTES = 64 * 2**20
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM")


def thumbnail(path: str, largest: int = LARGEST, kind: str = "PNG") -> str:
    """A small picture as a data address; empty where the file is missing, broken or too large to open."""
    if not path:
        return ""
    try:
        return _thumbnail(Path(path), largest, kind)
    except Exception:  # whatever a decoder stumbles over, the report is still worth reading without the picture
        return ""


def _thumbnail(path: Path, largest: int, kind: str) -> str:
    from PIL import Image

    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                return ""
            image.draft("RGB", (2 * largest, 2 * largest))
            small = image.convert("RGBA")
            small.thumbnail((largest, largest))
    file = io.BytesIO()
    small.save(file, kind, optimize=True)
    return f"data:image/{kind.lower()};base64," + base64.b64encode(file.getvalue()).decode()
