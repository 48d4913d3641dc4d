"""Words that only hold sentences together, in whatever language the texts are, and in no other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.corpus.words import Words
from visavis.explain import languages
from visavis.explain.function_words import ENGLISH, is_function_word
from visavis.explain.languages import LISTS, foreign_function_words
from visavis.explain.terms import count_terms
from visavis.explain.tokens import read_tokens
from visavis.explain.words import GroupWords
from walking import walk

GERMAN = "Die Brücke war schon alt, und man hat sie nicht mehr gebraucht."
ENGLISH_TEXT = "They will die in the war, and his son has left the car to a man on the hill."
SAID = [  # a text of each language, and the words of it that tell something
    ("albanian", "Ministri tha se ura nuk është gati dhe se do të hapet në vjeshtë", "ministri ura gati hapet vjeshtë"),
    ("arabic", "قال الوزير إن الحكومة لم تكن في المدينة بعد الحرب", "الوزير الحكومة تكن المدينة الحرب"),
    ("bengali", "মন্ত্রী বলেন যে সেতু এখন প্রস্তুত নয় এবং বই ও", "মন্ত্রী সেতু প্রস্তুত বই"),
    ("bosnian", "Ministar je rekao da će se tunel u gradu graditi i ove godine", "ministar tunel gradu graditi godine"),
    ("bulgarian", "Министърът каза, че мостът още не е готов, но това беше вчера", "министърът мостът готов вчера"),
    (
        "catalan",
        "El ministre va dir que el pont encara no és llest i que també hi ha un tren",
        "ministre pont llest tren",
    ),
    (
        "czech",
        "Ministr řekl, že tunel ve městě bude ještě letos hotový, ale není to jisté",
        "ministr tunel městě letos hotový jisté",
    ),
    (
        "danish",
        "Ministeren sagde, at broen ikke bliver færdig, og hvad så nu med skibet",
        "ministeren broen færdig skibet",
    ),
    ("dutch", "De minister heeft gezegd dat de brug er niet meer komt, en dat is een ramp", "minister brug ramp"),
    ("finnish", "Ministeri sanoi, että silta ei ole vielä valmis, mutta se on kaunis", "ministeri silta valmis kaunis"),
    (
        "french",
        "Le ministre a dit qu'il n'y a plus d'argent, et c'est peut-être la fin du pont",
        "ministre d'argent fin pont",
    ),
    ("german", "Die Brücke wurde nicht gebaut, und so weiter, daß der Minister ging", "brücke gebaut minister"),
    ("greek", "Ο υπουργός είπε ότι η γέφυρα δεν είναι έτοιμη και πως θα γίνει", "υπουργόσ γέφυρα έτοιμη"),
    ("hebrew", "השר אמר כי הגשר לא יהיה מוכן עד הקיץ וגם לא אחרי זה", "השר הגשר מוכן הקיץ"),
    ("hindi", "मंत्री ने कहा है कि पुल अभी तैयार नहीं है और किताब भी", "मंत्री पुल तैयार किताब"),
    ("hungarian", "A miniszter azt mondta, hogy a híd még nem készült el, de majd lesz", "miniszter híd készült"),
    (
        "indonesian",
        "Menteri mengatakan bahwa jembatan itu belum dibangun dan tidak akan ada",
        "menteri jembatan dibangun",
    ),
    (
        "italian",
        "Il ministro ha detto che il ponte non è più sicuro, ma che c'è anche un treno",
        "ministro ponte sicuro treno",
    ),
    (
        "latin",
        "Consul dixit pontem in urbe nondum esse factum, sed et hoc ab eo fieri",
        "consul dixit pontem urbe nondum factum fieri",
    ),
    ("marathi", "मंत्री म्हणाले की पूल अजून तयार नाही आणि पुस्तक सुद्धा", "मंत्री पूल तयार पुस्तक"),
    ("norwegian", "Ministeren sa at broen ikke blir ferdig nå, og at hun også må gå", "ministeren broen ferdig gå"),
    ("persian", "وزیر گفت که پل در شهر هنوز ساخته نشده است و این را باید دید", "وزیر پل شهر ساخته نشده دید"),
    (
        "polish",
        "Minister powiedział, że tunel nie jest jeszcze gotowy, ale już go widać",
        "minister tunel gotowy widać",
    ),
    (
        "portuguese",
        "O ministro disse que a ponte não está pronta e que isso também é culpa dele",
        "ministro ponte pronta culpa",
    ),
    ("romanian", "Ministrul a spus că podul nu este gata și s-a dus din nou la ei", "ministrul podul gata dus nou"),
    ("russian", "Министр сказал, что мост ещё не готов, но это было только вчера", "министр мост готов вчера"),
    (
        "slovak",
        "Minister povedal, že tunel v meste ešte nie je hotový, ale už ho vidieť",
        "minister tunel meste hotový vidieť",
    ),
    ("slovenian", "Minister je dejal, da predor v mestu še ni zgrajen, ampak ga bodo", "minister predor mestu zgrajen"),
    (
        "spanish",
        "El ministro dijo que el puente no está listo y que lo hará un amigo",
        "ministro puente listo hará amigo",
    ),
    ("swedish", "Ministern sade att bron inte är färdig, och det är våra barn hos oss", "ministern bron färdig barn"),
    ("turkish", "Bakan köprü için bir şey söyledi ama bu da çok değil ve daha kadar", "bakan köprü"),
    ("ukrainian", "Міністр сказав, що міст ще не готовий, але це вже було й раніше", "міністр міст готовий раніше"),
    ("urdu", "وزیر نے کہا ہے کہ پل ابھی تیار نہیں ہے اور کتاب بھی", "وزیر پل تیار کتاب"),
    ("vietnamese", "Chính phủ đã nói rằng cây cầu này vẫn chưa được xây và sẽ đóng", "chính phủ nói cây cầu xây đóng"),
]


def telling(texts):
    """The words of these texts that tell something."""
    tokens = read_tokens(texts)
    return {tokens.names[word] for word in tokens.words[tokens.codes] if word >= 0}


def function_words(texts):
    tokens = read_tokens(texts)
    return foreign_function_words(tokens.names, tokens.codes, tokens.owners)


def test_every_list_is_of_words_as_texts_have_them_and_each_has_a_text_here():
    lists = languages._blocks()
    assert sorted(lists) == [language for language, *_ in SAID]
    for words in lists.values():
        assert 60 <= len(words) <= 400
        assert all(word == word.casefold() and not any(sign.isdigit() for sign in word) for word in words)


def test_no_word_stands_twice_in_a_list():
    for block in LISTS.read_text(encoding="utf-8").split("\n\n"):
        words = block.split()[1:]
        assert len(words) == len(set(words)), block[:20]


@walk("language, text, left", SAID)
def test_in_every_language_only_words_that_say_something_tell(language, text, left):
    assert telling([text] * 5) == set(left.split())
    assert function_words([text] * 5) <= {*languages._blocks()[language], "qu'il", "n'y", "c'est", "c'è"}


def test_what_holds_sentences_together_elsewhere_says_something_in_english():
    assert {"die", "war", "son", "car", "man", "left", "hill"} == telling([ENGLISH_TEXT] * 5)
    for word in ("die", "war", "son", "car", "man"):
        texts = [f"they saw the {word} again"] * 30 + ["they saw it again"] * 30
        assert [term.term for term in GroupWords(texts, np.repeat([0, 1], 30), 2).of_group(0)] == [word]


@pytest.mark.parametrize("strays", [0, 1, 2])
def test_a_few_stray_texts_in_another_language_change_nothing(strays):
    texts = [ENGLISH_TEXT] * 98 + [GERMAN] * strays
    assert function_words(texts) == frozenset()
    assert {"die", "war", "man"} <= telling(texts)


def test_in_two_languages_a_word_counts_as_it_mostly_does():
    texts = [ENGLISH_TEXT, "The war went on"] * 40 + [GERMAN, "Und die Kinder hat die Stadt nicht mehr"] * 30
    found = telling(texts)
    assert "war" in found  # 80 times in English, 30 in German
    assert not {"die", "und", "nicht", "hat", "mehr"} & found
    assert {"brücke", "kinder", "stadt", "son", "car"} <= found


def test_groups_in_two_languages_are_told_apart_by_what_they_say():
    texts = [GERMAN] * 40 + ["El puente es de la ciudad y no lo quieren"] * 40
    words = GroupWords(texts, np.repeat([0, 1], 40), 2)
    found = [[term.term.split() for term in words.of_group(group)] for group in (0, 1)]
    ends = [{end for term in terms for end in (term[0], term[-1])} for terms in found]
    assert ends[0] <= {"brücke", "alt", "gebraucht"}
    assert ends[1] <= {"puente", "ciudad"}
    assert all(ends)


def test_short_posts_count_too():
    posts = [f"que lo sabe todo el {word}" for word in ("puente", "barrio", "tren", "campo")]
    assert telling([*posts, "y el tren de ayer"] * 5) == {"sabe", "puente", "barrio", "tren", "campo", "ayer"}


def test_the_same_word_again_and_again_is_no_language():
    assert telling(["ha ha", "die die die", "que que"] * 5) == {"ha", "die", "que"}


def names_in(texts):
    terms = count_terms(texts, 3)
    return {terms.name(number) for number in range(len(terms.runs))}


def test_a_phrase_begins_and_ends_with_no_function_word_of_its_language():
    names = names_in(["Une marche pour le climat a eu lieu, et c'est la ville de Paris."] * 5)
    assert {"marche pour le climat", "ville de paris"} <= names
    assert not {"une marche", "pour le climat", "la ville", "c'est", "et"} & names
    assert names_in(["Es war die Frage, und so weiter."] * 5) == {"frage"}


@given(st.permutations([ENGLISH_TEXT, GERMAN, *(text for _, text, _ in SAID[:6])] * 2))
def test_the_order_of_the_texts_changes_nothing(texts):
    assert telling(texts) == telling(sorted(texts))


@given(st.lists(st.sampled_from([ENGLISH_TEXT, GERMAN, "", "2 + 2", *(text for _, text, _ in SAID)]), max_size=30))
def test_english_function_words_never_tell_and_nothing_outside_of_the_lists_is_lost(texts):
    found, every = function_words(texts), frozenset().union(*languages._blocks().values())
    assert not {word for word in telling(texts) if is_function_word(word)}
    assert not {word for word in found if word not in every and not any(sign in word for sign in "'-")}
    assert ENGLISH.isdisjoint(telling(texts))


def test_of_very_many_texts_some_are_judged_and_words_of_the_others_count_too(monkeypatch):
    texts = [GERMAN, "Wir haben es von der Stadt gehört.", "Und ihr seid in den Bergen."] * 40
    all_judged = telling(texts)
    monkeypatch.setattr(languages, "MOST_JUDGED", 40)  # every third: the first of the three alone
    assert telling(texts) == all_judged == {"brücke", "alt", "gebraucht", "stadt", "gehört", "bergen"}


def test_texts_without_words_are_in_no_language():
    assert function_words(["", "1 2 3", "--"]) == function_words([]) == frozenset()


def test_words_of_indias_scripts_keep_their_vowels():
    assert telling(["हिन्दी की किताबें। இலங்கை ஜனாதிபதி"]) >= {"हिन्दी", "किताबें", "இலங்கை", "ஜனாதிபதி"}


def test_words_of_indian_scripts_keep_their_vowels_where_texts_are_compared():
    assert Words.of(["सरकार की नीति"]).known == ("सरकार", "की", "नीति")


def test_the_page_names_every_language_that_has_a_list():
    page = " ".join((Path(__file__).parents[3] / "docs" / "journalists.md").read_text(encoding="utf-8").split())
    lists = page.partition("there are lists of such words for ")[2].partition(". ")[0]
    named = re.findall(r"\w+", re.sub(r"\([^)]*\)", "", lists).casefold())
    assert sorted(set(named) - {"and"}) == sorted(languages._blocks())
