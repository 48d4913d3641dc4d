from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import require
from unit.study import studies
from visavis.cli.study import study as command
from visavis.comparing.prepare import WEIGHTS
from visavis.errors import InvalidParameter, TooFewDocuments, UnknownName
from visavis.records import Document
from visavis.study import gold
from visavis.study.design import articles
from visavis.study.design.experiment import PairExperiment, best_pairs, split
from visavis.study.design.plan import StudyPlan, read_pairs
from visavis.study.design.run import StudyDesign, all_questions, design_study
from visavis.study.gold import read_golds, to_json
from visavis.study.store import designs
from visavis.study.store.designs import write_design

TOPICS = {
    "January": "river flood dam water rain levee boat storm drain bridge",
    "February": "piano opera violin concert singer stage orchestra melody tune chorus",
    "March": "goal football striker keeper match league referee stadium coach penalty",
    "April": "planet telescope orbit rocket comet lunar galaxy star launch probe",
}


@pytest.fixture(scope="module")
def documents() -> list[dict[str, str]]:
    rng = random.Random(1)
    rows = []
    for month, (name, words) in enumerate(TOPICS.items(), 1):
        for number in range(30):
            chosen = rng.sample(words.split(), 6)
            day = rng.randint(1, 28)
            text = (
                f"The {chosen[0]} and the {chosen[1]} met the {chosen[2]}. Then came {chosen[3]} {number} {chosen[4]}."
            )
            if number == 0:
                text += f" It was {name} 2020."
            row = {"id": f"{month}-{number}", "title": f"{chosen[5].title()} {number * 7 + month}", "text": text}
            row |= {"published": f"2020-{month:02d}-{day:02d}", "url": f"https://secret.example/{month}"}
            rows.append(row)
    return rows


def plan(**told: object) -> StudyPlan:
    chosen = {"by": "published:month", "methods": ("kmeans", "mmd-diff-greedy"), "size": 3, "top": 2, **told}
    return StudyPlan(**chosen)


@pytest.fixture(scope="module")
def designed(documents: list[dict[str, str]]) -> StudyDesign:
    return design_study(documents, plan())


def test_people_are_shown_a_number_of_sentences():
    assert StudyPlan(by="side").lead == 3
    with pytest.raises(InvalidParameter, match="the sentences that people read"):
        StudyPlan(by="side", lead="auto")


def test_no_test_article_is_ever_a_prototype_whatever_the_pair(designed: StudyDesign) -> None:
    asked = {row for sheets in designed.asked.values() for sheet in sheets for row in sheet}
    picked = {row for found in designed.picks.values() for rows in found.rows.values() for row in rows}
    assert asked
    assert picked
    assert not asked & picked
    assert asked <= set(designed.articles.parts.test.tolist())
    assert picked <= set(designed.articles.parts.train.tolist())


def test_the_split_takes_a_fifth_of_every_group() -> None:
    codes = np.repeat([0, 1, 2], [50, 10, 5])
    train, test = split(codes, 0.2, np.random.default_rng(0))
    assert np.bincount(codes[test]).tolist() == [10, 2, 1]
    assert sorted([*train, *test]) == list(range(65))


def test_each_pair_has_six_questions_with_two_of_each_group_shared_by_all_methods(designed: StudyDesign) -> None:
    codes = designed.articles.parts.codes
    for pair, sheets in designed.asked.items():
        rows = [row for sheet in sheets for row in sheet]
        assert [len(sheet) for sheet in sheets] == [3, 3]
        assert len(set(rows)) == 6
        counts = [int(np.sum(codes[rows] == code)) for code in pair]
        assert min(counts) >= 2
        assert sum(counts) == 6


def asked_rows(designed: StudyDesign, **options: object) -> dict[tuple[int, int], list[int]]:
    """The rows asked about in all pairs of groups."""
    chosen = plan(**options)
    found = all_questions(PairExperiment(designed.articles.parts, chosen), list(combinations(range(4), 2)), chosen)
    return {pair: [row for sheet in sheets for row in sheet] for pair, sheets in found.items()}


def test_uniform_sampling_may_leave_a_group_short(designed: StudyDesign) -> None:
    codes = designed.articles.parts.codes
    least = {"uniform": 3, "balanced": 3}
    for sampling, seed in product(least, range(12)):
        for pair, rows in asked_rows(designed, sampling=sampling, seed=seed).items():
            counts = [int(np.sum(codes[rows] == code)) for code in pair]
            least[sampling] = min(least[sampling], *counts)
    assert least["uniform"] < least["balanced"] == 2


def test_an_article_is_asked_about_in_a_second_pair_only_where_there_is_no_other(designed: StudyDesign) -> None:
    n_tested = len(designed.articles.parts.test)
    rows = asked_rows(designed)
    times = Counter(row for of_pair in rows.values() for row in of_pair)
    assert (len(times), n_tested, sum(times.values())) == (24, 24, 36)
    assert set(times.values()) == {1, 2}
    assert designed.report["workload"]["workers"] == designed.report["workload"]["least"]


