"""How soon the explorer's page shows other picks: from the slider's move to cards on the screen, in headless Chromium.

    python -m bench.explore_page [10000] [--moves 20]

The documents are invented. *in the page* is the instant answer of the page itself, *from the server* its quick picks
with their cards; a grouping is counted from the choice to the first cards. The server runs in a process of its own, on
the same machine as the browser. It needs playwright (the extra `dev`) and the system's Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.explore_map import CHROMIUM

OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

TOPICS, WORDS, SENTENCES = 24, 400, 4
PATIENCE = 300_000  # ms
SETTLED = "() => document.querySelector('#stage-now.done') && document.querySelector('#reading').hidden"
MOVE = """
async (value) => {
  const [input, stage] = ["contrast", "stage-now"].map((id) => document.getElementById(id));
  const times = {};
  let begun = 0;
  const note = () => {
    const kind = stage.textContent.split(" ")[0];
    requestAnimationFrame(() => setTimeout(() => { times[kind] ??= performance.now() - begun; }));
  };
  const watch = new MutationObserver(note);
  watch.observe(stage, { childList: true });
  begun = performance.now();
  input.value = value;
  input.dispatchEvent(new Event("input"));
  while (!times.Quick && performance.now() - begun < 20000) await new Promise((done) => { setTimeout(done, 20); });
  input.dispatchEvent(new Event("change"));
  watch.disconnect();
  return times;
}
"""
REGROUP = """
async (name) => {
  const input = document.getElementById("by");
  const begun = performance.now();
  document.querySelector("#columns").replaceChildren();
  input.value = name;
  input.dispatchEvent(new Event("change"));
  while (!document.querySelector(".card")) await new Promise((resolve) => { setTimeout(resolve, 10); });
  return performance.now() - begun;
}
"""


def write_documents(path: Path, count: int) -> None:
    """Invented articles: each of a topic with words of its own, in three places and two voices."""
    draw = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for row in range(count):
            topic, place = draw.randrange(TOPICS), draw.choice(("north", "south", "west"))
            own = [f"t{topic}w{draw.randrange(40)}" for _ in range(12)] + [f"{place}{draw.randrange(60)}"] * 2
            words = [f"w{min(int(draw.paretovariate(0.9)), WORDS)}" for _ in range(36)] + own
            draw.shuffle(words)
            text = ". ".join(" ".join(words[at::SENTENCES]) for at in range(SENTENCES))
            record = {"id": str(row), "title": " ".join(words[:6]), "text": text, "place": place}
            file.write(json.dumps(record | {"voice": draw.choice(("first", "second"))}) + "\n")


@contextmanager
def explored(path: Path) -> Iterator[str]:
    """The address of an explorer of these documents."""
    command = [sys.executable, "-m", "visavis", "explore", str(path), "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    try:
        yield next(line for line in process.stdout if "http://" in line).partition(": ")[2].strip()
    finally:
        process.terminate()
        process.wait()


def measure(page: Any, moves: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the instant and of the quick answer, for contrasts here and there."""
    draw = random.Random(2)
    found = [page.evaluate(MOVE, f"{draw.randrange(95) / 100:.2f}") for _ in range(moves + 1)][1:]
    instant, quick = ([times[kind] for times in found if kind in times] for kind in ("Instant", "Quick"))
    return instant, quick


def main() -> None:
    """Print a row for each number of documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000])
    parser.add_argument("--moves", type=int, default=20)
    options = parser.parse_args()
    print("| documents | in the page, ms: median, slowest | from the server | another grouping, s |")
    print("|---:|---:|---:|---:|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        for count in options.sizes:
            path = Path(folder) / f"{count}.jsonl"
            write_documents(path, count)
            with explored(path) as address:
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.set_default_timeout(PATIENCE)
                page.goto(f"{address}&by=place")
                page.wait_for_function(SETTLED)
                page.wait_for_function("() => document.querySelector('#verdict.differ, #verdict.calm:not(.waiting)')")
                instant, quick = measure(page, options.moves)
                page.wait_for_function(SETTLED)
                regrouped = page.evaluate(REGROUP, "voice") / 1000
                page.close()
            told = [f"{statistics.median(each):.0f}, {max(each):.0f}" for each in (instant, quick)]
            print(f"| {count:,} | {told[0]} | {told[1]} | {regrouped:.1f} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
