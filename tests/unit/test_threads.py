from __future__ import annotations

import os
import subprocess
import sys

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import visavis
from unit.comparisons import ROWS
from unit.embedders import Counting
from visavis.comparing.documents import DocumentOptions
from visavis.evaluate.material import load_material
from visavis.kernel.threads import limited_to, ordered_map
from visavis.shared.progress import silent
from visavis.study.design.articles import prepare_articles
from visavis.study.design.plan import StudyPlan

BARE = [{key: row[key] for key in ("id", "title", "text", "place")} for row in ROWS]


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def _three_threads_unless_limited():
    with threadpool_limits(3, "blas"):
        assert blas_threads() == {3}
        yield


def test_limits_that_overlap_hold_until_the_last_is_gone_and_no_longer():
    first, second = limited_to(1, "blas"), limited_to(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {3}


def test_a_limit_that_is_gone_leaves_others_to_set_theirs():
    with limited_to(1, "blas"):
        assert blas_threads() == {1}
    with threadpool_limits(2, "blas"):
        assert blas_threads() == {2}


def test_the_lowest_of_several_limits_holds():
    with limited_to(1, "blas"), limited_to(2, "blas"):
        assert blas_threads() == {1}
    assert blas_threads() == {3}


def test_threads_take_short_turns_until_the_last_of_them_is_done():
    before = sys.getswitchinterval()
    first, second = (ordered_map(lambda item: item, range(9), 2) for _ in range(2))
    assert (next(first), next(second)) == (0, 0)
    assert sys.getswitchinterval() < before
    assert list(first) == list(range(1, 9))
    assert sys.getswitchinterval() < before
    assert list(second) == list(range(1, 9))
    assert sys.getswitchinterval() == before


class Watching(Counting):
    """Random vectors by text; `seen` holds the threads that linear algebra might have used for them."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def embed(self, texts, fit_on=None):
        self.seen |= blas_threads()
        return super().embed(texts, fit_on)


WAYS = {
    "compare": lambda embedder: visavis.compare(BARE, "place", embedder=embedder, size=1),
    "evaluate": lambda embedder: load_material(BARE, DocumentOptions(by="place", embedder=embedder)),
    "study": lambda embedder: prepare_articles(BARE, StudyPlan(by="place", embedder=embedder), silent),
}


@pytest.mark.parametrize("way", WAYS)
def test_vectors_do_not_depend_on_how_many_threads_the_machine_offers(way):
    embedder = Watching()
    WAYS[way](embedder)
    assert embedder.seen == {1}


FROM_ELSEWHERE = """
import threading
import numpy
from threadpoolctl import threadpool_info
from visavis.kernel.threads import limited_to

def in_force():
    with limited_to(1, "blas"):
        print(*{each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"})

in_force()
thread = threading.Thread(target=in_force)
thread.start()
thread.join()
"""


def test_limits_hold_whichever_thread_asks_for_them():
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_NUM_THREADS")}
    call = [sys.executable, "-c", FROM_ELSEWHERE]
    assert subprocess.run(call, env=environment, check=True, capture_output=True, text=True).stdout == "1\n1\n"