def test_no_group_is_asked_about_more_than_the_others_in_the_long_run(designed: StudyDesign) -> None:
    codes, leans = designed.articles.parts.codes, []
    for seed in range(60):
        rows = asked_rows(designed, seed=seed)[0, 3]
        leans.append(int(np.sum(codes[rows] == 3)) - 3)
    assert abs(np.mean(leans)) < 0.35
    assert min(leans) < 0 < max(leans)


def test_pairs_are_the_union_of_each_methods_best_and_reach_the_floor() -> None:
    scores = {"a": {(0, 1): 0.9, (0, 2): 0.8, (1, 2): 0.7}, "b": {(0, 1): 0.6, (0, 2): 0.64, (1, 2): 0.95}}
    assert best_pairs(scores, 1, 0.65) == ((0, 1), (1, 2))
    assert best_pairs(scores, None, 0.65) == ((0, 1), (0, 2), (1, 2))
    assert best_pairs(scores, 2, 0.92) == ((1, 2),)


def test_a_corpus_nobody_can_tell_apart_is_refused(documents: list[dict[str, str]]) -> None:
    with pytest.raises(InvalidParameter, match="lower --min-accuracy"):
        design_study([{**row, "published": f"2020-0{k % 4 + 1}-01"} for k, row in enumerate(documents)],
                     plan(min_accuracy=0.99, seed=3))  # fmt: skip


def test_too_few_documents_are_refused(documents: list[dict[str, str]]) -> None:
    with pytest.raises(TooFewDocuments, match="make groups larger"):
        design_study(documents[::8], plan())


def test_the_same_seed_designs_the_same_study(documents: list[dict[str, str]], designed: StudyDesign) -> None:
    again = design_study(documents, plan())
    assert again.asked == designed.asked
    assert {k: v.rows for k, v in again.picks.items()} == {k: v.rows for k, v in designed.picks.items()}
    assert again.id != designed.id


def test_automatic_accuracy_is_there_for_every_pair_method_classifier_and_scope(designed: StudyDesign) -> None:
    found = {(pair, method, classifier, scope) for pair, method, classifier, scope, _ in designed.automatic}
    wanted = {(p, m, c, s) for p in designed.asked for m in ("kmeans", "mmd-diff-greedy") for c in ("svm", "1-nn")
              for s in ("test", "questions")}  # fmt: skip
    assert found == wanted | {(pair, "", "svm", "test") for pair in designed.asked}
    assert all(0 <= value <= 1 for *_, value in designed.automatic)


def test_workers_read_title_and_lead_and_nothing_else(designed: StudyDesign) -> None:
    for text, document in zip(designed.articles.texts, designed.articles.documents, strict=True):
        assert text.title == document.title
        assert "secret.example" not in text.lead
        assert not text.lead.startswith(text.title)


def test_giveaways_are_counted_and_gone_when_dates_are_masked(documents: list[dict[str, str]]) -> None:
    telling = [{**row, "text": f"In January 2020 and in {row['published']}. {row['text']}"} for row in documents]
    open_report = design_study(telling, plan(boilerplate="keep")).report["gives_away"]
    masked = design_study(telling, plan(mask_dates=True, boilerplate="keep")).report["gives_away"]
    assert open_report["name"] + open_report["date"] == open_report["texts"] > 0
    assert masked["name"] == masked["date"] == masked["year"] == 0
    assert masked["before_masking"] == {how: open_report[how] for how in ("name", "date", "year", "another")}
    assert "before_masking" not in open_report


def test_golds_are_read_from_every_format_and_too_few_are_refused(
    tmp_path: Path, documents: list[dict[str, str]]
) -> None:
    golds = [studies.gold(number, 3) for number in range(8)]
    (tmp_path / "g.json").write_text("[" + ",".join(map(to_json, golds)) + "]")
    (tmp_path / "g.jsonl").write_text("\n".join(map(to_json, golds)))
    rows = ["gold,part,title,lead,answer"]
    for number, one in enumerate(golds):
        rows += [
            f"{number},{side},{text.title},{text.lead}," for side in ("left", "right") for text in getattr(one, side)
        ]
        rows += [f"{number},question,{q.text.title},{q.text.lead},{q.answer}" for q in one.questions]
    (tmp_path / "g.csv").write_text("\n".join(rows))
    assert read_golds(tmp_path / "g.json") == read_golds(tmp_path / "g.jsonl") == read_golds(tmp_path / "g.csv")
    with pytest.raises(InvalidParameter, match="at least 8"):
        design_study(documents, plan(), golds[:7])
    assert len(design_study(documents, plan(few_golds=True), golds[:7]).golds) == 7


