from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import visavis
import visavis.report
from unit.comparisons import PLACES, ROWS, STORIES, compare, ids, rows
from visavis.comparing.options import CompareOptions, make_options
from visavis.errors import InvalidParameter, UnknownName, VisavisError
from visavis.explain import difference, holdout
from visavis.select import METHODS, objective_value
from visavis.select.methods import Baseline
from walking import walk

pytestmark = [pytest.mark.filterwarnings("error::RuntimeWarning"), pytest.mark.usefixtures("brief_assessment")]


@pytest.fixture(scope="module")
def plain():
    return compare()


def test_a_comparison_names_groups_sizes_and_picks_of_the_right_group(plain):
    places = {row["id"]: row["place"] for row in ROWS}
    assert [(group.name, group.n_documents) for group in plain.groups] == [(place, 12) for place in PLACES]
    for name, picks in ids(plain).items():
        assert len(set(picks)) == 2
        assert {places[pick] for pick in picks} == {name}
    assert [pick.rank for pick in plain["east"]] == [1, 2]
    assert (plain.seed, plain.version, plain.method) == (0, visavis.__version__, "mmd-diff-greedy")
    with pytest.raises(KeyError, match="'north'"):
        _ = plain["south"]


@pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup")
@pytest.mark.parametrize("method", list(METHODS))
def test_shares_add_up_gains_telescope_and_losses_are_differences_for_every_method(method):
    summary = compare(method=method, contrast=0.3, size=3)
    vectors = np.array([row["vector"] for row in ROWS], np.float32)
    groups = [row["place"] for row in ROWS]
    place = {row["id"]: n for n, row in enumerate(ROWS)}
    row = METHODS[method]
    told = {"objective": row.score if isinstance(row, Baseline) else row.objective, "contrast": 0.3}
    picks = [pick for group in summary.groups for pick in group.picks]
    chosen = [place[pick.document.id] for pick in picks]
    values = objective_value(vectors, groups, chosen, **told)
    nothing = objective_value(vectors, groups, [], **told)
    whole = sum(values.values())
    for group in summary.groups:
        assert group.value == pytest.approx(values[group.name], rel=1e-6, abs=1e-6)
        risen = group.value - nothing[group.name]
        assert sum(pick.share for pick in group.picks) == pytest.approx(risen, rel=1e-6, abs=1e-6)
    assert sum(pick.gain for pick in picks) == pytest.approx(whole - sum(nothing.values()), rel=1e-6, abs=1e-6)
    for k, pick in enumerate(picks):
        without = sum(objective_value(vectors, groups, chosen[:k] + chosen[k + 1 :], **told).values())
        assert pick.loss == pytest.approx(whole - without, rel=1e-5, abs=1e-6)


def test_covers_partition_each_groups_documents(plain):
    for group in plain.groups:
        covered = [identifier for pick in group.picks for identifier in pick.covers]
        assert sorted(covered) == sorted(row["id"] for row in ROWS if row["place"] == group.name)
        assert all(pick.document.id in pick.covers for pick in group.picks)


def test_words_are_in_the_pick_and_set_its_group_apart():
    for group in compare(rows(each=36)).groups:
        story = {*" ".join(STORIES[group.name]).split(), "and", "near", "town"}  # all are near a town
        assert set(" ".join(group.words).split()) <= story
        for pick in group.picks:
            assert pick.words
            assert all(term in pick.document.text for term in pick.words)


def test_stability_is_of_the_resamples_that_hold_a_pick_and_scores_are_those_of_the_picks(plain):
    for group in plain.groups:
        for pick in group.picks:
            assert 0 < pick.resamples <= 20
            assert pick.stability in [n / pick.resamples for n in range(pick.resamples + 1)]
            assert 0 < pick.stability_by_chance < 1
            assert 0 < pick.stands_for <= 1
            assert 0 <= pick.stands_for_rest < 1
            assert 0 < pick.scores.typical < 100
            assert set(pick.scores.versus) == set(PLACES) - {group.name}
            assert pick.scores.discrimination == pytest.approx(np.mean(list(pick.scores.versus.values())))
    assert all(pick.scores.diversity is None for group in compare(size=1).groups for pick in group.picks)


