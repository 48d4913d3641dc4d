from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from conftest import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("quality_simulation", ROOT / "scripts" / "quality_simulation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_coin_flippers_go_and_able_workers_stay_all_looks_included(script: ModuleType) -> None:
    assert 1 - script.row(0.5)[2] >= 0.95
    assert script.row(0.9)[2] >= 0.99


def test_the_page_shows_what_the_simulation_finds(script: ModuleType) -> None:
    text = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    assert text.partition(script.BEGIN)[2].partition(script.END)[0].strip() == script.table()
