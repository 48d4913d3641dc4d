"""From extracted pages to a topic's documents; whatever is dropped is dropped for a reason, and can be brought back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from visavis.collect.records import Article, Cleaned, Drop, Extracted, Reason
from visavis.collect.state.store import Store
from visavis.collect.steps.folding import STEP, fold
from visavis.collect.text import judge
from visavis.collect.text.boilerplate import remove_boilerplate
from visavis.collect.text.walls import wall_verdict
from visavis.errors import InvalidParameter
from visavis.shared.progress import Count, uncounted


@dataclass(frozen=True)
class CleanOptions:
    """What makes a document: all topics if none is named; no languages, or "any" among them, means any."""

    topic: str | None = None
    fewest_words: int = 50
    languages: tuple[str, ...] = ("en",)
    spam_threshold: float = 1.0
    similarity: float = 0.8
    check_topic: bool = True

    def __post_init__(self) -> None:
        judge.language_codes(self.languages)
        if not 0 < self.similarity <= 1:
            raise InvalidParameter(f"similarity={self.similarity}: above 0, at most 1; 1 folds only equal texts")
        if self.fewest_words < 0:
            raise InvalidParameter(f"fewest_words={self.fewest_words}: 0 or more")


@dataclass(frozen=True)
class CleanResult:
    """Documents kept, drops by reason, and how many repeated sentences were taken out."""

    kept: int
    dropped: Mapping[str, int]
    sentences_removed: int


def clean_documents(store: Store, options: CleanOptions | None = None, tell: Count = uncounted) -> CleanResult:
    """Clean every topic (or one) anew from what was extracted; nothing is lost, so options can be tried out.

    `tell` hears how many of a topic's documents were looked at.

    Raises InvalidParameter for a topic that is not there.
    """
    options = options or CleanOptions()
    kept, sentences = 0, 0
    dropped: Counter[str] = Counter()
    for topic in store.chosen_topics(options.topic):
        documents, drops, removed = _clean_topic(store, topic, options, tell)
        store.set_cleaned(topic, documents, drops)
        kept += len(documents)
        sentences += removed
        dropped.update(drop.reason.label for drop in drops)
    return CleanResult(kept, MappingProxyType(dict(dropped)), sentences)


def _clean_topic(store: Store, topic: str, options: CleanOptions, tell: Count) -> tuple[list[Cleaned], list[Drop], int]:
    pairs = [(article, document) for article, document in store.documents(topic) if document.reason is None]
    documents = [document for _, document in pairs]
    bare = remove_boilerplate(
        [document.text for document in documents],
        [document.outlet for document in documents],
        [document.language for document in documents],
    )
    queries = [query.text for query in store.queries(topic)] if options.check_topic else []
    undone = store.undone(topic, STEP)
    drops: list[Drop] = []
    candidates: list[tuple[Article, Extracted]] = []
    for place, ((article, document), (text, _)) in enumerate(zip(pairs, bare, strict=True), start=1):
        tell(place, len(pairs))
        whole = replace(document, text=text)
        verdict = next(
            (one for one in _verdicts(whole, queries, options) if (article.url, one.label) not in undone), None
        )
        if verdict is not None:
            drops.append(Drop(topic, article.url, STEP, verdict))
        else:
            candidates.append((article, whole))
    spared = {url for url, label in undone if label == "duplicate"}
    kept, repeated = fold(topic, candidates, spared, options.similarity)
    return kept, drops + repeated, sum(removed for _, removed in bare)


def _verdicts(document: Extracted, queries: list[str], options: CleanOptions) -> Iterator[Reason]:
    """Everything that speaks against a document, the most telling first."""
    found = (
        document.wall,
        wall_verdict(document.title, document.text),
        judge.short_verdict(document.text, options.fewest_words),
        judge.language_verdict(document.language, options.languages),
        judge.spam_verdict(document.title, document.text, options.spam_threshold),
        judge.topic_verdict(document.title, document.text, queries),
    )
    return (verdict for verdict in found if verdict is not None)
