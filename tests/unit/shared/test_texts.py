"""Texts in a file: the same as in memory, seen by nobody else, and gone when the process is."""

from __future__ import annotations

import os
import pickle
import signal
import stat
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.shared import texts as shared
from visavis.shared.on_demand import OnDemand
from visavis.shared.texts import KeptTexts, StoredTexts, TextView

TEXTS = st.lists(st.text(st.characters(codec=None), max_size=12), max_size=20)  # half surrogates, too

SLEEPER = """
import sys, time
from visavis.shared.texts import StoredTexts
store = StoredTexts()
store.add(["a text that nobody else should read"] * 100_000)
store.read([0])
print("stored", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path / "cache"))


@given(TEXTS, st.randoms())
def test_what_is_read_is_what_was_stored(texts, random):
    store = StoredTexts()
    half = len(texts) // 2
    assert [*store.add(texts[:half]), *store.add(texts[half:])] == list(range(len(texts)))
    places = [random.randrange(len(texts)) for _ in texts]
    assert store.read(places) == [texts[place] for place in places]
    view = TextView(store, np.array(places, np.intp))
    assert list(view) == [view[at] for at in range(len(view))] == store.read(places)
    assert view[1:3] == store.read(places[1:3])


def test_a_view_travels_as_its_texts():
    store = StoredTexts()
    store.add(["one", "two"])
    packed = pickle.dumps(TextView(store, np.array([1, 0])))
    assert pickle.loads(packed) == ("two", "one")  # noqa: S301 (our own)


def test_the_file_has_no_name_and_no_reader_but_the_owner(tmp_path):
    store = StoredTexts()
    store.add(["secret"])
    found = os.fstat(store._file.fileno())
    assert (stat.S_IMODE(found.st_mode), found.st_nlink) == (0o600, 0)
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_after_an_interruption(tmp_path, blow):
    with subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdout.readline() == b"stored\n"
        child.send_signal(blow)
        child.wait(30)
    assert list((tmp_path / "cache").iterdir()) == []


def test_where_the_cache_cannot_be_written_a_temporary_file_serves(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path / "file" / "below"))
    store = StoredTexts()
    store.add(["here"])
    assert store.read([0]) == ["here"]


def spell(made, rows):
    made.extend(rows)
    return [f"text {row}" for row in rows]


@given(st.lists(st.lists(st.integers(0, 9), max_size=12), max_size=4))
def test_kept_texts_are_made_once_and_are_the_same_in_a_store(asked):
    with pytest.MonkeyPatch.context() as patch:
        in_memory = KeptTexts(10)
        patch.setattr(shared, "MOST_IN_MEMORY", 5)
        stored = KeptTexts(10)
    for kept in (in_memory, stored):
        made = []
        for rows in asked:
            found = kept.of(np.array(rows, np.intp), partial(spell, made))
            assert list(found) == [f"text {row}" for row in rows]
        assert len(made) == len(set(made))


def test_items_on_demand_are_made_for_what_is_asked_alone():
    made = []
    found = OnDemand(10, lambda place: made.append(place) or place * place)
    assert (found[3], found[-1], found[2:4], len(found)) == (9, 81, [4, 9], 10)
    assert made == [3, 9, 2, 3]
    with pytest.raises(IndexError):
        found[10]
