"""The first command of the README, the demo and the picture of the report tell one story."""

from __future__ import annotations

import importlib.util
import shlex

import pytest

from conftest import ROOT
from unit.pages import visavis_lines
from visavis.cli.compare import compare, library_options
from visavis.comparing import demos
from visavis.comparing.options import CompareOptions


def test_the_readme_the_demo_and_the_picture_compare_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, object]] = []

    class Compared:
        def to_html(self, page: object) -> None:
            """Nothing is written."""

    monkeypatch.setattr(demos, "compare", lambda _, **options: told.append(options) or Compared())
    demos.compare_news(CompareOptions.method, CompareOptions.size, CompareOptions.seed)
    picture = importlib.util.spec_from_file_location("picture", ROOT / "scripts" / "picture.py")
    module = importlib.util.module_from_spec(picture)
    picture.loader.exec_module(module)
    module.write_report(None)
    words = shlex.split(visavis_lines(ROOT / "README.md")[0])
    first = library_options(compare.make_context("compare", words[2:]).params)
    for options in told:
        for name in ("by", "lead", "method", "size", "seed"):
            assert options.get(name, getattr(CompareOptions, name)) == first.get(name, getattr(CompareOptions, name))
    assert len(told) == 2
