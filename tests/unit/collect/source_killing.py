"""Readings of sources that are killed again and again.

As a script (`python source_killing.py STATE SOURCE HOST=PORT...`) it is the process that is killed: it reads the source
and prints a line for every batch that was kept.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def start(state: Path, source: str, hosts: dict[str, int]) -> subprocess.Popen[str]:
    named = [f"{name}={port}" for name, port in hosts.items()]
    command = [sys.executable, str(HERE / "source_killing.py"), str(state), source, *named]
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})


def read_and_kill(state: Path, source: str, hosts: dict[str, int], kills: int, seed: str) -> int:
    """Read a source to its end, killing the reader that many times on the way; how many of them were in time.

    A site is read in one go, so that the strike must fall before that is kept.
    """
    rng, struck = random.Random(seed), 0
    for _ in range(kills):
        reader = start(state, source, hosts)
        at_once = source.startswith("site:")
        moment = 0 if at_once else rng.choice((0, 1, 1, 2))
        for count, _ in enumerate(reader.stdout):
            if count >= moment:
                break
        time.sleep(rng.uniform(0, 0.4 if at_once else 0.01))
        struck += reader.poll() is None
        reader.kill()
        reader.stdout.close()
        reader.wait()
    reader = start(state, source, hosts)
    for _ in reader.stdout:
        pass
    assert reader.wait() == 0
    return struck


def main(state: str, source: str, *hosts: str) -> None:
    from gathering import read

    from visavis.collect.sources import lines, saved, warc
    from visavis.collect.state.store import Store
    from visavis.collect.steps import posts
    from visavis.collect.web.guard import Allowance
    from visavis.collect.web.net import Client

    for module in (lines, saved, warc):
        module.BATCH = 4
    whole = posts.Store.set_position

    def told(self: Store, *what: str) -> None:
        whole(self, *what)
        print("kept", flush=True)
        time.sleep(0.01)  # or all is read before anyone can strike

    posts.Store.set_position = told
    named = dict(entry.split("=") for entry in hosts)
    allowance = Allowance({name: ("127.0.0.1", int(port)) for name, port in named.items()})
    with Store(state) as store:
        print("open", flush=True)
        read(store, source, client=Client(allowance=allowance))


if __name__ == "__main__":
    main(*sys.argv[1:])
