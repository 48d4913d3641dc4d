"""One hue a group, for light pages and for dark ones.

Each color stands out from its page as text must (4.5:1), one of the caller's by 3:1 at least; a letter beside it says
the same, so that no one needs to tell the colors apart. All twelve differ for those who see all colors and for those
without red, green or blue cones, the first ones most; the first four also differ by lightness, for print without color.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from visavis.records import Summary

LIGHT_PAGE, DARK_PAGE, PAPER = "#fdfcfa", "#15171b", "#ffffff"
LEAST_CONTRAST = 3.0  # of a color of the caller's and its page


@dataclass(frozen=True)
class Hue:
    """A group's color on a light page and on a dark one."""

    light: str
    dark: str


HUES = (
    Hue("#532496", "#5e7ae0"),
    Hue("#983f04", "#e59541"),
    Hue("#067f7a", "#32fcea"),
    Hue("#7b3a49", "#ee5f84"),
    Hue("#084479", "#9acdf9"),
    Hue("#463205", "#dadbaa"),
    Hue("#d41875", "#f2b8bd"),
    Hue("#036de4", "#937ca5"),
    Hue("#63794e", "#71bf72"),
    Hue("#ab0c2e", "#c8654d"),
    Hue("#8e639f", "#f98ecc"),
    Hue("#581251", "#d395f9"),
)


def hues(summary: Summary) -> list[Hue]:
    """The hue of each group: as the caller chose, else one of the palette, which comes round again."""
    chosen = summary.colors
    return [
        hue_of(chosen[group.name]) if group.name in chosen else HUES[index % len(HUES)]
        for index, group in enumerate(summary.groups)
    ]


def shared_colors(summaries: Sequence[Summary]) -> dict[str, str]:
    """A color for each group of several comparisons, the same in all: as the caller chose, else of the palette."""
    chosen = {name: color for summary in summaries for name, color in summary.colors.items()}
    names = dict.fromkeys(group.name for summary in summaries for group in summary.groups)
    return {name: chosen.get(name) or HUES[at % len(HUES)].light for at, name in enumerate(names)}


def hue_of(color: str) -> Hue:
    """The hue of the palette with this color, or one of the caller's, mended where it would not stand out."""
    digits = color.lower().removeprefix("#")
    full = "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))
    known = next((hue for hue in HUES if hue.light == full), None)
    return known or Hue(_fit(full, LIGHT_PAGE, 0), _fit(full, DARK_PAGE, 255))


def _fit(color: str, page: str, toward: int) -> str:
    """The color mixed with black or white, as little as makes it stand out."""
    for step in range(21):
        mixed = [round(part + (toward - part) * step / 20) for part in rgb(color)]
        found = "#" + "".join(f"{part:02x}" for part in mixed)
        if contrast(found, page) >= LEAST_CONTRAST:
            break
    return found


def rgb(color: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def luminance(color: str) -> float:
    """Relative luminance, from 0 for black to 1 for white."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in rgb(color))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def on(color: str) -> str:
    """White or black, whichever reads better on a color."""
    return max("#ffffff", "#000000", key=lambda ink: contrast(ink, color))


def rules(found: list[Hue]) -> str:
    """Style rules that give each group's class its hue."""
    light = (f".g{index}{{--hue:{hue.light};--on:{on(hue.light)}}}" for index, hue in enumerate(found))
    dark = (f".g{index}{{--hue:{hue.dark};--on:{on(hue.dark)}}}" for index, hue in enumerate(found))
    return "".join(light) + "@media screen and (prefers-color-scheme:dark){" + "".join(dark) + "}"
