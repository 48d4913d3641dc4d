"""Run as a script of its own: decodes untrusted pictures under limits of memory, so that only this process can die.

Reads paths from stdin, one JSON string a line. Says "ready", then answers each with one line: the pixels in
hexadecimal, or "! reason".
"""

from __future__ import annotations

import json
import sys
import warnings

from PIL import Image, ImageOps

from visavis.shared.child import READY, answer, answer_channel, confine

SIDE = 32
MEMORY_MB = 2048
CPU_SECONDS = 120


def gray_pixels(path: str) -> bytes:
    """A picture as 32 × 32 gray values, upright, transparent parts white."""
    with Image.open(path) as picture:
        upright = ImageOps.exif_transpose(picture)
        if upright.has_transparency_data:
            upright = upright.convert("RGBA")
            white = Image.new("RGBA", upright.size, "white")
            upright = Image.alpha_composite(white, upright)
        return upright.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX).tobytes()


def described(path: str) -> str:
    """The answer for one picture."""
    try:
        return gray_pixels(path).hex()
    except FileNotFoundError:
        return "! there is no such file"
    except MemoryError:
        return "! the picture is too large"
    except Exception as error:  # a broken picture raises whatever its format's decoder likes
        return "! " + " ".join(f"not a picture that can be read ({type(error).__name__})".split())


def main() -> None:
    """Answer every path in turn."""
    channel = answer_channel()
    confine(MEMORY_MB, CPU_SECONDS)
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    answer(channel, READY)
    for line in sys.stdin:
        answer(channel, described(json.loads(line)).encode())


if __name__ == "__main__":
    main()
