"""Copies, pins and bans, and the documents that are left out."""

from __future__ import annotations

import numpy as np
import pytest

from unit.comparisons import ROWS, compare, ids
from visavis.comparing.again import held_out_folds
from visavis.comparing.candidates import find_candidates
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.session import pose
from visavis.errors import InvalidParameter, UnknownName

pytestmark = [pytest.mark.filterwarnings("error::RuntimeWarning"), pytest.mark.usefixtures("brief_assessment")]


@pytest.fixture(scope="module")
def plain():
    return compare()


def copied(name, times, place=None):
    """The articles and copies of one of them, under other titles."""
    row = next(row for row in ROWS if row["id"] == name)
    place = place or row["place"]
    return [*ROWS, *({**row, "id": f"{name}-copy{n}", "place": place, "title": row["title"]} for n in range(times))]


def pose_candidates(found, options):
    grouping = found.grouping
    return pose(
        found.points, grouping.names, grouping.codes, documents=grouping.corpus.documents, texts=found.texts,
        candidates=found.allowed, blocks=found.blocks, seed=options.seed,
    )  # fmt: skip


def family(name, times):
    return {name, *(f"{name}-copy{n}" for n in range(times))}


def test_copies_count_as_coverage_but_are_never_picked_twice(plain):
    loner = min(
        (row["id"] for row in ROWS if row["place"] == "east"),
        key=lambda name: name in ids(plain)["east"],
    )
    summary = compare(copied(loner, 20), size=3)
    assert summary.folded == 20
    assert summary["east"][0].document.id == loner  # twenty copies draw the first pick to them
    assert len(family(loner, 20) & set(ids(summary)["east"])) == 1
    assert {group.name: group.n_documents for group in summary.groups}["east"] == 32
    covered = {identifier for pick in summary["east"] for identifier in pick.covers}
    assert family(loner, 20) <= covered


def test_kept_duplicates_may_all_be_picked():
    every = {"east": 32, "north": 1, "west": 1}
    summary = compare(copied("d0", 20), duplicates=False, size=every)
    assert summary.folded == 0
    assert family("d0", 20) <= set(ids(summary)["east"])
    assert len(compare(copied("d0", 20), size=every)["east"]) == 12  # what there is without the copies


def test_a_story_that_two_groups_share_belongs_to_both_and_is_shown_once_in_each():
    summary = compare(copied("d0", 5, place="west"), size=13)
    for place in ("east", "west"):
        assert len(family("d0", 5) & set(ids(summary)[place])) == 1


SHARED = [{**row, "place": [row["place"], "west"] if row["id"] in ("d0", "d3") else row["place"]} for row in ROWS]


@pytest.mark.parametrize("duplicates", [True, False])
def test_a_document_in_two_groups_is_one_document_that_belongs_to_both(duplicates):
    options = CompareOptions(by="place", embedder="column:vector", duplicates=duplicates, pin=("d0",), size=2)
    prepared = prepare(SHARED, options.reading)
    found = find_candidates(prepared, group_documents(prepared, options.grouping), options)
    documents = found.grouping.corpus.documents
    places = [place for place, document in enumerate(documents) if document.id == "d0"]
    assert [found.grouping.names[code] for code in found.grouping.codes[places]] == ["east", "west"]
    assert set(places) == set(found.pinned)  # in each of its groups
    assert len(set(found.points.families[places])) == 1
    assert (found.folded, len(documents)) == (0, len(ROWS) + 2)
    assert np.array_equal(found.points.vectors[places[0]], found.points.vectors[places[1]])


def test_a_document_in_two_groups_is_never_on_both_sides_of_a_split():
    options = CompareOptions(by="place", embedder="column:vector", candidates="all", jobs=1)
    prepared = prepare(SHARED, options.reading)
    found = find_candidates(prepared, group_documents(prepared, options.grouping), options)
    session = pose_candidates(found, options)
    for train, test in held_out_folds(session)[0]:
        learned, held = ({session.documents[row].id for row in part} for part in (train, test))
        assert not learned & held


def test_a_group_of_nothing_but_copies_still_has_something_to_show():
    source = [*ROWS, *({**row, "id": row["id"] + "x", "place": "south"} for row in ROWS[:4])]
    summary = compare(source, size=1)
    assert len(summary["south"]) == 1


