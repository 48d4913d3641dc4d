"""Figures as files, drawn offline from Vega-Lite specifications; what draws them is an extra."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import warnings
from functools import cache
from typing import Any

from visavis.errors import InvalidParameter, MissingExtra, NoFigures
from visavis.shared.extras import needs

FORMATS = (".svg", ".html", ".png", ".pdf")
_EMBED = (
    "vegaEmbed('#figure', JSON.parse(document.getElementById('spec').textContent), "
    "{ast: true, actions: false, defaultStyle: false, renderer: 'svg'});"
)


def can_draw() -> bool:
    """Whether what draws figures is installed; where it is not, a warning gives the command that installs it."""
    try:
        with needs("figures", "drawing figures"):
            import altair  # noqa: F401
            import vl_convert  # noqa: F401
    except MissingExtra as error:
        warnings.warn(f"figures are left out: {error}", NoFigures, stacklevel=2)
        return False
    return True


def draw(spec: dict[str, Any], suffix: str, title: str = "") -> str | bytes:
    """A figure in one of the formats; `title` is that of a page. Raises InvalidParameter, or MissingExtra."""
    with needs("figures", "drawing figures"):
        import vl_convert
    match suffix.lower():
        case ".svg":
            return str(vl_convert.vegalite_to_svg(spec))
        case ".png":
            return bytes(vl_convert.vegalite_to_png(spec, scale=2.0))  # sharp enough for a page
        case ".pdf":
            return bytes(vl_convert.vegalite_to_pdf(spec))
        case ".html":
            return _page(spec, _bundle(), title)
    raise InvalidParameter(f"a figure cannot be written as {suffix!r}; there are: {', '.join(FORMATS)}")


@cache
def _bundle() -> str:
    """The scripts of every page: the same for all, and seconds to put together."""
    import vl_convert

    return str(vl_convert.javascript_bundle(_EMBED))


def _page(spec: dict[str, Any], bundle: str, title: str) -> str:
    """One file, nothing loaded from elsewhere, the script allowed by its digest alone."""
    script = bundle.replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    data = json.dumps(spec).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html.escape(title)}</title>\n'
        f'</head>\n<body>\n<div id="figure"></div>\n<script type="application/json" id="spec">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )
