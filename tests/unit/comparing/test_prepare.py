"""The doors before embedding: documents as read, their texts, their families, their groups."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from unit.comparisons import ROWS
from visavis.comparing.copies import Copies
from visavis.comparing.documents import DocumentOptions, Reading
from visavis.comparing.prepare import MOST_KEPT, group_documents, prepare, regroup
from visavis.corpus import lead
from visavis.corpus.grouping import GroupOptions
from visavis.errors import InvalidParameter
from visavis.explain.tokens import read_tokens
from visavis.records import Points, SetAside

COPY = {**ROWS[0], "id": "copy"}
doors = importlib.import_module("visavis.comparing.prepare")  # the package has a function of that name


@pytest.fixture
def prepared():
    return prepare([*ROWS, COPY])


def everyone(prepared):
    return np.arange(len(prepared.corpus.documents))


def test_speeches_that_begin_alike_are_told_apart_by_what_they_go_on_to_say():
    greeting = "Madam President, I thank you for the honor. It is a joy to be here. Let me greet all delegates warmly. "
    matters = (
        "The harbor floods and the reef dies as the water rises.",
        "Copper from the mine pays for all our schools.",
    )
    rows = [{"id": str(k), "text": greeting + matters[k % 2]} for k in range(8)]
    brief, usual = (prepare(rows, Reading(lead=told, boilerplate="keep")) for told in (3, "auto"))
    assert len(set(brief.texts(everyone(brief)))) == 1
    assert len(set(usual.texts(everyone(usual)))) == 2
    assert usual.lead == lead.usual_lead(len(rows))


def test_nothing_is_dropped(prepared):
    assert [document.id for document in prepared.corpus.documents] == [*(row["id"] for row in ROWS), "copy"]


def test_a_text_is_made_when_first_asked_for_and_once(prepared, monkeypatch):
    made = []
    honest = lead.lead_text
    monkeypatch.setattr(
        lead, "lead_text", lambda document, *a, **k: made.append(document.id) or honest(document, *a, **k)
    )
    first = prepared.texts(np.array([2, 0]))
    assert made == ["d2", "d0"]
    assert prepared.texts(np.array([0, 2, 1])) == (first[1], first[0], prepared.texts(np.array([1]))[0])
    assert made == ["d2", "d0", "d1"]


def test_the_lead_is_as_long_as_reading_says():
    rows = [{"title": "Title", "text": "One is here. Two is here. Three is here."}]
    one, whole = (prepare(rows, Reading(lead=lead)).texts(np.array([0]))[0] for lead in (1, None))
    assert (one, whole) == ("Title One is here.", "Title One is here. Two is here. Three is here.")


def test_families_are_those_among_exactly_these_documents(prepared):
    copy = len(ROWS)
    assert prepared.families(np.array([0, 1, copy])).tolist() == [0, 1, 0]
    assert prepared.families(np.array([1, copy, 2])).tolist() == [0, 1, 2]


def test_families_of_a_few_sets_are_remembered(prepared, monkeypatch):
    calls = []
    honest = doors.near_duplicates
    monkeypatch.setattr(doors, "near_duplicates", lambda texts, **k: calls.append(1) or honest(texts, **k))
    for _ in range(2):
        prepared.families(everyone(prepared))
    assert len(calls) == 1
    for n in range(MOST_KEPT):
        prepared.families(np.arange(n + 1))
    prepared.families(everyone(prepared))
    assert len(calls) == 2 + MOST_KEPT


def test_pictures_stand_for_themselves(tmp_path):
    from PIL import Image

    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        Image.new("L", (8, 8)).save(tmp_path / name / "one and the same name of a picture that is long.png")
    pictures = prepare(tmp_path)
    assert pictures.families(everyone(pictures)).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("rule", "rows", "families"), [("FOLD", 37, 36), ("DROP", 36, 36), ("KEEP", 37, 37)], ids=["fold", "drop", "keep"]
)
def test_what_becomes_of_copies_is_one_rule(prepared, rule, rows, families):
    copies = Copies[rule]
    kept = copies.rows(prepared, everyone(prepared))
    assert len(kept) == rows
    assert len(set(copies.families(prepared, kept).tolist())) == families
    assert copies.unless_kept(False) is Copies.KEEP
    assert copies.unless_kept(True) is copies


def test_a_part_of_the_corpus_keeps_its_rows(prepared):
    grouping = group_documents(prepared, GroupOptions(by="place", only=("west",)))
    rows = prepared.rows_of(grouping.corpus)
    assert [prepared.corpus.documents[row].fields["place"] for row in rows] == ["west"] * 12
    within = group_documents(prepared, GroupOptions(by="place"), grouping.corpus)
    assert within.names == ("west",)


def test_groups_without_points_are_gone_and_named(prepared):
    grouping = group_documents(prepared, GroupOptions(by="place"))
    east = np.flatnonzero([document.fields["place"] == "east" for document in prepared.corpus.documents])
    points = Points(np.eye(len(east)), np.ones(len(east)), east, np.arange(len(east)), np.arange(len(east)))
    smaller = regroup(prepared, grouping, points)
    assert smaller.names == ("east",)
    assert smaller.notes == ("group 'north' has no document left", "group 'west' has no document left")
    assert [document.id for document in smaller.corpus.documents][-1] == "copy"
    nothing = Points(
        np.zeros((0, 1)), np.ones(0), east[:0], east[:0], east[:0], set_aside=(SetAside("no word", ("d1", "d2")),)
    )
    with pytest.raises(InvalidParameter, match=r"no document is left to compare \(no word: 2\)"):
        regroup(prepared, grouping, nothing)


def test_options_become_records_in_one_place():
    options = DocumentOptions(by="place", only="east", columns={"text": "story"}, strict=True, date_order="dmy", lead=1)
    assert options.only == ("east",)
    assert options.reading == Reading({"text": "story"}, None, True, "dmy", lead=1)
    assert options.grouping == GroupOptions("place", (), ("east",), date_order="dmy")
    with pytest.raises(InvalidParameter, match="say what to compare by"):
        _ = DocumentOptions().grouping


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lead": -1}, "lead"),
        ({"by": 3}, "by must be text"),
        ({"columns": "text"}, "columns must map roles"),
        ({"embedder": [[1.0]]}, "embedder must be a name or a file, got list"),
    ],
)
def test_what_no_documents_could_make_right_is_refused_at_once(given, message):
    with pytest.raises(InvalidParameter, match=message):
        DocumentOptions(**given)


def test_tokens_are_read_once_and_those_of_a_part_are_as_if_it_were_read_alone(prepared, monkeypatch):
    everyone_read = prepared.tokens(everyone(prepared))
    monkeypatch.setattr(doors, "read_tokens", None)  # nothing is read again
    assert prepared.tokens(everyone(prepared)) is everyone_read
    some = np.array([4, 1, 2])
    found = prepared.tokens(some)
    monkeypatch.undo()
    alone = read_tokens(prepared.texts(some))
    assert [found.names[code] for code in found.codes] == [alone.names[code] for code in alone.codes]
    assert np.array_equal(found.owners, alone.owners)