def test_the_places_differ_and_are_told_apart(plain):
    assert plain.test[0].p_value == 0.001
    assert 0.6 < plain.accuracy <= 1
    assert 0.8 < plain.ceiling <= 1
    assert plain.common == (), "places that tell different stories have nothing in common"


def test_pairs_are_tested_on_request():
    assert [len(test.groups) for test in compare(pairs=True).test] == [3, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("method", ["mmd-diff-grad", "softmin-exchange", "kmeans", "random"])
def test_the_same_seed_gives_the_same_record_whatever_the_threads(method):
    first, *others = (visavis.report.render(compare(method=method, jobs=jobs), ".json") for jobs in (1, 2, -1))
    assert others == [first] * 2


def test_the_seed_matters_where_there_is_chance():
    assert ids(compare(method="random", seed=1)) != ids(compare(method="random", seed=2))


def test_a_sample_above_the_limits_is_said_in_the_notes(monkeypatch, plain):
    assert not [note for note in plain.notes if "sample" in note]
    monkeypatch.setattr(difference, "PER_GROUP", 8)
    monkeypatch.setattr(holdout, "ALL_UP_TO", 30)
    monkeypatch.setattr(holdout, "SAMPLE", 24)
    notes = " / ".join(compare().notes)
    assert "the test of difference looked at a sample" in notes
    assert "held-out accuracy was measured on a sample" in notes


# --- sizes, tuning ----------------------------------------------------------------------------------------------------
def test_sizes_by_group(plain):
    summary = compare(size={"east": 1, "north": 3, "west": 2})
    assert [len(group.picks) for group in summary.groups] == [1, 3, 2]
    assert summary.parameters["size"] == {"east": 1, "north": 3, "west": 2}
    assert plain.parameters["size"] == 2


@pytest.mark.parametrize(
    ("size", "error", "told"),
    [
        ({"east": 1, "north": 3}, InvalidParameter, "no number for the group 'west'"),
        ({"east": 1, "north": 1, "west": 1, "south": 1}, UnknownName, "'south'"),
        ({"east": 0, "north": 1, "west": 1}, InvalidParameter, "size of 'east'"),
        (0, InvalidParameter, "at least 1"),
        (2.5, InvalidParameter, "whole number"),
        ("many", InvalidParameter, "whole number"),
    ],
)
def test_a_size_that_cannot_be_is_refused(size, error, told):
    with pytest.raises(error, match=told):
        compare(size=size)


def test_a_group_gives_as_many_picks_as_it_has_documents():
    assert [len(group.picks) for group in compare(size=13).groups] == [12, 12, 12]


def test_an_automatic_size_is_the_knee_of_a_curve_that_is_kept(plain):
    from visavis.comparing.tune import knee

    summary = compare(size="auto")
    assert {len(group.picks) for group in summary.groups} == {knee(list(summary.size_curve))}
    assert [size for size, _ in summary.size_curve] == [1, 2, 3, 4, 6, 8]
    assert summary.parameters["size_accuracy"] == dict(summary.size_curve)[summary.parameters["size"]]
    assert plain.size_curve == ()
    assert "size_accuracy" not in plain.parameters


def test_an_automatic_size_leaves_room_for_the_pins():
    pins = [row["id"] for row in ROWS if row["place"] == "west"][:7]
    assert set(pins) <= set(ids(compare(size="auto", pin=pins))["west"])


def test_a_budget_is_divided_and_every_group_gets_one():
    summary = compare(budget=7)
    counts = [len(group.picks) for group in summary.groups]
    assert sum(counts) == 7
    assert min(counts) >= 1
    with pytest.raises(InvalidParameter, match="budget=2 is less than 3"):
        compare(budget=2)


def test_tuning_is_told_in_the_parameters(plain):
    summary = compare(tune=True)
    assert summary.parameters["tuned"] is True
    assert plain.parameters["tuned"] is False
    assert plain.parameters["gamma_rule"] == summary.parameters["gamma_rule"] == "median"
    assert any("chosen anew" in note for note in summary.notes)
    assert not any("chosen anew" in note for note in plain.notes)


def test_what_cannot_be_held_out_is_neither_tuned_nor_measured_and_the_report_says_so():
    few = [row for row in ROWS if row["place"] != "west"] + [row for row in ROWS if row["place"] == "west"][:2]
    summary = compare(few, tune=True, size="auto")
    assert (summary.accuracy, summary.ceiling, summary.size_curve) == (None, None, ())
    assert summary.parameters["tuned"] is False
    assert any(
        "'west' has fewer than 3 documents" in told and "nothing could be chosen" in told for told in summary.warnings
    )


def test_a_size_is_not_sought_where_a_budget_decides():
    assert compare(size="auto", budget=7).size_curve == ()


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("kmeans", set()), ("mmd-diff-greedy", {"contrast"}), ("softmin-exchange", {"sharpness", "sharpness_rule"}),
    ],
)  # fmt: skip
def test_a_parameter_that_the_method_does_not_look_at_is_not_told(method, told):
    parameters = compare(method=method).parameters
    asked = ("contrast", "sharpness", "sharpness_rule")
    assert {name for name in asked if parameters[name] is not None} == told
    assert parameters["gamma"] > 0  # by which picks are scored, whatever picked them


