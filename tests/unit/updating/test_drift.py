"""A drift of the embedding is noticed, and no drift is not."""

import numpy as np

from unit.updating.updates import article, articles, step
from visavis.embed.tfidf import Tfidf
from visavis.report.text import percent
from visavis.updating.documents import Item
from visavis.updating.drift import find_drift


def test_more_of_the_same_is_no_drift():
    state, _ = step(None, articles(range(150)))
    _, summary = step(state, articles(range(150, 200)))
    drift = summary.changes.drift
    assert abs(drift.known - drift.usual_known) < 0.03
    assert drift.warning == ""
    assert summary.warnings == ()


def test_other_words_are_a_drift_with_a_figure_and_advice():
    state, _ = step(None, articles(range(150)))
    strange = [{**article(n, "left"), "text": article(n, "up")["text"]} for n in range(200, 240)]
    _, summary = step(state, strange)
    drift = summary.changes.drift
    assert drift.known < drift.usual_known - 0.1
    assert f"{percent(drift.known)} of their words are known" in drift.warning
    assert "make a new state" in drift.warning
    assert drift.warning in summary.warnings


def test_a_handful_says_nothing():
    state, _ = step(None, articles(range(60)))
    _, summary = step(state, [article(n, "up") for n in range(200, 204)])
    assert summary.changes.drift.warning == ""


def item(vector, batch):
    return Item(None, "", batch, vector=vector)


def test_vectors_that_lie_far_out_are_a_drift_where_words_cannot_tell():
    rng = np.random.default_rng(0)
    first = [item(vector, 1) for vector in rng.normal(size=(100, 4))]
    near = [item(vector, 2) for vector in rng.normal(size=(40, 4))]
    far = [item(vector, 2) for vector in 2.0 * rng.normal(size=(40, 4))]
    assert find_drift([*first, *near], range(100, 140), np.zeros(4)).warning == ""
    told = find_drift([*first, *far], range(100, 140), np.zeros(4))
    assert "farther from the center" in told.warning
    assert told.distance > told.usual_distance


def test_what_would_be_known_without_a_text_is_what_is_known_of_another():
    """The share of words known, of texts that were fitted on, is that of texts that were not: on the average."""
    rng = np.random.default_rng(0)
    texts = [" ".join(f"word{rank}" for rank in np.minimum(rng.zipf(1.3, 40), 10**6)) for _ in range(300)]
    fitted = Tfidf().fit(texts[:150])
    inside, outside = fitted.coverage(texts[:150], fitted_on=True), fitted.coverage(texts[150:])
    assert abs(inside.mean() - outside.mean()) < 0.015
    assert fitted.coverage(texts[:150]).mean() > inside.mean() + 0.02
    assert np.isnan(fitted.coverage(["", "…"])).all()
