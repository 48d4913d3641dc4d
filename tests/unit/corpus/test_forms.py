"""What the form of a text gives away."""

from __future__ import annotations

import random

import pytest

from visavis.corpus.forms import LOOKED_AT, MANY, POST, forms_of, is_answer, is_paid_for, repeats_itself

SPAM = "this is the best game stop review bombing it "


@pytest.mark.parametrize("times", [6, 30, 300])
def test_who_says_the_same_again_and_again_is_told(times):
    assert all(form.repeats for form in forms_of([SPAM * times, f"And now: {SPAM * times} Yes."]))


def test_neither_short_nor_long_texts_of_many_words_repeat_themselves():
    rng = random.Random(2)
    weights = [1 / (rank + 2.7) for rank in range(50_000)]  # as often as words are used in a language
    words = [f"word{rank}" for rank in rng.choices(range(50_000), weights, k=20_000)]
    texts = ["no " * (MANY - 1), *(" ".join(words[:length]) for length in (40, 400, 4000, 20_000))]
    assert not any(map(repeats_itself, texts))


def contents(entries, rng):
    """A list of contents: titles of their own in a form that each has again."""
    titles = (" ".join(f"word{rng.randrange(5000)}" for _ in range(6)) for _ in range(entries))
    return " ".join(f"{n}. {title} Client: none Search terms: war Search type: plain Narrowed" for n, title in
                    enumerate(titles))  # fmt: skip


def test_what_lists_entries_of_one_form_is_told_and_a_story_that_quotes_some_is_not():
    rng = random.Random(4)
    listed = contents(40, rng)
    story = " ".join(f"word{rng.randrange(5000)}" for _ in range(1500))
    assert repeats_itself(listed)
    assert not repeats_itself(f"{listed} {story}")
    assert not repeats_itself(f"{contents(2, rng)} {story}")


def test_no_more_of_a_text_is_looked_at_than_its_beginning():
    rng = random.Random(5)
    story = " ".join(f"word{rng.randrange(5000)}" for _ in range(LOOKED_AT // 5))
    found = forms_of([f"{story} {SPAM * 900}", f"{SPAM * 100} {story * 9}"])
    assert [form.repeats for form in found] == [False, True]


def test_sentences_are_counted_by_what_ends_them():
    prose = "The council met on Monday. It voted on the bridge; two were against!! Why?! \u201cNobody knows.\u201d"
    chinese = "\u4ed6\u6765\u4e86\u3002\u5979\u8d70\u4e86\u3002"
    listed = "Page 25 of 322 A new bridge Page 27 of 322 Rivers rise " * 9
    form, contents_page, dense, glued = forms_of([prose, listed, chinese, "It ended.Then it began."])
    assert form.per_sentence < 4
    assert contents_page.per_sentence == contents_page.words
    assert dense.per_sentence == 1, "one word, as far as blanks go"
    assert glued.words == glued.per_sentence == 4, "few words are not looked at closely"
    (long,) = forms_of(["It ended.Then it began.So it " * 40])
    assert long.per_sentence < 4


@pytest.mark.parametrize(
    ("text", "answer", "tagged"),
    [
        ("@jane Thanks, we will look into it tomorrow", True, False),
        ("  @jane: no.", True, False),
        (".@jane asked for a vote on the budget today", False, False),
        ("I thank @jane for her work on the budget", False, False),
        ("@ noon we vote on the budget", False, False),
        ("Rates: https://example.org/rates/by/year/and/month #vote #rates", False, True),
        ("#vote #rates #budget #town #tonight Go!", False, True),
        ("We vote on the budget tonight, come and tell us what you think #vote https://example.org/x", False, False),
        ("Mail us at office@example.org or call, we answer within a day or two", False, False),
        ("C# and F# are languages of the same house", False, False),
        ("@WVGovernor has declared a state of emergency in all counties", False, False),
        ("@jane and I voted against the budget today", False, False),
        ("@jane@mastodon.example Thanks for this", True, False),
        ("@jane.bsky.social Thanks for this, we will look into it", True, False),
        ("@jane-doe, thanks for this", True, False),
        (
            "Chairman tapped to lead the committee https://example.org/2018/02/a-very-long-address-of-a-page",
            False,
            False,
        ),
        ("看看 https://example.org/a #預算問題我們需要大家一起來關心", False, False),
        ("今天市议会决定关闭四个图书馆，市民纷纷表示不满，详情见https://t.co/abc", False, False),
        ("@jane " + "this letter goes on and on about roads " * 10, False, False),
        ("", False, False),
    ],
)
def test_posts_that_answer_somebody_or_only_point_elsewhere_are_told(text, answer, tagged):
    (form,) = forms_of([text])
    assert (form.answer, form.tagged) == (answer, tagged)


@pytest.mark.parametrize(
    ("title", "answer"),
    [
        ("Re: the bridge", True), ("RE:The man with...", True), ("Re[2]: the bridge", True), ("AW: Brücke", True),
        ("re:publica opens in May", False),
        ("Reform: the bridge", False), ("Rescue at the bridge", False), ("The bridge, re: tolls", False), ("", False),
    ],
)  # fmt: skip
def test_titles_say_that_they_answer(title, answer):
    assert is_answer(title) is answer


def test_long_texts_are_no_posts():
    tags = "#one #two #three " * POST
    assert not forms_of([tags])[0].tagged
    assert forms_of([tags[:100]])[0].tagged


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("The council has decided that the…", True),
        ("The council has decided that the … https://t.co/x https://t.co/y", True),
        ("The council has decided that the …https://t.co/x", True),
        ("He said: “The council has decided…”", True),
        ("The council… has decided. pic.twitter.com/x", False),
        ("The council has decided...", False),
        ("The council has decided. https://t.co/x …", False),
        ("The council has decided. https://www.example.org/a-very-long-pa…", False),
        ("The council has decided that… https://t.co/x …", True),
        ("…", True),
        ("Will they ever learn?…", False),
        ("We wait. …", False),
        ("市议会今天开会讨论这件事，我们拭目以待……", False),
        ("The council has decided that the… www.example.org", True),
        ("The council has decided that the… " + "and so on " * POST + "…", False),
    ],
)
def test_posts_that_a_machine_cut_off_are_told(text, cut):
    assert forms_of([text])[0].cut is cut