def test_a_calibrated_sharpness_is_told_beside_what_was_asked_for():
    told = compare(method="softmin-exchange").parameters
    assert told["sharpness"] > 0
    assert told["sharpness_rule"] == "auto"


def test_dates_in_the_future_do_not_stretch_the_timeline():
    dated = [{**row, "date": "2050-01-01" if n == 5 else f"2020-01-{1 + n % 20:02}"} for n, row in enumerate(ROWS)]
    timeline = compare(dated).timeline
    assert (timeline.unit, timeline.last.year) == ("day", 2020)


# --- groups -----------------------------------------------------------------------------------------------------------
def sizes(summary):
    return {group.name: group.n_documents for group in summary.groups}


def test_only_versus_filter_and_small_groups():
    assert sizes(compare(only=["west", "east"])) == {"west": 12, "east": 12}
    assert sizes(compare(versus="north")) == {"north": 12, "rest": 24}
    assert sizes(compare(filter="place != 'north' and id != 'd0'")) == {"east": 11, "west": 12}
    fewer = "place == 'east' or id in ['d1', 'd2', 'd4']"
    assert sizes(compare(filter=fewer, min_size=3, size=1)) == {"east": 12}
    assert sizes(compare(filter=fewer, min_size=3, small="merge", size=1)) == {"east": 12, "other": 3}


def test_groups_by_ranges_and_by_lists_of_ids(tmp_path):
    dated = [{**row, "date": f"2020-{1 + n % 12:02}-10"} for n, row in enumerate(ROWS)]
    summary = compare(dated, None, groups=["spring=2020-03-01..2020-06-01", "fall=2020-09-01..2020-12-01"])
    assert sizes(summary) == {"spring": 9, "fall": 9}
    (tmp_path / "a.txt").write_text("d0\nd1\nd2\n")
    (tmp_path / "b.txt").write_text("d3\nd4\nd5\nnobody\n")
    listed = compare(ROWS, None, groups=[f"a=@{tmp_path / 'a.txt'}", f"b=@{tmp_path / 'b.txt'}"])
    assert sizes(listed) == {"a": 3, "b": 3}
    assert "ids listed that no document has: 1" in listed.notes


