"""Fixtures of the study's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from unit.study import studies
from unit.study.databases import SHARED
from unit.study.visiting import Site


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a study: a file, then a database of PostgreSQL."""
    return str(tmp_path / "s.db") if request.param == "sqlite" else SHARED.url_to_be()


@pytest.fixture
def make_site(where: str, tmp_path: Path) -> Callable[..., Site]:
    """Makes the pages of a study of `n_pairs` pairs of groups that stands in a file, then in PostgreSQL."""

    def make(n_pairs: int = 3, **options: object) -> Site:
        return Site(tmp_path, store=studies.make_study(where, n_pairs=n_pairs), where=where, **options)

    return make
