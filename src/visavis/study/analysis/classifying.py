"""Classifiers on the task that people were given: trained on the picks alone, and on all the training part."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from visavis.corpus import read_corpus
from visavis.corpus.lead import lead_text
from visavis.embed import DEFAULT_EMBEDDER, create_embedder
from visavis.embed.cache import embed_cached
from visavis.errors import InvalidParameter
from visavis.kernel import resolve_width
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Floats
from visavis.study.analysis.counting import Judgements
from visavis.study.analysis.results import ClassifierResults, PairScore
from visavis.study.classifiers import CLASSIFIERS, predict
from visavis.study.records import Material, Pair, ShownPicks

ABOUT = (
    "Classifiers{vectors}: 1-NN, and an SVM (RBF, groups balanced, C = 10, γ = 1 / median squared distance), trained "
    "on the picks shown; balanced accuracy on the whole test set, plain accuracy on the articles that people judged."
)
Question = tuple[str, str]  # an article and its group


def material_of(
    articles: str | os.PathLike[str], shown: Sequence[ShownPicks], embedder: str = DEFAULT_EMBEDDER
) -> Material:
    """The vectors of the articles of a file (id, title, text); what must be fitted is fitted on the picks alone."""
    documents = read_corpus(articles).documents
    picked = {name for each in shown for names in each.picks.values() for name in names}
    fit_on = np.array([row for row, document in enumerate(documents) if document.id in picked], dtype=np.intp)
    if not len(fit_on):
        raise InvalidParameter(
            f"{os.fspath(articles)!r} holds none of the articles that were shown; give the right file"
        )
    texts = [lead_text(document) for document in documents]
    embedded = embed_cached(create_embedder(embedder), texts, fit_on)
    rows = {documents[place].id: row for row, place in enumerate(embedded.kept.tolist())}
    groups = {name: group for each in shown for group, names in each.picks.items() for name in names}
    return Material(embedded.vectors.astype(np.float64), rows, groups, tuple(shown))


def classify_questions(judgements: Judgements, material: Material, embedding: str = "") -> ClassifierResults | None:
    """1-NN and SVM for each method and pair of groups whose picks have vectors; None where there is none.

    The SVM is RBF, class-balanced, C = 10, γ = 1 / median squared distance within the pair's training part (all
    articles that were shown, where that part is not known).
    """
    gammas = {pair: _gamma(material, pair) for pair in judgements.pairs}
    asked = _questions(judgements)
    scores: list[PairScore] = []
    for shown in material.shown:
        pair = next((pair for pair in judgements.pairs if set(pair) == set(shown.pair)), None)
        questions = asked.get((shown.method, frozenset(shown.pair)), ())
        examples = [(name, group) for group, names in shown.picks.items() for name in names]
        if pair is None or not questions or not _has(material, [*examples, *questions]):
            continue
        for judge, told in _classify(material, examples, questions, gammas[pair]).items():
            right = [group == truth for group, (_, truth) in zip(told, questions, strict=True)]
            scores.append(PairScore(judge, "same", shown.method, pair, float(np.mean(right))))
        scores += _on_whole(material, shown.method, pair, examples, gammas[pair])
    about = ABOUT.format(vectors=f" on {embedding} vectors of title and lead" if embedding else "")
    return ClassifierResults(tuple(scores), _ceiling(material, gammas), about) if scores else None


def _questions(judgements: Judgements) -> dict[tuple[str, frozenset[str]], tuple[Question, ...]]:
    """The test articles that people judged, by method and pair."""
    found: dict[tuple[str, frozenset[str]], dict[str, Question]] = {}
    for judgement in judgements.counted:
        asked = found.setdefault((judgement.method, frozenset(judgement.pair)), {})
        asked[judgement.question] = (judgement.article or judgement.question, judgement.truth)
    return {key: tuple(asked.values()) for key, asked in found.items()}


def _gamma(material: Material, pair: Pair) -> float:
    trained = _part(material, material.train, pair)
    vectors = _take(material, trained) if trained else material.vectors
    documents = DocumentVectors(vectors, np.arange(len(vectors)))
    return resolve_width("median", "rbf", documents, np.ones(len(vectors)))


def _has(material: Material, questions: Iterable[Question]) -> bool:
    return all(name in material.rows for name, _ in questions)


def _take(material: Material, questions: Sequence[Question]) -> Floats:
    taken: Floats = material.vectors[[material.rows[name] for name, _ in questions]]
    return taken


def _classify(
    material: Material, examples: Sequence[Question], questions: Sequence[Question], gamma: float
) -> dict[str, list[str]]:
    """What each classifier says of the questions."""
    return {name: _told(name, material, examples, questions, gamma) for name in CLASSIFIERS}


def _told(
    classifier: str, material: Material, examples: Sequence[Question], questions: Sequence[Question], gamma: float
) -> list[str]:
    groups = np.array([group for _, group in examples])
    said = predict(classifier, _take(material, examples), groups, _take(material, questions), gamma)
    return [str(group) for group in said]


def _part(material: Material, names: Iterable[str], pair: Pair) -> list[Question]:
    """The articles of a part of the corpus that belong to a pair and have a vector."""
    groups = ((name, material.groups.get(name, "")) for name in names if name in material.rows)
    return [(name, group) for name, group in groups if group in pair]


def _on_whole(
    material: Material, method: str, pair: Pair, examples: Sequence[Question], gamma: float
) -> list[PairScore]:
    questions = _part(material, material.test, pair)
    if not questions:
        return []
    truth = [group for _, group in questions]
    told = _classify(material, examples, questions, gamma)
    return [PairScore(judge, "whole", method, pair, _balanced(truth, answers)) for judge, answers in told.items()]


def _balanced(truth: Sequence[str], told: Sequence[str]) -> float:
    """The mean over the groups among the questions of the share of theirs that was recognized."""
    shares = [np.mean([t == g for t, g in zip(told, truth, strict=True) if g == group]) for group in sorted(set(truth))]
    return float(np.mean(shares))


def _ceiling(material: Material, gammas: Mapping[Pair, float]) -> float | None:
    """The mean over pairs of the balanced accuracy of an SVM that sees all the training part."""
    found = []
    for pair, gamma in gammas.items():
        examples, questions = _part(material, material.train, pair), _part(material, material.test, pair)
        if examples and questions:
            told = _told("svm", material, examples, questions, gamma)
            found.append(_balanced([group for _, group in questions], told))
    return float(np.mean(found)) if found else None
