"""Part of `make soak`, which sets VISAVIS_SOAK=1: too long for every day."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit" / "collect"))

from gathering import kept, read
from local_web import LocalWeb
from page_sources import FILES, Timeline, site_routes
from source_killing import read_and_kill

from visavis.collect.state.store import Store
from visavis.collect.web.net import Client

pytestmark = pytest.mark.skipif(os.environ.get("VISAVIS_SOAK") != "1", reason="a soak test: run `make soak`")
KILLS = 30


def everything(store):
    pages = {url: store.page(url) for post in kept(store) for url in post.urls}
    return sorted(map(repr, kept(store))), {url: found and found.body for url, found in pages.items()}


def check(tmp_path, source, web, label):
    hosts = {name: port for name, (_, port) in web.allowance.hosts.items()}
    with Store(":memory:") as calm:
        read(calm, source, client=Client(allowance=web.allowance))
        expected = everything(calm)
    struck = read_and_kill(tmp_path / "state.sqlite", source, hosts, KILLS, label)
    print(f"{label}: {struck} kills of {KILLS} runs, {len(expected[0])} posts")
    with Store(tmp_path / "state.sqlite") as store:
        assert everything(store) == expected
    assert struck >= 0.8 * KILLS


@pytest.mark.parametrize("kind", list(FILES))
def test_a_file_that_is_read_under_thirty_kills_is_read_as_if_there_were_none(tmp_path, kind):
    name, make = FILES[kind]
    make(tmp_path / name, 600)
    with LocalWeb({}) as web:
        check(tmp_path, str(tmp_path / name), web, kind)


@pytest.mark.parametrize("source", ["site:http://site.test/", "mastodon:http://a.test/news"])
def test_a_server_that_is_read_under_thirty_kills_is_read_as_if_there_were_none(tmp_path, source):
    with LocalWeb(site_routes(9), hosts=("a.test",)) as web:
        Timeline(web, "a.test", 390)
        check(tmp_path, source, web, source)
