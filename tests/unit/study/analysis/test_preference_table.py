from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from conftest import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("preference_simulation", ROOT / "scripts/preference_simulation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_what_the_simulation_finds(script: ModuleType) -> None:
    text = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    assert text.partition(script.BEGIN)[2].partition(script.END)[0].strip() == script.table()
