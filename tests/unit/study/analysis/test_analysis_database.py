from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from visavis.cli.study_analyze import analyze as command
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter
from visavis.study.records import Judgement, Material

pytest.importorskip("sqlalchemy")

WORDS = {"red": "ruby crimson scarlet apple blood rose", "blue": "ocean sky sea navy water sapphire"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from visavis.study.design.plan import StudyPlan
    from visavis.study.design.run import design_study
    from visavis.study.store import open_store
    from visavis.study.store.designs import save_design

    documents = []
    for color, words in WORDS.items():
        pool = words.split()
        for k in range(30):
            text = f"{pool[k % 6]} {pool[(k // 2) % 6]} {pool[(k // 5) % 6]} number {k} of many {color * (k % 2)}."
            documents.append({"id": f"{color}{k}", "title": f"{pool[k % 6]} {k}", "text": text, "color": color})
    plan = StudyPlan(by="color", methods=("kmeans", "mmd-diff-greedy"), size=2, embedder="glove", min_accuracy=0.0)
    path = tmp_path_factory.mktemp("study") / "study.db"
    store = open_store(path, create=True)
    save_design(store, design_study(documents, plan))
    store.close()
    return path


def answers(material: Material) -> list[Judgement]:
    """What four workers might have said of six test articles of each method's pair."""
    found = []
    for shown in material.shown:
        own = [name for name in material.test if material.groups[name] in shown.pair][:6]
        for place, name in enumerate(own):
            truth = material.groups[name]
            wrong = next(group for group in shown.pair if group != truth)
            found += [
                Judgement(name, shown.method, shown.pair, str(w), wrong if w > place else truth, truth, article=name)
                for w in range(4)
            ]
    return found


def test_an_unanswered_study_says_so(study: Path) -> None:
    run = CliRunner().invoke(command, [str(study), "--json"])
    assert isinstance(run.exception, InvalidParameter)
    assert "no judgement can be counted (0 gold, 0 excluded)" in str(run.exception)


def test_answers_in_a_database_are_analyzed_next_to_classifiers(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from visavis.study.store import judgements, open_store

    store = open_store(study)
    given = answers(judgements.material(store))
    store.close()
    assert len(given) == 48
    monkeypatch.setattr(judgements, "judgements", lambda _: given)
    run = CliRunner().invoke(command, [str(study)])
    assert run.exit_code == 0, run.output
    assert "An SVM trained on the same picks" in run.stdout
    assert "An SVM that sees all the training part reaches a mean balanced accuracy of" in run.stdout
    assert "svm, whole test set: kmeans" in run.stdout
    found = json.loads(CliRunner().invoke(command, [str(study), "--json"]).stdout)
    assert found["contradicted"] == 0
    assert found["planned"] == 6 * 2 * 3
    assert [(one["name"], one["correct"], one["judgements"]) for one in found["readings"][0]["methods"]] == [
        ("kmeans", 18, 24), ("mmd-diff-greedy", 18, 24),
    ]  # fmt: skip


def test_json_alone_needs_no_classifiers_and_an_export_of_everything_is_refused_clearly(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from visavis.study.fieldwork.export import as_jsonl
    from visavis.study.store import judgements, open_store

    store = open_store(study)
    given = answers(judgements.material(store))
    (tmp_path / "all.jsonl").write_text(as_jsonl(store), encoding="utf-8")
    store.close()
    monkeypatch.setattr(judgements, "judgements", lambda _: given)
    monkeypatch.setattr(judgements, "material", None)
    run = CliRunner().invoke(command, [str(study), "-o", str(tmp_path / "r.json")])
    assert run.exit_code == 0, run.output
    run = CliRunner().invoke(command, [str(tmp_path / "all.jsonl"), "--json"])
    assert isinstance(run.exception, Unreadable)
    assert "analyze its .csv export or its database" in str(run.exception)
