"""What all tests share: where real data lies, and what a missing component means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def require(present: bool, what: str) -> None:
    """Skip where a component is missing, or fail where everything is required."""
    if present:
        return
    if os.environ.get("VISAVIS_REQUIRE_ALL") == "1":
        pytest.fail(f"VISAVIS_REQUIRE_ALL=1, but this is missing: {what}")
    pytest.skip(f"missing: {what}")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data, named by VISAVIS_DATA or beside the project."""
    folder = Path(os.environ.get("VISAVIS_DATA", ROOT.parent / "shared" / "data"))
    require(folder.is_dir(), f"the data folder {folder} (name another with VISAVIS_DATA)")
    return folder
