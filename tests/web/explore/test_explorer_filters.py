"""A filter that is rewritten by the page's controls keeps all that its reader wrote."""

from __future__ import annotations

from typing import Any

pytest_plugins = ("web.explore.fixtures",)

READ = """async (expressions) => {
  const { readFilter, writeFilter } = await import("/static/filters.js");
  return expressions.map((each) => {
    const found = readFilter(each, "published");
    return [found.other, writeFilter(found, "published")];
  });
}"""
KEPT = [
    "year in [2020, 2021]",
    "a in ['x', 3]",
    "pros-and-cons == 'yes'",
    "published >= '2020'",
    "`two words` in ['x']",
    "Größe in ['x', \"it's\"]",
    "source in ['a'] and source in ['b']",
    "published >= '2020-01-01' and published >= '2021-01-01'",
    "text contains 'a and b' and not (x == 1 or y == 2)",
    "text contains 'a' and text contains 'b'",
    "constructor in ['x']",
    "source in []",
    "x == 1 or y == 2",
    "x = 1",
]


def test_a_filter_that_is_read_and_written_says_the_same(visit: Any, empty: str) -> None:
    found = visit(empty).evaluate(READ, KEPT)
    assert [written for _, written in found] == KEPT


def test_what_no_control_shows_is_left_as_it_is(visit: Any, empty: str) -> None:
    asked = ["a in ['x', 3]", "pros-and-cons == 'yes' and source in ['a']", "source in ['a'] and source in ['b']",
             "published  >=  '2020'", "text contains 3", "source in ['a'] and published <= '2020'"]  # fmt: skip
    others = [other for other, _ in visit(empty).evaluate(READ, asked)]
    assert others == [
        ["a in ['x', 3]"], ["pros-and-cons == 'yes'"], ["source in ['b']"], ["published  >=  '2020'"],
        ["text contains 3"], [],
    ]  # fmt: skip


def test_an_either_or_stands_in_brackets_beside_another_part(visit: Any, empty: str) -> None:
    said = visit(empty).evaluate(
        """async () => {
          const { readFilter, writeFilter } = await import("/static/filters.js");
          return writeFilter({ ...readFilter("x == 1 or y == 2", ""), text: "rain" }, "");
        }"""
    )
    assert said == "text contains 'rain' and (x == 1 or y == 2)"
