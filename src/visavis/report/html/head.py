"""The head of every page that is one file: its title, its styles, and a policy that lets nothing else in or out."""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from visavis._version import __version__
from visavis.report.html import palette

TEMPLATE = "head.html"
FIRST, SECOND = (hue.light for hue in palette.HUES[:2])
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='3' y='5' width='12' height='22' rx='3' "
    f"fill='{FIRST}'/><rect x='17' y='5' width='12' height='22' rx='3' fill='{SECOND}'/></svg>"
)
NOWHERE = "base-uri 'none'; form-action 'none'"


def fill_head(title: str, style: str, scripts: str = "") -> dict[str, Any]:
    """What the template is filled with; `scripts` is what the policy says of them."""
    policy = f"default-src 'none'; {scripts}style-src {hash_of(style)}; img-src data:; {NOWHERE}"
    return {
        "heading": title, "style": Markup(style), "policy": policy, "icon": "data:image/svg+xml," + quote(ICON),
        "version": __version__,
    }  # fmt: skip


def hash_of(content: str) -> str:
    """How a policy names the one script or style that it lets in."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@functools.cache
def head_template() -> str:
    """The template's text, for pages of other rooms that include it."""
    return resources.files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
