"""One hue a group, for light pages and for dark ones.

Each color stands out from its page by 3:1 or more; a letter beside it says the same, so that no one needs to tell the
colors apart. The first eight also differ for the two common kinds of color blindness.
"""

from __future__ import annotations

from dataclasses import dataclass

LIGHT_PAGE, DARK_PAGE = "#fdfcfa", "#15171b"


@dataclass(frozen=True)
class Hue:
    """A group's color on a light page and on a dark one."""

    light: str
    dark: str


HUES = (
    Hue("#1065af", "#8db7ff"),
    Hue("#b15a0d", "#feb787"),
    Hue("#6b0536", "#e44f89"),
    Hue("#187886", "#9eefff"),
    Hue("#762300", "#d66537"),
    Hue("#083271", "#5881ed"),
    Hue("#0d8164", "#3efec9"),
    Hue("#ba2b3d", "#fd9b9a"),
    Hue("#567a14", "#add55e"),
    Hue("#7043bd", "#c4a1ff"),
    Hue("#4a5b6b", "#b0bfcd"),
    Hue("#c5336b", "#ff8fb9"),
    Hue("#1c5232", "#86bf93"),
    Hue("#8a6900", "#e0bd45"),
)


def hue(index: int) -> Hue:
    """The hue of a group; from the fifteenth on they come round again."""
    return HUES[index % len(HUES)]


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
    """White or near-black, whichever reads better on a color."""
    return max("#ffffff", "#111317", key=lambda ink: contrast(ink, color))


def rules(n_groups: int) -> str:
    """Style rules that give each group's class its hue."""
    light, dark = [], []
    for index in range(min(n_groups, len(HUES))):
        light.append(f".g{index}{{--hue:{HUES[index].light};--on:{on(HUES[index].light)}}}")
        dark.append(f".g{index}{{--hue:{HUES[index].dark};--on:{on(HUES[index].dark)}}}")
    return "".join(light) + "@media screen and (prefers-color-scheme:dark){" + "".join(dark) + "}"
