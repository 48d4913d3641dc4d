"""Simulation of the check of headlines: how often a sentence passes where the groups were drawn from a hat.

    python scripts/headlines.py [--runs 100] [--only WORD]

Documents are the real news of VISAVIS_DATA, 200 in a run; groups are dealt to documents or to whole outlets, picks are
made, and writers who see the picks alone write of them: the title of the first pick, its beginning, three titles, the
words in which the picks differ most from the others' (more than any model would find). Prints a table in Markdown: how
often a sentence passes, beside the test that deals documents anew and forgets that picks were chosen on them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np

from visavis.comparing import decide, find_candidates, group_documents, make_options, prepare, select
from visavis.comparing.by_model.check import held_against
from visavis.comparing.by_model.prompt import Quoted
from visavis.comparing.posing import make_choice, pose_candidates
from visavis.comparing.session import DocumentSession
from visavis.embed.tfidf import split_words
from visavis.explain.bags import bag_words, weigh_terms
from visavis.explain.sentences import HeldAgainst, balanced_accuracy, deals, tell_by_sentences
from visavis.records import Integers
from visavis.shared.progress import silent

DOCUMENTS, DEALS, WORDS = 200, 199, 25
CASES = {  # what is dealt, and to how many groups
    "documents, 2 groups": ("none", 2),
    "documents, 4 groups": ("none", 4),
    "outlets, 2 groups": ("source", 2),
}


def articles() -> list[dict[str, str]]:
    """Real articles on immigration."""
    folder = Path(os.environ.get("VISAVIS_DATA", "../shared/data"))
    with gzip.open(folder / "news" / "articles_lead.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if row["topic"] == "immigration" and row["text"] and row["source"]]


def deal(rows: list[dict[str, str]], blocks: str, n_groups: int, rng: np.random.Generator) -> list[dict[str, str]]:
    """Some of the articles, in groups that mean nothing."""
    some = [dict(rows[place]) for place in rng.choice(len(rows), DOCUMENTS, replace=False)]
    owners = [row["source"] if blocks == "source" else str(place) for place, row in enumerate(some)]
    group = {owner: "ABCD"[rng.integers(n_groups)] for owner in sorted(set(owners))}
    return [row | {"group": group[owner]} for row, owner in zip(some, owners, strict=True)]


def written(session: DocumentSession, picks: list[Integers]) -> dict[str, list[str]]:
    """A sentence on each group by each writer."""
    titles = [[session.documents[row].title for row in rows] for rows in picks]
    terms = bag_words(split_words(session.texts[row]) for rows in picks for row in rows)
    owners = np.repeat(np.arange(len(picks)), [len(rows) for rows in picks])
    names = _names(session, picks)
    bags = weigh_terms(terms, np.arange(len(owners))).toarray()[:, : len(names)]
    means = np.stack([bags[owners == group].mean(axis=0) for group in range(len(picks))])
    apart = means - (means.sum(axis=0) - means) / (len(picks) - 1)
    return {
        "a title": [own[0] for own in titles],
        "a beginning": [" ".join(session.texts[rows[0]].split()[:45]) for rows in picks],
        "three titles": ["; ".join(own[:3])[:300] for own in titles],
        f"{WORDS} words": [" ; ".join(names[place] for place in np.argsort(-row)[:WORDS]) for row in apart],
    }


def _names(session: DocumentSession, picks: list[Integers]) -> list[str]:
    """The words of the picks in the order of their columns."""
    return list(dict.fromkeys(word for rows in picks for row in rows for word in split_words(session.texts[row])))


def forgetful(held: HeldAgainst, sentences: np.ndarray, rng: np.random.Generator) -> float:
    """The share of sentences that pass where labels of unseen documents are dealt anew, and nothing else is."""
    about, unseen = np.arange(len(sentences)), ~held.shown
    similar = held.vectors @ sentences.T
    found = balanced_accuracy(similar, held.codes, unseen, about)
    reached = np.zeros(len(about))
    for dealt in deals(held, rng, DEALS):
        reached += balanced_accuracy(similar, dealt, unseen, about) >= found
    return float(np.mean((1 + reached) / (1 + DEALS) < 0.05))


def run(rows: list[dict[str, str]], blocks: str, n_groups: int, seed: int) -> dict[str, tuple[float, float]]:
    """For each writer, the share of sentences that pass, and of those that would if the test were forgetful."""
    rng = np.random.default_rng(seed)
    options = make_options(by="group", blocks=(blocks,), jobs=1)
    prepared = prepare(deal(rows, blocks, n_groups, rng), options.reading)
    candidates = find_candidates(prepared, group_documents(prepared, options.grouping), options)
    session = pose_candidates(candidates, options, options.chosen_kernel, options.gamma)
    decided = decide(session, make_choice(session, candidates, options), [], silent)
    selection = select(session, session.request(decided.choice))
    picks = [selection.rows[selection.owner == group] for group in range(n_groups)]
    quoted = [Quoted("", group, int(row), "") for group, own in enumerate(picks) for row in own]
    held, embedder = held_against(session, quoted)
    if held.undecided(n_groups):
        return {}
    found = {}
    for writer, sentences in written(session, picks).items():
        placed = embedder.embed(sentences)
        if len(placed.kept) == n_groups:
            told = tell_by_sentences(held, placed.vectors, np.arange(n_groups), rng, DEALS)
            passed = float(np.mean([max(one.p_value, one.p_alone) < 0.05 for one in told]))
            found[writer] = passed, forgetful(held, placed.vectors, rng)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = articles()
    print(
        "| what is dealt | writer | passes | if the test forgot the choice of picks | runs |\n|---|---|---:|---:|---:|"
    )
    for name, (blocks, n_groups) in CASES.items():
        if asked.only not in name:
            continue
        found = defaultdict(list)
        for seed in range(asked.runs):
            for writer, passed in run(rows, blocks, n_groups, seed).items():
                found[writer].append(passed)
        for writer, passed in found.items():
            ours, theirs = np.mean(passed, axis=0)
            print(f"| {name} | {writer} | {100 * ours:.1f} % | {100 * theirs:.1f} % | {len(passed)} |", flush=True)


if __name__ == "__main__":
    main()
