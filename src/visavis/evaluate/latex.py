"""Text for LaTeX."""

from __future__ import annotations

from visavis.shared.text import line

_SIGNS = {sign: "\\" + sign for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
}  # fmt: skip


def escape_tex(text: str) -> str:
    """One line in which no sign means anything to LaTeX."""
    return "".join(_SIGNS.get(sign, sign) for sign in line(text))
