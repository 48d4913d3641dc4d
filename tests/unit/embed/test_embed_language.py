import pytest

from visavis.embed.language import choose_embedder

ENGLISH = [
    "The committee met on Tuesday to discuss the new budget, and most members agreed that taxes should not rise.",
    "She said the river had flooded twice since the spring, but nobody from the city came to look.",
]
HEADLINES = ["Senate rejects budget deal", "Storm kills three near coast", "Police arrest former minister"]
OTHERS = {
    "German": [
        "Der Ausschuss traf sich am Dienstag, um über den neuen Haushalt zu sprechen, doch die Mehrheit war dagegen."
    ],
    "French": [
        "Le comité s'est réuni mardi pour discuter du nouveau budget, mais la plupart des membres étaient contre."
    ],
    "Spanish": [
        "El comité se reunió el martes para hablar del nuevo presupuesto, pero la mayoría de los miembros no quiso."
    ],
    "Russian": ["Комитет собрался во вторник, чтобы обсудить новый бюджет, но большинство было против."],
    "Chinese": ["委员会星期二开会讨论新的预算,但是大多数成员反对。", "洪水过后,没有人来看过这条河。"],
    "unaccented Spanish": ["la casa de la playa es grande y el perro de la familia no come en la casa"],
}


@pytest.mark.parametrize("texts", [ENGLISH, HEADLINES, [text.upper() for text in ENGLISH]])
def test_english_gets_word_vectors(texts):
    assert choose_embedder(texts) == "glove"


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_get_tfidf(language):
    assert choose_embedder(OTHERS[language]) == "tfidf"


@pytest.mark.parametrize("texts", [[], ["", " "], ["2019 1234"]])
def test_texts_without_words_get_tfidf(texts):
    assert choose_embedder(texts) == "tfidf"


def test_a_few_foreign_texts_do_not_change_the_choice():
    assert choose_embedder(ENGLISH * 10 + OTHERS["German"]) == "glove"
    assert choose_embedder(ENGLISH[:1] + OTHERS["German"] * 10) == "tfidf"
