"""Which engine answers: what was asked, what there is, and what would work."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array

from visavis.comparing.options import CompareOptions
from visavis.engines import LocalEngine, choose_engine, choosing
from visavis.errors import Incompatible, InvalidParameter, MissingExtra, UnknownName
from visavis.records import Compute


class Large:
    """Stands for vectors that are worth a card."""

    shape = (1_000_000, 100)
    nbytes = 4 * 10**8


class TooLarge(Large):
    """Vectors that the card has no room for."""

    nbytes = 10**10


@pytest.fixture
def a_card(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(choosing, "_count_cards", lambda: 1)
    monkeypatch.setattr(choosing, "_has_room", lambda n_bytes: n_bytes < 10**9)


@pytest.fixture
def no_card(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(choosing, "_count_cards", lambda: 0)


def test_threads_are_the_engine_unless_something_else_is_asked():
    engine = choose_engine(compute=Compute(threads=3))
    assert isinstance(engine, LocalEngine)
    assert (engine.compute.threads, engine.device) == (3, "cpu")


@pytest.mark.usefixtures("a_card")
def test_auto_takes_a_card_for_what_is_worth_one():
    assert choose_engine(vectors=Large()).name == "cuda"
    assert choose_engine(vectors=np.zeros((1000, 100))).name == "threads"
    assert choose_engine(device="cpu", vectors=Large()).name == "threads"
    assert choose_engine(vectors=TooLarge()).name == "threads"


@pytest.mark.usefixtures("no_card")
def test_auto_stays_on_the_cpu_without_a_card():
    assert choose_engine(vectors=Large()).name == "threads"


@pytest.mark.usefixtures("a_card")
@pytest.mark.parametrize("kernel", ["precomputed", lambda left, right: left @ right.T])
def test_auto_leaves_to_the_cpu_what_a_card_cannot_do(kernel):
    assert choose_engine(vectors=Large(), kernel=kernel).name == "threads"
    assert choose_engine(vectors=csr_array((10**7, 1000))).name == "threads"


def test_torch_is_not_looked_for_where_there_is_little_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert choose_engine(vectors=np.zeros((1000, 100))).name == "threads"


def test_without_torch_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"device='cuda' needs torch.*pip install 'visavis\[gpu\]'"):
        choose_engine(device="cuda")


@pytest.mark.usefixtures("no_card")
def test_without_a_card_what_would_work_is_told():
    with pytest.raises(InvalidParameter, match="finds none: use device='cpu' or 'auto'"):
        CompareOptions(by="group", device="cuda")


def test_a_device_that_is_none_is_refused():
    with pytest.raises(InvalidParameter, match="one of auto, cpu, cuda, got 'tpu'"):
        CompareOptions(by="group", device="tpu")


def test_an_engine_that_stands_in_no_table_is_refused():
    with pytest.raises(UnknownName, match="unknown engine 'thread'; did you mean 'threads'"):
        choose_engine("thread")


@pytest.mark.usefixtures("a_card")
def test_an_engine_elsewhere_has_no_card_of_this_machine():
    with pytest.raises(Incompatible, match="give one of them"):
        choose_engine("cluster://host:1", "cuda")


def test_an_engine_of_the_callers_is_taken_as_it_is():
    engine = LocalEngine()
    assert choose_engine(engine) is engine
