from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from malformed import MALFORMED, SPEAKS_OF, Malformed

from visavis.corpus import read_corpus
from visavis.errors import VisavisError


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_a_malformed_file_is_refused_in_one_line_that_names_it(case: Malformed, tmp_path: Path) -> None:
    source = case.make(tmp_path)
    tracemalloc.start()
    try:
        with pytest.raises(VisavisError) as caught:
            read_corpus(source, case.options)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert SPEAKS_OF[case.name] in message
    assert message.isprintable()
    named = Path((source if isinstance(source, str) else source[0]).partition("::")[0]).name
    assert named in message or "unknown" in message
    assert peak < 2**26


def test_the_table_of_malformed_files_is_long_and_its_names_are_distinct() -> None:
    assert len(MALFORMED) >= 100
    assert len(MALFORMED) == len(SPEAKS_OF)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read anything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("text\nx\n")
    path.chmod(0)
    with pytest.raises(VisavisError, match=r"bad\.csv: cannot be opened"):
        read_corpus(path)
