"""Processes that are started before a file is read, and garbage that is looked for seldom."""

from __future__ import annotations

import gc

import pytest

from visavis.shared import processes
from visavis.shared.garbage import SELDOM, seldom_collected


@pytest.fixture
def started(monkeypatch):
    found = []
    monkeypatch.setattr(processes, "LARGE", 100)
    monkeypatch.setattr(processes, "warm_up", lambda count, module: found.append((count, module)))
    return found


@pytest.fixture
def files(tmp_path):
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_bytes(b"x" * 60)
    return [str(tmp_path / name) for name in ("one.csv", "two.csv")]


def test_large_files_start_processes_before_they_are_read(started, files):
    processes.warm_up_for_files(files, -1, "visavis.errors")
    assert started == [(-1, "visavis.errors")]


@pytest.mark.parametrize("jobs", [1, -1])
def test_small_files_and_single_jobs_start_none(started, files, jobs):
    processes.warm_up_for_files(files if jobs == 1 else files[:1], jobs, "visavis.errors")
    assert started == []


@pytest.mark.parametrize("name", ["-", "absent.csv", "*.csv", ".", "", "\0", "x" * 5000])
def test_what_is_no_file_starts_none(started, name):
    processes.warm_up_for_files([name], -1, "visavis.errors")
    assert started == []


def test_garbage_is_looked_for_as_before_afterwards():
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold()[0] == SELDOM
    assert gc.get_threshold() == before
