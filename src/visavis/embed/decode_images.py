"""Run as a script of its own: decodes untrusted pictures under limits of memory, so that only this process can die.

Reads paths from stdin, one JSON string a line. Says "ready", then answers each with one line: the pixels in
hexadecimal, or "! reason".
"""

from __future__ import annotations

import json
import sys
import warnings

from PIL import Image, ImageOps

SIDE = 32
MEMORY = 2 * 2**30
READY = "ready"


def limit_memory() -> None:
    """Refuse more than 2 GiB, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def gray_pixels(path: str) -> bytes:
    """A picture as 32 × 32 gray values, upright, transparent parts white."""
    with Image.open(path) as picture:
        upright = ImageOps.exif_transpose(picture)
        if upright.has_transparency_data:
            upright = upright.convert("RGBA")
            white = Image.new("RGBA", upright.size, "white")
            upright = Image.alpha_composite(white, upright)
        return upright.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX).tobytes()


def main() -> None:
    """Answer every path in turn."""
    limit_memory()
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    print(READY, flush=True)
    for line in sys.stdin:
        try:
            answer = gray_pixels(json.loads(line)).hex()
        except FileNotFoundError:
            answer = "! there is no such file"
        except MemoryError:
            answer = "! the picture is too large"
        except Exception as error:  # a broken picture raises whatever its format's decoder likes
            answer = "! " + " ".join(f"not a picture that can be read ({type(error).__name__})".split())
        print(answer, flush=True)


if __name__ == "__main__":
    main()