def test_facets_compare_each_value_or_say_why_not():
    source = [{**row, "desk": "home" if n < 30 else "abroad"} for n, row in enumerate(ROWS)]
    found = dict(visavis.compare_facets(source, "desk", "place", embedder="column:vector", size=3))
    assert list(found) == ["abroad", "home"]
    assert sizes(found["home"]) == dict.fromkeys(PLACES, 10)
    assert [len(group.picks) for group in found["abroad"].groups] == [2, 2, 2]
    alone = [{**row, "desk": row["place"]} for row in ROWS]
    alone[0]["desk"] = "north"
    some = dict(visavis.compare_facets(alone, "desk", "place", embedder="column:vector", size=3))
    assert isinstance(some["west"], VisavisError)
    assert "only one group" in str(some["west"])
    assert some["north"].title == "Documents, east against north: north"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": "plase"}, "did you mean 'place'"),
        ({"method": "nothing"}, "nothing"),
        ({"seed": -1}, "seed"),
        ({"gamma": -1.0}, "gamma"),
        ({"embedder": "column:vektor"}, "vektor"),
        ({"by": "desk"}, "only one group"),
    ],
)
def test_facets_of_which_none_can_be_compared_are_an_error(options, told):
    source = [{**row, "desk": "home" if n < 18 else "abroad"} for n, row in enumerate(ROWS)]
    with pytest.raises(VisavisError, match=told):
        visavis.compare_facets(source, "desk", **{"by": "place", "embedder": "column:vector", **options})


# --- options and results ----------------------------------------------------------------------------------------------
def test_options_are_known_by_name():
    assert make_options(pin="d0", only=["a"]) == CompareOptions(pin=("d0",), only=("a",))
    assert make_options(pin=[2], embedder=Path("v.npy"), columns=None) == CompareOptions(pin=("2",), embedder="v.npy")
    with pytest.raises(UnknownName, match=r"unknown option 'metod'.*method"):
        compare(metod="kmeans")


@walk(
    "options, told",
    [
        ({"by": None}, "say what to compare by"),
        ({"by": "plase"}, "did you mean 'place'"),
        ({"seed": -1}, "seed"),
        ({"jobs": 0}, "jobs must be a number of threads"),
        ({"method": "mmd-dif-greedy"}, "did you mean 'mmd-diff-greedy'"),
        ({"contrast": 1.0}, "contrast"),
        ({"gamma": -1.0}, "gamma"),
        ({"kernel": "rfb"}, "rbf"),
        ({"embedder": "column:vektor"}, "did you mean 'vector'"),
        ({"embedder": "column:id"}, "not a list of numbers"),
        ({"embedder": "pixels"}, "for pictures"),
        ({"embedder": np.eye(36)}, "embedder must be a name or a file, got ndarray"),
        ({"by": 3}, "by must be text, got 3"),
        ({"columns": 3}, "columns must map roles"),
        ({"pin": 3}, "pin names '3'"),
        ({"embedder": "nowhere.npy"}, "nowhere.npy"),
        ({"lead": -1}, "lead .*got -1"),
        ({"columns": {"headline": "title"}}, "unknown role"),
    ],
)
def test_what_cannot_be_is_refused_by_name(options, told):
    with pytest.raises(VisavisError, match=told):
        compare(**options)


def test_where_no_text_has_a_vector_the_reason_is_told():
    letters = [{"title": "x", "place": "ab"[n % 2]} for n in range(6)]
    with pytest.raises(InvalidParameter, match=r"no document is left to compare .*: 6"):
        compare(letters, embedder="tfidf")


def test_a_comparison_writes_every_format_and_shows_itself(tmp_path, plain):
    for suffix in visavis.report.RENDERERS:
        plain.write(tmp_path / f"report{suffix}")
    record = json.loads((tmp_path / "report.json").read_text())
    assert [pick["id"] for pick in record["groups"][0]["picks"]] == ids(plain)["east"]
    assert "<script" not in plain._repr_html_()
    assert "Item" in plain._repr_html_()


def test_a_parameter_that_does_not_matter_is_told():
    told = compare(ROWS, method="softmin-exchange", contrast=0.2).warnings
    assert any("contrast was given" in warning for warning in told)
    assert not any("contrast" in warning for warning in compare(ROWS, method="mmd-diff-greedy", contrast=0.2).warnings)