def test_pinned_documents_are_picked_and_banned_ones_are_not(plain):
    banned, pinned = ids(plain)["east"][0], ids(compare(method="random", seed=5))["west"][0]
    summary = compare(pin=[pinned], ban=banned)
    assert pinned in ids(summary)["west"]
    assert banned not in ids(summary)["east"]
    assert len(ids(summary)["east"]) == 2


def test_a_copy_of_a_banned_story_is_not_picked():
    for banned in ("d0", "d0-copy3"):
        summary = compare(copied("d0", 20), ban=[banned], size=11)
        assert not family("d0", 20) & set(ids(summary)["east"])


def test_a_pinned_copy_stands_for_its_story():
    summary = compare(copied("d0", 20), pin=["d0-copy3"], size=3)
    assert family("d0", 20) & set(ids(summary)["east"]) == {"d0-copy3"}


def test_copies_do_not_leak_into_what_is_held_out():
    rng = np.random.default_rng(3)
    told = [(" ".join(rng.choice(list("abcdefghij"), 30)), rng.normal(size=4).tolist(), "ab"[n % 2]) for n in range(30)]
    rows = [
        {"id": f"{n}-{k}", "title": f"number {n} {text}", "place": place, "vector": vector}
        for k in range(3)
        for n, (text, vector, place) in enumerate(told)
    ]
    once, thrice = compare(rows[:30]), compare(rows)
    assert thrice.folded == 60
    assert thrice.ceiling == pytest.approx(once.ceiling, abs=0.1)


def test_a_pin_does_not_empty_a_group_of_its_copies():
    source = [*ROWS, *({**row, "id": row["id"] + "x", "place": "south"} for row in ROWS[:1])]
    summary = compare(source, pin=[ROWS[0]["id"]], size=1)
    assert ids(summary)["south"] == [ROWS[0]["id"] + "x"]


def test_a_group_of_which_all_documents_are_banned_is_named():
    source = [
        *ROWS,
        {**ROWS[0], "id": "lone", "place": "south", "title": "Something else entirely", "text": "and more"},
    ]
    with pytest.raises(InvalidParameter, match="all documents of 'south' are banned"):
        compare(source, ban=["lone"])


@pytest.mark.parametrize("what", ["pin", "ban"])
def test_an_unknown_document_cannot_be_pinned_or_banned(what):
    with pytest.raises(UnknownName, match=f"{what} names 'nobody'"):
        compare(**{what: ["nobody"]})


@pytest.mark.parametrize("banned", ["d0", "d0-copy1"])
def test_a_story_cannot_be_pinned_and_banned(banned):
    with pytest.raises(InvalidParameter, match="pinned and banned"):
        compare(copied("d0", 2), pin=["d0"], ban=[banned])


def test_more_pins_than_picks_are_refused():
    pins = [row["id"] for row in ROWS if row["place"] == "east"][:3]
    with pytest.raises(InvalidParameter, match="'east' has 3 pinned documents but size=2: raise size"):
        compare(pin=pins)


# --- what is left out -------------------------------------------------------------------------------------------------
def written(vector):
    return " ".join(map(str, vector))


def test_documents_without_a_vector_or_weight_are_set_aside_with_the_reason():
    source = [{**row, "weight": 1.0, "vector": written(row["vector"])} for row in ROWS]
    source[0]["vector"] = ""
    source[3]["weight"] = 0
    summary = compare(source)
    assert {aside.reason: aside.where for aside in summary.set_aside} == {
        "no vector was given": ("d0",),
        "weight of 0": ("d3",),
    }
    assert summary.groups[0].n_documents == 10


def test_a_blank_among_lists_is_a_missing_vector():
    source = [dict(row) for row in ROWS]
    source[0]["vector"] = None
    assert compare(source).groups[0].n_documents == 11


def test_a_group_that_loses_all_its_documents_is_named_in_a_note():
    source = [{**row, "vector": "" if row["place"] == "north" else written(row["vector"])} for row in ROWS]
    summary = compare(source)
    assert [group.name for group in summary.groups] == ["east", "west"]
    assert "group 'north' has no document left" in summary.notes


def test_weights_count():
    source = [{**row, "weight": 50.0 if row["id"] == "d3" else 1.0} for row in ROWS]
    assert compare(source)["east"][0].document.id == "d3"


def test_one_group_alone_is_summarized_with_a_warning():
    summary = compare(only=["east"])
    assert [group.name for group in summary.groups] == ["east"]
    assert summary.test == ()
    assert summary.accuracy is None
    assert any("only one group" in warning for warning in summary.warnings)
