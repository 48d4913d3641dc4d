"""Pages that share a browser's context, since a context takes more of the processor than most pages do."""

from __future__ import annotations

from typing import Any

_CONTEXTS: dict[tuple[Any, ...], Any] = {}


def open_tab(
    browser: Any,
    viewport: dict[str, int] | None = None,
    *,
    java_script_enabled: bool = True,
    permissions: tuple[str, ...] = (),
    **media: str,
) -> Any:
    """An empty page of this size and these media (color_scheme, reduced_motion), in the one context for the rest.

    What a page keeps in its tab is its own. Cookies belong to the context: whoever has some clears them.
    """
    key = (browser, java_script_enabled, permissions)
    if key not in _CONTEXTS:
        context = browser.new_context(java_script_enabled=java_script_enabled, permissions=list(permissions))
        context.new_page()  # stays open, and with it the process that draws the pages
        _CONTEXTS[key] = context
    page = _CONTEXTS[key].new_page()
    if viewport:
        page.set_viewport_size(viewport)
    if media:
        page.emulate_media(**media)
    return page
