"""What the page needs to answer a move by itself, before the server does, and the groups there are to choose from."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from visavis.comparing import group_documents
from visavis.explore.moves import quick_picks
from visavis.explore.query import State
from visavis.explore.scene import Scene
from visavis.explore.workspace import Workspace
from visavis.report.html.live import as_record
from visavis.report.periods import said
from visavis.shared.text import line

_made: WeakKeyDictionary[Scene, dict[str, Any]] = WeakKeyDictionary()
_making = threading.Lock()


def live_record(scene: Scene, ground: Scene, state: State) -> dict[str, Any] | None:
    """The leading candidates of each group, as `reselect.js` reads them; None where they would be too many.

    They do not depend on what is pinned or banned, and are made once for a scene; whether they are too many depends on
    how many are picked. `row` is a place on the ground's map.
    """
    with _making:
        found = _made.get(scene) or _record(scene, ground, state)
        if found is not None:
            _made[scene] = found
        return found


def _record(scene: Scene, ground: Scene, state: State) -> dict[str, Any] | None:
    free = replace(state, options=replace(state.options, pin=(), ban=()))
    picked = quick_picks(scene, free)
    found = scene.shortlist(picked)
    if found is None:
        return None
    record = as_record(found, pictures=False)
    for candidate in record["candidates"]:
        candidate["row"] = ground.rows.get(candidate["id"])
    return record


def choices(workspace: Workspace, state: State) -> list[dict[str, Any]]:
    """Every group of the grouping, whichever of them are compared."""
    prepared = workspace.documents().prepared
    options = replace(state.options.grouping, only=(), versus=None)
    found = group_documents(prepared, options)
    return [
        {"name": name, "said": line(said(name)), "count": int((found.codes == code).sum())}
        for code, name in enumerate(found.names)
    ]
