"""The page: one file with its styles, its script and its pictures inside, readable without the script."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from visavis._version import __version__
from visavis.records import Summary
from visavis.records.changes import EntryDiff
from visavis.report.html import overview, palette, scatter, view, volume
from visavis.report.text import web_address
from visavis.shared.text import clean

FIRST, SECOND = (hue.light for hue in palette.HUES[:2])
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='3' y='5' width='12' height='22' rx='3' "
    f"fill='{FIRST}'/><rect x='17' y='5' width='12' height='22' rx='3' fill='{SECOND}'/></svg>"
)

NOWHERE = "base-uri 'none'; form-action 'none'"
LIVE_SCRIPTS = ("reselect.js", "live.js")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def render(summary: Summary) -> str:
    """The page under a policy that lets nothing in or out but the styles and the script it carries."""
    page = view.page(summary)
    made = (
        palette.rules(palette.hues(summary)),
        scatter.rules(page.scatter),
        volume.rules(page.volume),
        view.rules(page),
    )
    parts = ["style.css", *(["live.css"] if page.live else []), *(["changes.css"] if page.changes else [])]
    style = "".join([*map(_file, parts), *made])
    script = "".join(map(_file, LIVE_SCRIPTS if page.live else ())) + _file("script.js")
    live = None if page.live is None else _json(page.live)
    head = _head(page.title, style, f"script-src {_hash(script)}; ")
    return _environment().get_template("page.html").render(page=page, script=Markup(script), live=live, **head)


def render_index(found: Sequence[overview.Found], by: str) -> str:
    """The page that leads to several comparisons; it has no script."""
    index = overview.index(found, by)
    own = f".dots{{--n:{max(1, len(index.dots))}}}"
    style = _file("style.css") + _file("facets.css") + palette.rules(index.hues) + own
    return _environment().get_template("facets.html").render(index=index, **_head(index.title, style))


def render_diff(found: EntryDiff) -> str:
    """The page of two summaries face to face; it has no script."""
    from visavis.report import ledger

    style = _file("style.css") + _file("facets.css") + _file("changes.css")
    told = {
        "found": found, "overview": ledger.overview(found), "rows": ledger.rows(found), "lines": ledger.lines,
        "count": ledger.count, "address": web_address,
    }  # fmt: skip
    return _environment().get_template("diff.html").render(**told, **_head(ledger.heading(found), style))


def render_template(template: str, title: str, style: str, **values: Any) -> str:
    """A page without a script from a template of one's own, with the head, the policy and the styles of all pages."""
    whole = _file("style.css") + _file("facets.css") + style
    return _environment().from_string(template).render(**values, **_head(title, whole))


def _head(title: str, style: str, scripts: str = "") -> dict[str, Any]:
    """What the head of every page is filled with; `scripts` is what its policy says of them."""
    policy = f"default-src 'none'; {scripts}style-src {_hash(style)}; img-src data:; {NOWHERE}"
    return {
        "heading": title, "style": Markup(style), "policy": policy, "icon": "data:image/svg+xml," + quote(ICON),
        "version": __version__,
    }  # fmt: skip


def fragment(summary: Summary) -> str:
    """A part of a page for notebooks, with inline styles and no script."""
    return _environment().get_template("notebook.html").render(page=view.page(summary, charts=False))


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(view.HELPERS)
    return environment


def _clean(value: Any) -> Any:
    """Whatever the templates print passes here before it is escaped."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _json(value: Any) -> Markup:
    """JSON that can stand in a script of the page, its letters as they are: escaped ones would take twice the room."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = _LONE_SURROGATE.sub("\ufffd", text)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
