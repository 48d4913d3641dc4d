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


def thumbnail(path: str) -> str:
    """A small PNG as a data address; empty where the file is missing, broken or too large to open."""
    if not path:
        return ""
    try:
        return _thumbnail(Path(path))
    except Exception:  # whatever a decoder stumbles over, the report is still worth reading without the picture
        return ""


def _thumbnail(path: Path) -> str:
    from PIL import Image

    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                return ""
            image.draft("RGB", (2 * LARGEST, 2 * LARGEST))
            small = image.convert("RGBA")
            small.thumbnail((LARGEST, LARGEST))
    file = io.BytesIO()
    small.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
