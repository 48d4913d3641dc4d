"""What is hidden in the texts of a study, and what is counted where it is not."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.study import studies
from unit.study.comparing import gold_comparison, make_comparisons
from visavis.study.comparison_gold import GoldComparison
from visavis.study.dates import mask_dates
from visavis.study.design.giveaways import count_giveaways, gives_away
from visavis.study.gold import BadGold, Gold, GoldQuestion, Leads, Look, Text
from visavis.study.masking import masks_of
from visavis.study.names import GroupNames
from visavis.study.store import set_fact
from visavis.study.store.golds import add_gold, gold_content
from walking import walk


@walk(
    "text, hidden",
    [
        ("On 3 May 2018 they met", "On ▢ they met"),
        ("since June 2017, when", "since ▢, when"),
        ("2018-05-03 and 3/5/2018", "▢ and ▢"),
        ("It may rain in May or in March", "It may rain in ▢ or in ▢"),
        ("They march in 2019, the 1990s", "They march in ▢, the ▢"),
        ("in March 2018, in June 2018", "in ▢, in ▢"),  # a mask does not tell which month it hides
        ("since May 3, 2018 and after June 3, 2018", "since ▢ and after ▢"),
        ("room 2100 has 19 seats", "room 2100 has 19 seats"),
        ("by Mayor Adams, in Mayfair, after Mayhem 3", "by Mayor Adams, in Mayfair, after Mayhem 3"),
        ("July 4th was hot", "▢ was hot"),
        ("WASHINGTON, DEC 3 - THEY MAY", "WASHINGTON, ▢ - THEY MAY"),
        ("JANUARY 5, 2017, IN MARCH", "▢, IN ▢"),
        ("in december they march 10 miles", "in ▢ they march 10 miles"),
        ("since may 2017, 3 may 2018", "since ▢, ▢"),
        ("THIS MAY BE an august body", "THIS MAY BE an august body"),
        ("2017-05-03T10:00 and 2017-05-03T10:00:00.5+02:00", "▢ and ▢"),
        ("2017-05-03T10:00Z or 2017-05 or 2017-05-03x", "▢ or ▢ or ▢x"),
    ],
)
def test_dates_and_years_are_masked_and_other_words_stay(text: str, hidden: str) -> None:
    assert mask_dates(text) == hidden


PARTIES = GroupNames(("R", "D"))
OUTLETS = GroupNames(
    ("The New York Times", "foxnews.com", "npr", "US", "A", "Reader's Digest", "777"), ("foxnews.com=Hannity", "Smith")
)


@pytest.mark.parametrize(
    ("text", "hidden", "named"),
    [
        ("Sen. Cruz (R-TX) spoke", "Sen. Cruz (▢-TX) spoke", {"R"}),
        ("Feinstein, D-Calif., on D-Day", "Feinstein, ▢-Calif., on D-Day", {"D"}),
        ("Cruz (R., Tex.) and Lee (D)", "Cruz (▢., Tex.) and Lee (▢)", {"R", "D"}),
        ("The GOP's plan, Republicans’ bill", "The ▢'s plan, ▢’ bill", {"R"}),
        ("democratic leaders, Dems, DEMS", "▢ leaders, ▢, ▢", {"D"}),
        ("Mr. Lee R-UT and [D-NY]; PR-TX", "Mr. Lee ▢-UT and [▢-NY]; PR-TX", {"R", "D"}),
        ("#GOPTaxScam by @HouseGOP, @EPWGOP, @GOPoversight", "▢ by ▢, ▢, ▢", {"R"}),
        ("@HouseJudDems, @edworkforcedems: https//www.dems.gov/a-b?c=d.", "▢, ▢: ▢.", {"D"}),
        ("see thehill.com/374149-gop-plan, http://fair.gop", "see ▢, ▢", {"R"}),
        ("#NoRepublicanAction in democratandchronicle.com/story", "▢ in ▢", {"R", "D"}),
        ("-" * 20_000, "-" * 20_000, set()),
        ("#Gophers of @GoParks, http://demand.org/a", "#Gophers of @GoParks, http://demand.org/a", set()),
        ("R&D, vitamin D, plan (d)", "R&D, vitamin D, plan (d)", set()),
    ],
)
def test_letters_and_names_of_parties_are_found(text: str, hidden: str, named: set[str]) -> None:
    assert PARTIES.mask(text) == hidden
    assert PARTIES.named_in(text) == named


@pytest.mark.parametrize(
    ("text", "hidden", "named"),
    [
        ("NEW YORK TIMES’s, NYT, New-York Times", "▢’s, ▢, ▢", {"The New York Times"}),
        ("FoxNews, foxnews.com, Hannity’s", "▢, ▢, ▢’s", {"foxnews.com"}),
        ("NPR told us; the US's", "▢ told us; the ▢'s", {"npr", "US"}),
        ("A reader’s digest, 777 of them", "A ▢, 777 of them", {"Reader's Digest"}),
        (
            "@FoxNews, #NYTimes, nytimes.com, @nprpolitics",
            "▢, ▢, nytimes.com, @nprpolitics",
            {"foxnews.com", "The New York Times"},
        ),
        ("#USOpen @NPRinskeep @asus", "▢ ▢ @asus", {"npr", "US"}),
        ("Smith and Smithson; timeserver", "▢ and Smithson; timeserver", set()),
        ("They saw the US.Then they left", "They saw the ▢.Then they left", {"US"}),
    ],
)
def test_outlets_short_names_sites_and_possessives_are_found(text: str, hidden: str, named: set[str]) -> None:
    assert OUTLETS.mask(text) == hidden
    assert OUTLETS.named_in(text) == named


def test_tweets_of_members_of_congress_no_longer_name_their_party(data_folder: Path) -> None:
    with gzip.open(data_folder / "tweets" / "congress-2018.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in itertools.islice(file, 0, 60_000, 20)]
    texts = [row["text"] for row in rows if row["party"] in ("R", "D")]
    telling = re.compile(r"gop|democrat|republican|\bdems?\b|\b[rd]-[a-z]{2}\b", re.IGNORECASE)  # wider than names are
    before, after = (sum(telling.search(text) is not None for text in of) for of in (texts, map(PARTIES.mask, texts)))
    assert before / len(texts) > 0.08
    assert after / before < 0.05  # what is left are mostly gophers and towns in addresses


@given(st.text(alphabet="RDab (-)., ’s@#/GOPTX", max_size=60))
def test_what_is_masked_names_nobody(text: str) -> None:
    assert PARTIES.named_in(PARTIES.mask(text)) == set()


def test_a_text_gives_its_group_away_by_name_month_or_year() -> None:
    day, names = datetime(2018, 6, 3), GroupNames(("2018-06", "2018/06", "2018-09", "Fox News"))
    assert gives_away("In June it rained", names, "2018-06", day) == "date"
    assert gives_away("The year 2018", names, "2018-06", day) == "year"
    assert gives_away("IT RAINED IN JUNE", names, "2018-06", day) == "date"
    assert gives_away("at 2018-6-3T10:00", names, "2018/06", day) == "date"
    assert gives_away("on Sept. 5", names, "2018-09", datetime(2018, 9, 5)) == "date"
    assert gives_away("2017-06", names, "2018-06", day) is None
    assert gives_away("It rained in July 2017", names, "2018-06", day) is None
    assert gives_away("Fox News said", names, "Fox News", None) == "name"


def party_gold() -> Gold:
    texts = tuple(Text(f"Bill {number} (R-TX)", "Signed in June 2018.") for number in range(4))
    return Gold(texts, texts[::-1], tuple(GoldQuestion(text, "left") for text in texts[:3]))


def test_giveaways_are_counted_by_group_and_in_golds() -> None:
    shown = [(Text("Cruz (R-TX)"), "R", None), (Text("A GOP bill"), "D", None), (Text("Rain"), "D", None)]
    found = count_giveaways(shown, [party_gold()], PARTIES)
    assert (found["texts"], found["name"], found["another"]) == (3, 1, 1)
    assert {group: (of["texts"], of["name"]) for group, of in found["by_group"].items()} == {"R": (1, 1), "D": (2, 0)}
    assert found["golds"] == {"texts": 11, "name": 11, "date": 11}


def test_golds_are_masked_as_articles_are() -> None:
    masks = masks_of({"mask_dates": True, "mask_names": True}, ("R", "D"))
    hidden = masks.hide_gold(party_gold())
    assert hidden.left[0] == Text("Bill 0 (▢-TX)", "Signed in ▢.")
    assert hidden.questions[2] == GoldQuestion(Text("Bill 2 (▢-TX)", "Signed in ▢."), "left")
    assert count_giveaways([], [hidden], PARTIES)["golds"] == {"texts": 11, "name": 0, "date": 0}
    assert masks_of({}, ("R", "D")).hide_gold(party_gold()) == party_gold()


def test_a_gold_that_comes_later_is_masked_too_and_must_look_like_a_question(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db", golds=0)
    with store.writing() as connection:
        set_fact(connection, "plan", {"mask_dates": True})
        number = add_gold(connection, party_gold(), 0.0)
        assert gold_content(connection, number)["left"][0]["lead"] == "Signed in ▢."
        with pytest.raises(BadGold, match="has 3 articles in its left group, but the study shows 4"):
            add_gold(connection, studies.gold(1, 3), 0.0)
    store.close()


def test_a_gold_comparison_that_comes_later_is_masked_too_and_must_look_like_a_page_of_the_study(
    tmp_path: Path,
) -> None:
    store = make_comparisons(tmp_path / "s.db", golds=0, sets=1)
    one, other = gold_comparison(0).groups
    dated = tuple(Text(text.title, "Seen in March 2018.") for text in one.better)
    with store.writing() as connection:
        set_fact(connection, "plan", {"mask_dates": True})
        number = add_gold(connection, GoldComparison((replace(one, better=dated), other)), 0.0)
        assert gold_content(connection, number)["groups"][0]["better"][0]["lead"] == "Seen in ▢."
        for change, said in (
            ({"worse": one.worse[:1]}, "has 1 texts as 'worse' of 'Rivers', but the study shows 2"),
            ({"documents": (*one.documents, Text("More", "of it"))}, "has 3 texts as 'documents'"),
            ({"better": tuple(Text(text.title) for text in one.better)}, "has no lead"),
        ):
            with pytest.raises(BadGold, match=said):
                add_gold(connection, GoldComparison((replace(one, **change), other)), 0.0)
    store.close()


def test_a_gold_has_the_parts_that_articles_have() -> None:
    whole = studies.gold(1)
    bare = Gold(tuple(Text(text.title) for text in whole.left), whole.right, whole.questions)
    Look(4, Leads(some=True, all=False)).check(bare)
    with pytest.raises(BadGold, match="has no lead"):
        Look(4, Leads(some=True, all=True)).check(bare)
    with pytest.raises(BadGold, match="titles alone"):
        Look(4, Leads(some=False, all=False)).check(whole)
