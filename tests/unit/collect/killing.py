"""Collections that are killed again and again: a web of stories here, the collector in a child process.

As a script (`python killing.py STATE CORPUS WORKERS HOST=PORT...`) it is that child: it collects and prints a line for
every page dealt with: how many fetches and documents the state file has by then.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from local_web import LocalWeb, page, redirect
from prose import article, html_page

HERE = Path(__file__).resolve().parent
START = datetime(2026, 3, 1, tzinfo=UTC)
HOSTS = tuple(f"paper{i}.test" for i in range(10))


def story_web(n: int) -> tuple[LocalWeb, list[str]]:
    """A web of n stories, some of them copies, some gone, some moved."""
    routes = {}
    urls = []
    for i in range(n):
        host, path = HOSTS[i % len(HOSTS)], f"/story/{i}"
        urls.append(f"http://{host}{path}")
        if i % 25 == 7:
            continue
        if i % 25 == 9:
            routes[host, path] = redirect(f"/moved/{i}")
            path = f"/moved/{i}"
        body = html_page(f"Story {i}", article(f"killed {i - 1 if i % 25 == 13 else i}"))
        routes[host, path] = lambda _, body=body: (time.sleep(0.005), page(body))[1]
    return LocalWeb(routes, hosts=HOSTS), urls


def prepare(state: Path, urls: list[str]) -> None:
    from visavis.collect.records import Article, Query
    from visavis.collect.state.store import Store

    with Store(state) as store:
        store.set_queries("t", [Query("t", "gun control")])
        store.set_articles(
            "t", [Article("t", url, START + timedelta(hours=i), 1 + i % 7) for i, url in enumerate(urls)]
        )


def start(state: Path, corpus: Path, workers: int, web: LocalWeb) -> subprocess.Popen[str]:
    hosts = [f"{name}={port}" for name, (_, port) in web.allowance.hosts.items()]
    command = [sys.executable, str(HERE / "killing.py"), str(state), str(corpus), str(workers), *hosts]
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})


def uninterrupted(folder: Path, n: int, workers: int) -> tuple[bytes, int]:
    """The corpus of a run that nobody disturbs, and how many fetches and documents it takes."""
    web, urls = story_web(n)
    prepare(folder / "calm.sqlite", urls)
    with web:
        child = start(folder / "calm.sqlite", folder / "calm.jsonl", workers, web)
        steps = max(int(line) for line in child.stdout)
        assert child.wait() == 0
    assert all(count == 1 for count in web.asked.values())
    return (folder / "calm.jsonl").read_bytes(), steps


def killed(folder: Path, n: int, workers: int, kills: int, steps: int, seed: int) -> tuple[bytes, int, int]:
    """The corpus of a run that is killed that many times, how often it was, and how many pages were asked for again."""
    rng = random.Random(seed)
    moments = sorted(rng.sample(range(1, steps * 9 // 10), kills))
    web, urls = story_web(n)
    prepare(folder / "killed.sqlite", urls)
    struck = 0
    with web:
        for moment in [*moments, None]:
            child = start(folder / "killed.sqlite", folder / "killed.jsonl", workers, web)
            for line in child.stdout:
                if moment is not None and int(line) >= moment:
                    time.sleep(rng.uniform(0, 0.01))
                    break
            if moment is not None and child.poll() is None:
                child.kill()
                struck += 1
            child.stdout.close()
            status = child.wait()
        assert status == 0
    again = sum(count - 1 for (_, path), count in web.asked.items() if path != "/robots.txt")
    return (folder / "killed.jsonl").read_bytes(), struck, again


def main(state: str, corpus: str, workers: str, *hosts: str) -> None:
    from visavis.collect.state.store import Store
    from visavis.collect.steps.clean import clean_documents
    from visavis.collect.steps.export import ExportOptions, export_corpus
    from visavis.collect.steps.extract import ExtractOptions, extract_pages
    from visavis.collect.steps.fetch import FetchOptions, fetch_pages
    from visavis.collect.web.guard import Allowance
    from visavis.collect.web.pace import Manners

    def told(*_: int) -> None:
        print(store.count("fetches") + store.count("documents"), flush=True)

    allowance = Allowance({name: ("127.0.0.1", int(port)) for name, _, port in (host.partition("=") for host in hosts)})
    with Store(state) as store:
        quick = Manners(seconds_a_host=0.0)
        fetch_pages(store, FetchOptions(workers=int(workers), manners=quick, allowance=allowance, progress=told))
        extract_pages(store, ExtractOptions(workers=2, progress=told))
        clean_documents(store)
        export_corpus(store, ExportOptions(Path(corpus)))


if __name__ == "__main__":
    main(*sys.argv[1:])
