from __future__ import annotations

import numpy as np
import pytest

import visavis
from visavis.comparing.given import hold_constant
from visavis.comparing.prepare import group_documents, prepare
from visavis.corpus.grouping import GroupOptions
from visavis.errors import InvalidParameter, UnknownName


def rows(counts):
    """counts[side][year] documents; what they tell depends on the year alone."""
    rng = np.random.default_rng(2)
    found = []
    for side, years in counts.items():
        for year, count in years.items():
            for _ in range(count):
                words = rng.choice([f"w{year}{n}" for n in range(30)], 14)
                found.append({"id": str(len(found)), "side": side, "year": year, "text": " ".join(words)})
    return found


METHOD = "mmd-diff-exchange"  # told apart is what such a mix makes easy; a reader's picks are not the point
MIXED = rows({"left": {"2020": 40, "2021": 10}, "right": {"2020": 10, "2021": 40}})


def held(source, columns=("year",)):
    grouping = group_documents(prepare(source), GroupOptions(by="side"))
    return grouping, hold_constant(grouping, columns, np.ones(len(source)))


def test_all_groups_have_the_same_mix_and_their_own_weight():
    source = rows({"left": {"2020": 40, "2021": 10}, "right": {"2020": 10, "2021": 20}})
    grouping, given = held(source)
    year = np.array([row["year"] for row in source])
    shares = [
        given.factors[(grouping.codes == g) & (year == "2020")].sum() / given.factors[grouping.codes == g].sum()
        for g in (0, 1)
    ]
    assert shares[0] == pytest.approx(shares[1])
    assert [given.factors[grouping.codes == g].sum() for g in (0, 1)] == pytest.approx([50, 30])
    assert given.notes == ()


def test_strata_that_cannot_be_compared_are_named_and_do_not_count():
    source = rows({"left": {"2019": 5, "2020": 20}, "right": {"2020": 20, "2021": 7}})
    source[-1]["year"] = ""
    _, given = held(source)
    assert {row["year"] for row, weight in zip(source, given.factors, strict=True) if weight} == {"2020"}
    assert given.notes == (
        "2019, 2021: not in every group, so their 11 documents do not count (year)",
        "1 documents have no value in year and do not count",
    )


def test_what_no_two_groups_share_is_refused():
    with pytest.raises(InvalidParameter, match="no value of year has documents in every group"):
        held(rows({"left": {"2019": 5}, "right": {"2020": 5}}))
    with pytest.raises(UnknownName, match="yaer"):
        held(MIXED, ("yaer",))
    assert held(MIXED, ())[1] is None


def test_a_difference_of_the_mix_is_not_one_of_the_groups():
    plain, equal = (visavis.compare(MIXED, "side", size=2, given=given, method=METHOD) for given in ((), ("year",)))
    assert plain.test[0].p_value < 0.01
    assert equal.test[0].p_value > 0.05
    assert min(plain.accuracy, plain.ceiling) > 0.7
    assert max(equal.accuracy, equal.ceiling) < 0.65
    assert equal.accuracy_interval[0] < equal.accuracy < equal.accuracy_interval[1]


def test_a_difference_of_the_groups_is_found_beside_that_of_the_mix():
    source = [{**row, "text": f"{row['text']} {row['side']}ward {row['side']}most"} for row in MIXED]
    assert visavis.compare(source, "side", size=2, given=("year",)).test[0].p_value < 0.01


def test_a_pinned_document_must_count():
    source = rows({"left": {"2019": 5, "2020": 20}, "right": {"2020": 20}})
    with pytest.raises(InvalidParameter, match="pin names '0', which does not count: not every group has its year"):
        visavis.compare(source, "side", size=2, given="year", pin="0")


def test_documents_that_do_not_count_are_set_aside():
    source = rows({"left": {"2019": 30, "2020": 10}, "right": {"2020": 20}})
    summary = visavis.compare(source, "side", size=3, given="year")
    assert [(away.reason, away.count) for away in summary.set_aside] == [
        ("without their like in every group (year)", 30)
    ]
    assert [group.n_documents for group in summary.groups] == [10, 20]
    picked = {pick.document.fields["year"] for group in summary.groups for pick in group.picks}
    assert picked == {"2020"}
