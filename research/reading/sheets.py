"""Make sheets for blind readers, and turn their answers into judgements.

    python -m research.reading.sheets make FOLDER PICKS.json PAIRS.csv SHEETS KEYS [--per-sheet 24]
    python -m research.reading.sheets collect SHEETS KEYS JUDGEMENTS.csv

PAIRS.csv has the columns comparison, candidate, against. Each pair is read twice, with its sides swapped, on sheets in
another order. Who won is nowhere on a sheet: the keys lie in a folder that readers are not shown. Pairs with the same
picks are not read.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

OPENING_WORDS = 110  # of each pick on a sheet
MIDDLE_WORDS = 40  # more of long documents, from their middle
DENSE_LETTERS_A_WORD = 2.5  # in scripts without blanks
SAMPLE = 8  # documents of each group drawn at random, so that a reader sees what the group is like
SAMPLE_WORDS = 16
SAMPLE_LETTERS = 140

TASK = """# {count} pairs of summaries

You are an experienced news editor. Each pair below is about one comparison of two groups of documents. Two tools have
each picked up to four documents a group. Which summary would you rather give to a reader who wants to know *what each
group is about, and how the two groups differ*? The picks should represent their group (its main stories or concerns,
with breadth) and tell it apart from the other. Against a summary speak picks that are off the subject of their group,
empty, garbled or that nobody can understand without context, two picks of one group on one and the same event, one
narrow theme for a whole group, and picks that would fit both groups alike.

Judge every pair alone, by reading both summaries whole. There are no ties. Do not look for patterns across pairs, do
not use programs to decide, and open no other files.

Write one JSON object a line to the answer file you were given, one for each pair, in this form:
{{"pair": 7, "better": 1, "reason": "at most 30 words", "odd": ["1/A/3"], "same_event": ["2/B/1+4"]}}
`better` is 1 or 2. `odd` lists picks (summary/group/number) that a reader would wonder to see among four that stand for
their group; `same_event` pairs of picks of one group on one and the same event or story. Both lists may be empty.
"""


@dataclass(frozen=True)
class Judgement:
    """What one reader said of one pair."""

    comparison: str
    candidate: str
    against: str
    reader: int
    summary_1: str
    summary_2: str
    better: str
    reason: str
    odd: str
    same_event: str


def shorten(text: str) -> str:
    """The beginning of a text, and a piece of its middle if it is long."""
    words = text.split()
    if len(text) > 20 * len(words):  # a script without blanks
        step = int(OPENING_WORDS * DENSE_LETTERS_A_WORD)
        return text if len(text) <= 1.4 * step else f"{text[:step]} […] {text[len(text) // 2 :][: step // 3]} […]"
    beginning = " ".join(words[:OPENING_WORDS])
    if len(words) <= OPENING_WORDS + MIDDLE_WORDS:
        return " ".join(words)
    middle = len(words) // 2
    piece = " ".join(words[max(OPENING_WORDS, middle) : max(OPENING_WORDS, middle) + MIDDLE_WORDS])
    return f"{beginning} […] {piece} […]"


def read_documents(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a comparison's CSV by id."""
    csv.field_size_limit(10**9)
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def sketch(about: str, documents: dict[str, dict[str, str]], groups: list[str], rng: random.Random) -> str:
    """What the comparison is, with some openings of each group drawn at random."""
    lines = [f"*{about}*"]
    for letter, group in zip("AB", groups, strict=True):
        inside = [row for row in documents.values() if row["group"] == group]
        drawn = rng.sample(inside, min(SAMPLE, len(inside)))
        whole = [f"{row['title']}: {row['text']}".lstrip(": ") for row in drawn]
        openings = " | ".join(" ".join(text.split()[:SAMPLE_WORDS])[:SAMPLE_LETTERS] for text in whole)
        lines.append(f"Group {letter} is “{group}”, {len(inside)} documents. Openings drawn at random: {openings}")
    return "\n\n".join(lines)


def show(number: int, picks: dict[str, list[str]], documents: dict[str, dict[str, str]]) -> str:
    """One summary as a reader sees it."""
    lines = [f"### Summary {number}"]
    for letter, (group, ids) in zip("AB", picks.items(), strict=True):
        lines.append(f"**Group {letter} ({group})**")
        for place, name in enumerate(ids, 1):
            row = documents[name]
            title = f"*{row['title']}* — " if row["title"] else ""
            lines.append(f"{number}/{letter}/{place}. {title}{shorten(row['text'])}")
    return "\n\n".join(lines)