@pytest.mark.parametrize("piece", ["https://a", "pic.twitter.com/a", "…", "# ", "@a.", "www."])
def test_no_text_takes_long(piece):
    """A rule that tried all ways to part these would never end."""
    forms_of([f"so… {piece * 300} x", f"so… {(piece + ' ') * 55} x", piece * 300])


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("(2/3) It goes on here, and then some", True),
        ("2/ Last year I forced a vote", True),
        ("3/3: and so it ends", True),
        ("Loved every minute of this movie. 9/10", False),
        ("Solid phone, weak camera. (7/10)", False),
        ("Good soup (4/5)", False),
        ("9/11: twenty years later", False),
        ("12/25: the library is closed", False),
        ("2/3-majority needed to pass the bill", False),
        ("Join us for the hearing. 5/20", False),
        ("Open day and night. Call now. 7/24", False),
        ("They fire no faster than that. 2/2 https://t.co/ab1 https://t.co/cd2", True),
        ("reflects the needs of this industry. (2/4)", True),
        ("RT @jane It goes on here (10/12)", True),
        ("never acceptable as punishment. 4/", True),
        ("(1/3) It begins here", False),
        ("Here it begins. 1/", False),
        ("24/7: the bridge is open day and night", False),
        ("2/3 of the town voted for it", False),
        ("We remember 9/11", False),
        ("The trains are late again 4/5", False),
        ("Read it: https://example.org/2018/2/", False),
        ("He won (2/0) at home, by far the better one", False),
        (f"(2/3) {'word ' * POST}", False),
    ],
)
def test_a_later_part_of_a_thread_is_known_by_its_number(text, later):
    (form,) = forms_of([text])
    assert form.later is later


@pytest.mark.parametrize(
    ("text", "sells"),
    [
        ("The 5 best deals of this Monday. Purchases you make through our links may earn us a commission.", True),
        ("WE MAY RECEIVE COMMISSIONS from some links to products on this page. How to watch the game", True),
        ("The paper may receive an affiliate commission if you buy through our links. The best oils", True),
        ("If you buy something from a Verge link, the publisher may earn a small commission. The new phone", True),
        ("We may collect a share of sales or other compensation from the links on this page. 12 gifts", True),
        ("SPONSORED CONTENT: why banks love the harbor", True),
        ("We may get a commission if you buy through our links", True),
        ("As an Amazon Associate I earn from qualifying purchases. The best tents", True),
        ("Advertorial\nWhy banks love the harbor", True),
        ("Sponsored content fools most students, a study finds", False),
        ("Advertisement\nThe council met on Monday", False),
        ("Paid post office workers went on strike", False),
        ("Cadets receive a commission as officers on Friday; a link to the ceremony is on the page", False),
        ("The architect may receive a commission to design rail links to the airport", False),
        ("Influencers earn commissions from links, and the regulator wants them to say so", False),
        (f"We may earn a commission. {'The council met. ' * 20} The links are in the park.", False),
        ("Agents earn a commission when a buyer signs, and the law that caps it was passed on Monday", False),
        ("The links between the commission and the agency earn the mayor scorn; a commission of inquiry meets", False),
        ("Workers will receive compensation after the flood; links to the forms are on the page of the county", False),
        ("A study of sponsored content finds that students take it for news", False),
        (f"{'The council met. ' * 60} Purchases you make through our links may earn us a commission.", False),
    ],
)
def test_what_sells_says_so_itself(text, sells):
    (form,) = forms_of([text])
    assert form.sells is sells


@pytest.mark.parametrize(("title", "paid"), [("Sponsored: the bridge", True), ("Sponsored bills in the senate", False)])
def test_what_somebody_paid_for_is_told_by_its_title(title, paid):
    assert is_paid_for(title) is paid
