"""The direction that is shipped is what the kept judgements give."""

from __future__ import annotations

import importlib.util
import json

import pytest

from conftest import ROOT, require
from visavis.comparing.substance import DIRECTION


@pytest.fixture
def script(data_folder):
    require((data_folder / "news").is_dir(), "the news articles")
    spec = importlib.util.spec_from_file_location("substance_script", ROOT / "scripts" / "substance.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.DATA = data_folder
    return module


def test_the_direction_is_found_again_from_the_judgements(script):
    count, direction = script.find_direction(ROOT / "docs" / "readings" / "worth.csv")
    kept = json.loads(DIRECTION.read_text(encoding="utf-8"))
    assert kept["about"].startswith(f"from {count:,} judgements")
    assert direction == pytest.approx(kept["direction"], abs=2e-3)