def make(arguments: argparse.Namespace) -> None:
    """Write the sheets of both readers, and their keys."""
    picks = json.loads(Path(arguments.picks).read_text("utf-8"))
    with Path(arguments.pairs).open(encoding="utf-8", newline="") as file:
        rows = [(row["comparison"], row["candidate"], row["against"]) for row in csv.DictReader(file)]
    pairs = [(name, one, other) for name, one, other in rows if not is_same(picks[name][one], picks[name][other])]
    sheets, keys = Path(arguments.sheets), Path(arguments.keys)
    sheets.mkdir(parents=True, exist_ok=True)
    keys.mkdir(parents=True, exist_ok=True)
    for reader in (1, 2):
        rng = random.Random(f"{arguments.seed} {reader}")
        order = rng.sample(pairs, len(pairs))
        n_sheets = max(1, -(-len(order) // arguments.per_sheet))
        for sheet in range(n_sheets):
            part, name = order[sheet::n_sheets], f"reader{reader}-sheet{sheet + 1:02}"
            body, key = [TASK.format(count=len(part))], []
            for number, pair in enumerate(part, 1):
                written, entry = _write_pair(arguments, picks, number, pair, reader, rng)
                body.append(written)
                key.append(entry)
            record = {"reader": reader, "pairs": key}
            (sheets / f"{name}.md").write_text("".join(body), "utf-8")
            (keys / f"{name}.json").write_text(json.dumps(record, ensure_ascii=False, indent=1), "utf-8")
    print(f"{len(pairs)} pairs to be read, twice each")


def _write_pair(
    arguments: argparse.Namespace,
    picks: dict[str, Any],
    number: int,
    pair: tuple[str, str, str],
    reader: int,
    rng: random.Random,
) -> tuple[str, dict[str, Any]]:
    """One pair as a reader sees it, and its key."""
    comparison, candidate, against = pair
    path = Path(arguments.folder) / f"{comparison}.csv"
    documents, about = read_documents(path), json.loads(path.with_suffix(".json").read_text("utf-8"))["about"]
    first = random.Random(f"{arguments.seed} {' '.join(pair)}").random() < 0.5
    sides = (candidate, against) if first == (reader == 1) else (against, candidate)
    groups = sorted(picks[comparison][candidate])
    summaries = []
    for side in sides:
        own = picks[comparison][side]
        summaries.append({group: rng.sample(own[group], len(own[group])) for group in groups})
    sketched = sketch(about, documents, groups, random.Random(comparison))
    first_summary, second_summary = (show(place, summary, documents) for place, summary in enumerate(summaries, 1))
    written = f"\n\n---\n\n## Pair {number}\n\n{sketched}\n\n{first_summary}\n\n{second_summary}"
    names = {"comparison": comparison, "candidate": candidate, "against": against}
    return written, {"pair": number, **names, "sides": sides, "shown": summaries}


def is_same(one: dict[str, list[str]], other: dict[str, list[str]]) -> bool:
    """Whether two configurations picked the same documents."""
    return all(set(one[group]) == set(other[group]) for group in one)


def collect(arguments: argparse.Namespace) -> None:
    """Read all answers, and write what each reader said of each pair, with picks by id."""
    judgements: list[Judgement] = []
    for path in sorted(Path(arguments.keys).glob("*.json")):
        key = json.loads(path.read_text("utf-8"))
        answered = Path(arguments.sheets) / f"{path.stem}.answers.jsonl"
        lines = answered.read_text("utf-8").splitlines() if answered.exists() else []
        answers = {int(row["pair"]): row for row in map(json.loads, filter(str.strip, lines))}
        for pair in key["pairs"]:
            if pair["pair"] in answers:
                judgements.append(_judgement(key["reader"], pair, answers[pair["pair"]]))
            else:
                print(f"{path.stem}: no answer for pair {pair['pair']}")
    judgements.sort(key=lambda one: (one.comparison, one.candidate, one.against, one.reader))
    with Path(arguments.judgements).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Judgement.__dataclass_fields__))
        writer.writeheader()
        writer.writerows(map(asdict, judgements))
    print(f"{len(judgements)} judgements")


def _judgement(reader: int, pair: dict[str, Any], answer: dict[str, Any]) -> Judgement:
    marks = {
        column: " ".join(
            filter(None, (_name_pick(mark, pair["shown"], pair["sides"]) for mark in answer.get(column, [])))
        )
        for column in ("odd", "same_event")
    }
    return Judgement(
        comparison=pair["comparison"],
        candidate=pair["candidate"],
        against=pair["against"],
        reader=reader,
        summary_1=pair["sides"][0],
        summary_2=pair["sides"][1],
        better=pair["sides"][int(answer["better"]) - 1],
        reason=answer.get("reason", ""),
        **marks,
    )


def _name_pick(mark: str, shown: list[dict[str, list[str]]], sides: list[str]) -> str:
    """ "1/A/3" as the configuration's side and the document's id; empty for what cannot be read."""
    match = re.fullmatch(r"\s*([12])/([AB])/(\d)(?:\+(?:[12]/[AB]/)?(\d))?(?:\+(?:[12]/[AB]/)?(\d))?\s*", mark)
    if match is None:
        return ""
    side, letter, *places = match.groups()
    ids = list(shown[int(side) - 1].values())["AB".index(letter)]
    names = [ids[int(place) - 1] for place in places if place and int(place) <= len(ids)]
    return f"{sides[int(side) - 1].replace(' ', '_')}:{'+'.join(names)}"


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    for name in ("folder", "picks", "pairs", "sheets", "keys"):
        making.add_argument(name)
    making.add_argument("--per-sheet", type=int, default=24)
    making.add_argument("--seed", default="reading")
    making.set_defaults(work=make)
    collecting = commands.add_parser("collect")
    for name in ("sheets", "keys", "judgements"):
        collecting.add_argument(name)
    collecting.set_defaults(work=collect)
    arguments = parser.parse_args()
    arguments.work(arguments)


if __name__ == "__main__":
    main()
