"""Cells that are lists: a document belongs to the group of every item."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from visavis.comparing.documents import DocumentOptions
from visavis.comparing.options import CompareOptions
from visavis.corpus.fields import items_of
from visavis.corpus.filters import matches
from visavis.corpus.grouping import GroupOptions, facets, group, values_of
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Document, Grouping


def corpus_of(*values: Any) -> Corpus:
    documents = tuple(Document(id=f"d{row}", text="t", fields={"topics": value}) for row, value in enumerate(values))
    return Corpus(documents, "memory")


def members(grouping: Grouping) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in grouping.names}
    for document, code in zip(grouping.corpus.documents, grouping.codes, strict=True):
        found[grouping.names[code]].append(document.id)
    return found


def grouped(*values: Any, **options: Any) -> Grouping:
    return group(corpus_of(*values), GroupOptions(**{"by": "topics", "several": True, **options}))


@pytest.mark.parametrize(
    "value",
    [["tax", "gun"], ("tax", "gun"), {"gun", "tax"}, np.array(["tax", "gun"]), '["tax", "gun"]', " ['tax', 'gun'] ",
     ["tax", "gun", "tax", None, " "]],
)  # fmt: skip
def test_a_document_belongs_to_each_of_its_groups(value: Any) -> None:
    found = grouped("gun", value, [])
    assert members(found) == {"gun": ["d0", "d1"], "tax": ["d1"]}
    assert [(away.reason, away.where) for away in found.corpus.set_aside] == [("no value for topics", ("d2",))]
    assert found.notes == ("1 document is in several groups, in each of them with equal right",)


@pytest.mark.parametrize(
    "value",
    ["[redacted]", "[", "[1, 2", "[__import__('os')]", "[x for x in y]", "[" * 9_000 + "]", "[{{1}}]", "[{[]}]",
     "[2018], [2019]"],
)  # fmt: skip
def test_what_is_no_list_is_one_value(value: str) -> None:
    assert items_of(value) is None
    assert value in grouped("a", value).names


@given(st.text() | st.text("[]{}()'\"\\\\,: 1ax").map("[{}]".format))
@example('["\\\\d", x]')
@example("['\\\\d']")
def test_any_text_can_be_asked_for_its_items(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = items_of(text)
    assert found is None or text.strip()[0] == "["


def test_where_a_document_must_have_one_group_those_of_several_are_set_aside() -> None:
    found = grouped("gun", ["tax", "gun"], ["tax"], ["war", "tax"], several=False)
    assert members(found) == {"gun": ["d0"], "tax": ["d2"]}
    assert [(away.reason, away.where) for away in found.corpus.set_aside] == [("in several groups", ("d1", "d3"))]
    assert "2 documents are in several groups and left out: here each must have one" in found.notes
    assert "no documents in war" in found.notes


def test_groups_that_do_not_take_part_leave_documents_in_those_that_do() -> None:
    found = grouped("gun", ["tax", "gun"], ["tax", "war"], "war", only=("gun", "tax"))
    assert members(found) == {"gun": ["d0", "d1"], "tax": ["d1", "d2"]}
    assert [away.where for away in found.corpus.set_aside] == [("d3",)]


def test_what_is_in_a_group_is_not_in_the_rest() -> None:
    assert members(grouped("gun", ["tax", "gun"], ["tax", "war"], versus="gun")) == {
        "gun": ["d0", "d1"],
        "rest": ["d2"],
    }


def test_small_groups_that_are_merged_hold_a_document_once() -> None:
    found = grouped("gun", "gun", ["tax", "war"], ["gun", "tax"], "peace", min_size=3, small="merge")
    assert members(found) == {"gun": ["d0", "d1", "d3"], "other": ["d2", "d3", "d4"]}


def test_a_document_is_in_every_facet_of_its_list() -> None:
    found = facets(corpus_of("gun", ["tax", "gun"], None), "topics")
    assert {name: [d.id for d in part.documents] for name, part in found} == {"gun": ["d0", "d1"], "tax": ["d1"]}


def test_blocks_and_what_is_held_equal_need_one_value() -> None:
    with pytest.raises(InvalidParameter, match="column 'topics' holds lists: one value a document"):
        values_of(corpus_of("gun", ["tax", "gun"]), "topics")
    assert values_of(corpus_of("gun", ["tax"]), "topics") == ("gun", "tax")


@pytest.mark.parametrize(
    ("value", "kind"), [({"a": 1}, "dicts"), ([{"a": 1}], "lists of dicts"), ([["a"]], "lists of lists")]
)
def test_objects_are_refused_with_what_a_group_can_be(value: Any, kind: str) -> None:
    with pytest.raises(
        InvalidParameter, match=rf"holds {kind} \(document 'd1'\): a group is a text, a number, or each"
    ):
        grouped("a", value)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("topics == 'tax'", "1 2 3"), ("topics != 'tax'", "0"), ("topics in ['gun', 'war']", "0 1 3"),
        ("topics not in ['gun', 'war']", "2"), ("topics contains 'GU'", "0 1 3"), ("topics contains '['", "3"),
        ("topics == '[\"tax\", \"gun\"]'", "3"),
    ],
)  # fmt: skip
def test_filters_look_into_lists(expression: str, found: str) -> None:
    corpus = corpus_of("gun", ["tax", "gun"], ["tax"], '["tax", "gun"]', [], None)
    test = matches(expression, corpus)
    assert " ".join(d.id[1:] for d in corpus.documents if test(d)) == found


def test_numbers_in_lists_are_compared_as_numbers() -> None:
    test = matches("topics > 5", corpus_of(1))
    assert [test(d) for d in corpus_of([1, 9], [2], "[3, 7]").documents] == [True, False, True]


def test_a_comparison_shares_documents_and_other_commands_do_not() -> None:
    assert CompareOptions(by="topics").grouping.several
    assert not DocumentOptions(by="topics").grouping.several


@pytest.mark.parametrize("value", [[None, " "], [], '["", " "]', "[]"])
@pytest.mark.parametrize("symbol", ["==", "!=", "contains"])
def test_a_list_of_blanks_passes_no_filter(value: Any, symbol: str) -> None:
    corpus = corpus_of(value)
    assert not matches(f"topics {symbol} 'tax'", corpus)(corpus.documents[0])
