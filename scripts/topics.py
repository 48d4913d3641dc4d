"""The table of topics in docs/collect.md: does the snowball stay on the topic, and what does it add to the seed?

Twenty seeds over tweets of Congress, judged by lists of words that the snowball does not see. The lists were written
before anything was measured; the rule was made while looking at the first eight topics, and the others were measured
once it was made. Takes some minutes: python scripts/topics.py
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from visavis.collect.records import Post
from visavis.collect.state.store import Store
from visavis.collect.steps.expand import ExpandOptions, expand
from visavis.collect.text.queries import Matchers
from visavis.collect.text.words import hashtags
from visavis.corpus.dates import parse_date

DATA = Path(os.environ.get("VISAVIS_DATA", Path(__file__).parents[2] / "shared" / "data"))
TWEETS = "tweets/congress-2018.jsonl.gz"
WINDOWS = ("14d", "all")

LOOKED_AT = {
    "opioids": r"opioid|opiate|heroin|fentanyl|naloxone|narcan|overdos|addict|substance (?:ab|mis)?use|painkiller"
    r"|prescription drug|drug (?:abuse|epidemic|crisis|treatment|take)|takeback|take back day|rx ?summit|oxycontin"
    r"|suboxone|controlled substance|crisisnextdoor",
    "healthcare": r"health ?care|health (?:insurance|coverage|plan|center|system|cost|clinic|service)|medicare|medicaid"
    r"|obamacare|\baca\b|affordable care|trumpcare|premium|pre-?existing|prescription|drug (?:price|cost|pricing)"
    r"|hospital|patient|insur|doctor|physician|\bnurs|protectourcare|\bchip\b|public health|mental health"
    r"|planned parenthood",
    "climate": r"climate|global warming|carbon|emission|greenhouse|fossil fuel|renewable|clean ?energy|clean ?power"
    r"|solar|wind (?:power|energy|farm)|paris ?(?:agreement|accord)|sea ?level|\bepa\b|pruitt|environment|pollut"
    r"|methane|earth ?day|clean (?:air|car|water)|fuel (?:economy|efficien)|offshore|drilling|conservation|science",
    "tax": r"tax|\birs\b|\btcja\b|deduction|withholding|paycheck",
    "gun control": r"gun|firearm|\bnra\b|shoot|shot\b|(?:second|2nd) amendment|\b2a\b|assault (?:weapon|rifle)|ar-?15"
    r"|background check|bump ?stock|parkland|stoneman|march ?for ?our ?lives|never ?again|school safety"
    r"|stopschoolviolence|rifle|massacre|weapon|violence|walkout|enough",
    "immigration": r"immigra|\bdaca\b|dream(?:er|act)|undocumented|deport|border|\bice\b|sanctuary|visa|refugee|asylum"
    r"|citizenship|migrant|\bdhs\b|\bwall\b|\btps\b",
    "net neutrality": r"net ?neutrality|\bfcc\b|(?:open|the|free) ?internet|broadband|\bisps?\b|onemorevote|ajit pai",
    "veterans": r"veteran|\bvets?\b|\bva\b|military|service ?m[ae]n|service ?members?|troops|\barmy\b|\bnavy\b|marine"
    r"|air force|soldier|gi bill|vietnam|medal of honor|armed forces|\bhero|national guard|\bserved|\bwwii\b|\bdav\b"
    r"|\bvfw\b",
}
UNSEEN = {
    "tariffs": r"tariff|trade|steel|alumin|import|export|\bchina|nafta|duties",
    "infrastructure": r"infrastructure|bridge|\broads?\b|highway|transit|broadband|transportation|\brail|airport"
    r"|\bports?\b|waterway|rebuild|construction|gateway|\bfaa\b|\bdot\b|tunnel",
    "sexual harassment": r"harass|sexual|me ?too|assault|times ?up|survivor|rape",
    "farm bill": r"farm|agricult|\bag\b|\bsnap\b|food stamp|crop|rural|\busda\b|ranch|dairy|nutrition",
    "census": r"census|citizenship question|2020|undercount|counted",
    "syria": r"syria|assad|chemical (?:weapon|attack)|\baumf\b|air ?strike|douma|ghouta|\bisis\b",
    "human trafficking": r"traffick|\bsesta\b|\bfosta\b|exploitation|slavery",
    "nasa": r"nasa|space|astronaut|rocket|satellite|\bmars\b|orbit|\bmoon\b|telescope|hubble",
    "social security": r"social ?security|\bssa\b|senior|retire|medicare|pension|older american|benefit",
    "equal pay": r"equal ?pay|pay ?gap|wage ?gap|paycheck ?fairness|cents|pay equity|\bpaid\b|wage",
    "facebook": r"facebook|zuckerberg|cambridge ?analytica|privacy|\bdata\b|social media|\btech\b",
    "abortion": r"abort|planned ?parenthood|pro-?life|pro-?choice|unborn|\broe\b|reproductive|\blife\b|babies",
}
TOPICS = {**LOOKED_AT, **UNSEEN}


@dataclass(frozen=True)
class Score:
    """What the queries of a topic match: posts, the seed's own, how many are on the topic, and how many there are."""

    queries: int
    matched: int
    seed: int
    on_topic: int
    all_on_topic: int

    @property
    def precision(self) -> float:
        """The share of what is matched that is on the topic."""
        return self.on_topic / self.matched

    @property
    def recall(self) -> float:
        """The share of what is on the topic that is matched."""
        return self.on_topic / self.all_on_topic

    @property
    def growth(self) -> float:
        """How many times the seed's own posts are matched."""
        return self.matched / self.seed


def measure(store: Store, seed: str, window: str) -> Score:
    """Expand a seed and judge all posts that its queries match by the topic's list of words."""
    found = expand(store, ExpandOptions(seed, seed, window=window))
    listed = re.compile(TOPICS[seed])
    matchers, alone = Matchers(found.queries), Matchers([seed])
    counts = [0, 0, 0, 0]
    for _, post in store.numbered_posts():
        is_on_topic = listed.search(post.text.casefold()) is not None
        is_matched = bool(matchers.matching(post.text, post.tags))
        is_seed = is_matched and bool(alone.matching(post.text, post.tags))
        for place, one in enumerate((is_matched, is_seed, is_matched and is_on_topic, is_on_topic)):
            counts[place] += one
    return Score(len(found.queries), *counts)


def load(path: Path, before: str = "9") -> Store:
    """The tweets in a state file in memory; those before a time alone where one is given."""
    store = Store(":memory:")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        every = (json.loads(line) for line in file)
        rows = ((row["id"], row["text"], parse_date(row["time"]).moment) for row in every if row["time"] < before)
        store.add_posts(Post("plain", name, text, moment, tags=hashtags(text)) for name, text, moment in rows)
    return store


def rows(store: Store, seeds: Iterable[str], window: str) -> Iterator[str]:
    """The table, line by line."""
    for seed in seeds:
        one = measure(store, seed, window)
        yield (
            f"| {seed} | {one.seed:,} | {one.queries} | {one.matched:,} | {one.growth:.2f} | {one.precision:.3f} | "
            f"{one.recall:.2f} |"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", default=list(TOPICS))
    parser.add_argument("--window", default="", choices=("", *WINDOWS))
    asked = parser.parse_args()
    store = load(DATA / TWEETS)
    for window in [asked.window] if asked.window else WINDOWS:
        print(f"\nwindow {window}\n")
        print("| seed | its posts | queries | matched | × seed | on topic | recall |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for row in rows(store, asked.seeds, window):
            print(row, flush=True)


if __name__ == "__main__":
    main()
