"""What all tests share: where real data lies, and what a missing component means."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before numpy is imported, and for children too
    os.environ.setdefault(threads, "1")  # tests take all cores already: more threads would wait for each other
if platform.machine() in ("x86_64", "AMD64"):  # newer cores add in another order, which decides between near ties
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

# How long an example takes is no property; the soak tries more of them.
hypothesis.settings.register_profile("suite", deadline=None, max_examples=25)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=400)
hypothesis.settings.load_profile("soak" if os.environ.get("VISAVIS_SOAK") else "suite")

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Until all tests are collected nothing is freed: imports leave little behind, and looking for it takes seconds."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported stays to the end: nobody need look at it again and again for something to free."""
    gc.freeze()
    gc.enable()


def require(present: bool, what: str) -> None:
    """Skip where a component is missing, or fail where everything is required."""
    if present:
        return
    if os.environ.get("VISAVIS_REQUIRE_ALL") == "1":
        pytest.fail(f"VISAVIS_REQUIRE_ALL=1, but this is missing: {what}")
    pytest.skip(f"missing: {what}")


CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, started once."""
    require(importlib.util.find_spec("playwright") is not None, "playwright")
    require(CHROMIUM.exists(), f"Chromium at {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_OPTIONS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data, named by VISAVIS_DATA or beside the project."""
    folder = Path(os.environ.get("VISAVIS_DATA", ROOT.parent / "shared" / "data"))
    require(folder.is_dir(), f"the data folder {folder} (name another with VISAVIS_DATA)")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _vectors_of_the_tests_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of their own: tests neither use nor change what the user has kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VISAVIS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


ENDS = contextlib.ExitStack()  # what begins when first wanted and ends with the session, such as a server


@pytest.fixture(scope="session", autouse=True)
def _end_with_the_session() -> Iterator[None]:
    yield
    ENDS.close()


@pytest.fixture(scope="module")
def figures_undrawn() -> Iterator[None]:
    """Where figures are not the point: an evaluation's are files with a word in them, as drawing takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("visavis.evaluate.output.draw", lambda *_: "undrawn")
        yield


@pytest.fixture(scope="module")
def few_resamples() -> Iterator[None]:
    """Where how steady the picks are is not the point: two resamples, as picking again takes half of a comparison."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("RESAMPLES", "FEWEST_RESAMPLES"):
            patch.setattr(f"visavis.explain.stability.{name}", 2)
        yield


@pytest.fixture(scope="module")
def brief_assessment(few_resamples: None) -> Iterator[None]:  # noqa: ARG001 (nor are they)
    """Where what is assessed is not the point: few resamples, and one quick classifier beside the picks.

    They take most of the time. Of texts it is that of comparisons of many groups, and so is that picks are not made
    again within each training part to find out which of the two to believe.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("visavis.comparing.measure.MANY", 0)
        everything = importlib.import_module("visavis.explain.everything")
        every, quick = everything.Seen.classifiers.fget, everything._least_squares(10.0)
        first = property(lambda seen: every(seen)[:1] if seen.bags is None else (quick,))
        patch.setattr("visavis.explain.everything.Seen.classifiers", first)
        yield


@pytest.fixture(scope="module")
def forked_parsers() -> Iterator[None]:
    """Where many small files are parsed, each in its own process: these need not import their libraries anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("visavis.corpus.sandbox.Child", importlib.import_module("forked_parsers").ForkedParser)
        yield


@pytest.fixture(scope="session")
def _readers_end() -> Iterator[None]:
    yield
    importlib.import_module("kept_readers").end_all()


@pytest.fixture(scope="module")
def kept_readers(_readers_end: None) -> Iterator[None]:
    """Where how readers of pages begin and end is not the point: they go on from one test to the next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("visavis.collect.text.reading.Child", importlib.import_module("kept_readers").kept_child)
        yield


@pytest.fixture(scope="module")
def one_reader(kept_readers: None) -> Iterator[None]:  # noqa: ARG001 (a kept one)
    """Where a handful of pages is read: one child process, as starting it takes longer than reading them all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("visavis.collect.steps.extract.os.cpu_count", lambda: 1)
        yield


@contextlib.contextmanager
def local_cluster(workers: int, *, processes: bool = False) -> Iterator[Any]:
    """A Dask cluster on this machine alone, of one thread a worker, in this process or in children; its client."""
    require(importlib.util.find_spec("distributed") is not None, "dask")
    import dask
    from distributed import Client, LocalCluster

    quiet = {"distributed.comm.timeouts.connect": "3s", "distributed.admin.system-monitor.gil.enabled": False}
    with (
        dask.config.set(quiet),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=processes,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            protocol="tcp://",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client