def test_an_untitled_document_is_headed_by_its_first_sentence() -> None:
    document = Document(id="1", text="The U.S. Army won. It was late. Nobody slept. The end.")
    assert articles.shown_text(document, plan()) == gold.Text("The U.S. Army won.", "It was late. Nobody slept.")


def test_the_plan_refuses_what_cannot_be() -> None:
    with pytest.raises(UnknownName, match="kmeans"):
        plan(methods=("k-means",))
    with pytest.raises(InvalidParameter, match="multiple of 3"):
        plan(questions=5)
    with pytest.raises(InvalidParameter, match="distinct"):
        plan(methods=("kmeans", "kmeans"))
    with pytest.raises(InvalidParameter, match="top:N"):
        read_pairs("best")
    assert (read_pairs("top:10"), read_pairs("all")) == (10, None)


def test_documents_are_named_as_everywhere_and_sentences_is_an_older_name_for_the_lead() -> None:
    assert plan(sentences=1) == plan(lead=1) != plan()
    assert plan(only="2020-01", columns={"text": "story"}).reading.columns == {"text": "story"}
    assert plan(versus="2020-01").grouping.versus == "2020-01"
    assert plan(embedder="glove").describe()["embedder"] == "glove"
    with pytest.raises(InvalidParameter, match="lead"):
        plan(sentences=-1)
    with pytest.raises(InvalidParameter, match="say what to compare by"):
        design_study([], plan(by=None))


def test_vectors_may_be_given_and_weights_are_said_to_play_no_part(documents: list[dict[str, str]]) -> None:
    rng = np.random.default_rng(0)
    telling = [
        {**row, "weight": 1 + k % 2, "vector": (np.eye(12)[int(row["published"][5:7]) - 1] + rng.normal(size=12) / 9)}
        for k, row in enumerate(documents)
    ]
    telling[0]["vector"], telling[1]["weight"] = None, 0
    found = design_study(telling, plan(embedder="column:vector"))
    assert found.articles.parts.vectors.shape == (len(documents) - 2, 12)
    assert found.report["notes"] == [
        "1 documents left out: no vector was given", "1 documents left out: weight of 0", WEIGHTS,
    ]  # fmt: skip


def test_the_command_designs_reports_and_refuses_to_overwrite(tmp_path: Path, documents: list[dict[str, str]]) -> None:
    corpus, out = tmp_path / "c.jsonl", tmp_path / "study.db"
    corpus.write_text("\n".join(map(json.dumps, documents)))
    words = ["design", str(corpus), "--by", "published:month", "--methods", "kmeans,mmd-diff-greedy", "--out", str(out)]
    run = CliRunner().invoke(command, [*words, "--json"])
    assert run.exit_code == 0, run.output
    report = json.loads(run.output)
    assert report["questions"] == 6 * len(report["pairs"])
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("study")] == ["study.db"]
    again = CliRunner().invoke(command, words)
    assert isinstance(again.exception, InvalidParameter)
    lost = CliRunner().invoke(command, [*words[:-1], str(tmp_path / "nowhere" / "x.db")])
    assert isinstance(lost.exception, InvalidParameter)
    assert "no folder" in str(lost.exception)
    few = CliRunner().invoke(command, [*words[:-1], str(tmp_path / "few.db"), "--few-golds"])
    assert "gold questionnaires: 0; nobody is asked before there are 3" in few.output
    golds = tmp_path / "g.jsonl"
    golds.write_text("\n".join(to_json(studies.gold(number)) for number in range(8)))
    run = CliRunner().invoke(command, ["gold", "import", str(out), str(golds), "--json"])
    assert json.loads(run.output) == {"added": 8, "golds": 8}


def test_months_of_real_news_become_a_study(data_folder: Path) -> None:
    import gzip

    path = data_folder / "news" / "articles_lead.jsonl.gz"
    require(path.is_file(), str(path))
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["topic"] == "immigration" and row["date"][:4] == "2018":
                rows.append(row)
    require(len(rows) >= 200, "a year of news on immigration")
    found = design_study(rows, StudyPlan(by="date:quarter", methods=("kmeans", "mmd-diff-greedy"), min_accuracy=0.5))
    assert found.report["pairs_possible"] >= 3
    assert found.report["questions"] == 6 * len(found.asked)


def test_a_design_is_written_whole_or_not_at_all(
    designed: StudyDesign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new.db"
    with monkeypatch.context() as patched:
        patched.setattr(designs, "_save_pairs", lambda *_: (_ for _ in ()).throw(RuntimeError("half way")))
        with pytest.raises(RuntimeError, match="half way"):
            write_design(designed, str(target))
    assert list(tmp_path.iterdir()) == []
    write_design(designed, str(target))
    assert [path.name for path in tmp_path.iterdir()] == ["new.db"]
    with pytest.raises(InvalidParameter, match="exists already"):
        write_design(designed, str(target))
    with pytest.raises(InvalidParameter, match="there is no folder"):
        write_design(designed, str(tmp_path / "nowhere" / "x.db"))
