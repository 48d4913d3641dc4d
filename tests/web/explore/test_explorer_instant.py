"""What the page picks by itself, before the server answers."""

from __future__ import annotations

from typing import Any

pytest_plugins = ("web.explore.fixtures",)

CANDIDATES = [
    {"id": "a", "group": 0, "family": 0, "title": "A"},
    {"id": "b", "group": 0, "family": 1, "title": "B"},
    {"id": "a", "group": 1, "family": 0, "title": "A"},
    {"id": "copy of b", "group": 1, "family": 1, "title": "B again"},
]
RESELECT = """async ([candidates, pin, ban]) => {
  const { reselectNow } = await import("/static/picks.js");
  let asked = null;
  globalThis.visavisReselect = { reselect: (problem, options) => { asked = options; return { picks: [[0], [2]] }; } };
  const card = { id: "a", snippet: [["how it begins", 0]], why: ["at another contrast"], stands_for: { count: 3 } };
  const cards = new Map([["1 a", card]]);
  const found = reselectNow({ data: { candidates } }, { size: "1", contrast: "0.5", pin, ban }, {}, cards);
  return { asked, cards: found && found.groups.map((group) => group.picks[0]) };
}"""


def test_pins_and_bans_hold_for_a_document_in_every_group(visit: Any, empty: str) -> None:
    page = visit(empty)
    asked = page.evaluate(RESELECT, [CANDIDATES, ["a"], ["b"]])["asked"]
    assert asked["pins"] == [0, 2]
    assert asked["bans"] == [1, 3]
    assert page.evaluate(RESELECT, [CANDIDATES, ["no candidate"], []])["cards"] is None


def test_instant_cards_show_nothing_of_another_setting_or_group(visit: Any, empty: str) -> None:
    first, second = visit(empty).evaluate(RESELECT, [CANDIDATES, ["a"], []])["cards"]
    assert "snippet" not in first
    assert second["snippet"] == [["how it begins", 0]]
    assert second["why"] == []
    assert second["stands_for"] is None
    assert first["pinned"] is second["pinned"] is True


def test_the_path_tells_a_document_in_two_groups_apart(visit: Any, empty: str) -> None:
    marked = visit(empty).evaluate(
        """async () => {
          const { showPath, pointPath } = await import("/static/path.js");
          const of = (...intervals) => ({ documents: [{ id: "a", title: "A", intervals }] });
          const root = document.createElement("div");
          showPath(root, { groups: [of([0, 0.4]), of([0.6, 0.9])] }, ["one", "other"], () => {});
          pointPath(root, 0.2);
          return [...root.querySelectorAll(".track")].map((button) => button.classList.contains("now"));
        }"""
    )
    assert marked == [True, False]
