"""Gold questionnaires: two groups of articles and three questions whose answers are known beforehand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from visavis.errors import VisavisError
from visavis.study.shape import PER_SHEET, SIDES

LONGEST_TITLE, LONGEST_LEAD = 500, 5000
MOST_ARTICLES = 20


class BadGold(VisavisError):
    """A gold questionnaire lacks something, or has something it should not."""


@dataclass(frozen=True)
class Text:
    """What a worker reads of an article."""

    title: str
    lead: str = ""


@dataclass(frozen=True)
class GoldQuestion:
    """An article and the side it belongs to: "left" is the first group, "right" the second."""

    text: Text
    answer: str


@dataclass(frozen=True)
class Gold:
    """A questionnaire with known answers."""

    left: tuple[Text, ...]
    right: tuple[Text, ...]
    questions: tuple[GoldQuestion, ...]

    def __post_init__(self) -> None:
        for side in SIDES:
            if not 1 <= len(getattr(self, side)) <= MOST_ARTICLES:
                raise BadGold(f"the {side} group of a gold questionnaire needs 1 to {MOST_ARTICLES} articles")
        if len(self.questions) != PER_SHEET:
            raise BadGold(f"a gold questionnaire has {PER_SHEET} questions, got {len(self.questions)}")
        for text in (*self.left, *self.right, *(question.text for question in self.questions)):
            check_text(text)
        for question in self.questions:
            if question.answer not in SIDES:
                raise BadGold(f"a gold answer is 'left' or 'right', got {question.answer!r}")


@dataclass(frozen=True)
class Leads:
    """Whether some, or all, of the texts that a study shows have a lead."""

    some: bool
    all: bool

    def allow(self, text: Text) -> bool:
        """Whether a text looks like those of the study."""
        return self.some if text.lead else not self.all

    def check(self, texts: Iterable[Text], name: str) -> None:
        """Raises BadGold for a gold whose texts workers could tell by their leads."""
        texts = tuple(texts)
        bare = [text.title for text in texts if not text.lead]
        if self.all and bare:
            raise BadGold(f"{name}: {bare[0]!r} has no lead, but the articles of the study have one: write one")
        if not self.some and len(bare) < len(texts):
            raise BadGold(f"{name} has leads, but the articles of the study are titles alone: leave the leads out")


def leads_of(leads: Iterable[str]) -> Leads:
    """What the leads of a study's texts, "" for one without, say of them all."""
    has_lead = [bool(lead) for lead in leads]
    return Leads(any(has_lead), all(has_lead))


@dataclass(frozen=True)
class Look:
    """How questionnaires of a study look: articles a group, and leads."""

    articles: int
    leads: Leads

    def check(self, gold: Gold, name: str = "a gold questionnaire") -> None:
        """Raises BadGold for a gold that workers could tell by its looks."""
        for side in SIDES:
            count = len(getattr(gold, side))
            if count != self.articles:
                raise BadGold(
                    f"{name} has {count} articles in its {side} group, but the study shows {self.articles}: workers "
                    f"would know it by its looks; give it {self.articles}"
                )
        texts = (*gold.left, *gold.right, *(question.text for question in gold.questions))
        self.leads.check(texts, name)


def check_text(text: Text) -> None:
    """Raises BadGold for a text that cannot stand in a gold."""
    if not isinstance(text.title, str) or not isinstance(text.lead, str) or not text.title.strip():
        raise BadGold("every article of a gold questionnaire needs a title")
    if len(text.title) > LONGEST_TITLE or len(text.lead) > LONGEST_LEAD:
        raise BadGold(f"a gold title has at most {LONGEST_TITLE} characters and a lead at most {LONGEST_LEAD}")
    if "\x00" in text.title + text.lead:
        raise BadGold("a gold text holds a null character")
    if any("\ud800" <= letter <= "\udfff" for letter in text.title + text.lead):
        raise BadGold("a gold text holds half a character (a lone surrogate)")


def fits(text: Text) -> bool:
    """Whether a text may stand in a gold."""
    try:
        check_text(text)
    except BadGold:
        return False
    return True


def to_json(gold: Any) -> str:
    """How a gold questionnaire is stored."""
    return json.dumps(asdict(gold), ensure_ascii=False)


def from_record(record: Any) -> Gold:
    """A gold questionnaire from an object of the file: left, right (articles) and questions (articles, answers)."""
    if not isinstance(record, Mapping):
        raise BadGold("a gold questionnaire is an object with left, right and questions")
    missing = [name for name in (*SIDES, "questions") if not isinstance(record.get(name), list)]
    if missing:
        raise BadGold(f"a gold questionnaire needs the list {missing[0]!r}")
    left, right = (tuple(map(text_of, record[side])) for side in SIDES)
    return Gold(left, right, tuple(map(_question, record["questions"])))


def text_of(record: Any) -> Text:
    """A text from an object of the file. Raises BadGold."""
    if not isinstance(record, Mapping):
        raise BadGold("an article of a gold questionnaire is an object with title and lead")
    return Text(*(_one_line(record.get(name) or "") for name in ("title", "lead")))


def _one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def _question(record: Any) -> GoldQuestion:
    if not isinstance(record, Mapping):
        raise BadGold("a gold question is an object with title, lead and answer")
    inner = record.get("text")
    return GoldQuestion(text_of(inner if isinstance(inner, Mapping) else record), str(record.get("answer", "")))


def read_golds(path: str | Path, make: Callable[[Any], Any] = from_record) -> tuple[Any, ...]:
    """The gold questionnaires of a .json (a list), .jsonl (one a line) or .csv file, each once.

    `make` turns an object into a gold: one of the paper's task, or a comparison. A .csv, for the paper's task alone,
    has the columns gold, part (left, right, question), title, lead, answer. Raises BadGold, naming the place.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadGold(f"cannot read the gold file {str(path)!r}: {error}") from error
    try:
        records = _records(file.suffix.lower(), text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadGold(f"{file.name}, {place}: not JSON: {error.msg}") from error
    except (csv.Error, RecursionError) as error:
        raise BadGold(f"{file.name} cannot be read: {error}") from error
    except BadGold as error:
        raise BadGold(f"{file.name}: {error}") from None
    golds = []
    for number, record in enumerate(records, 1):
        try:
            golds.append(make(record))
        except BadGold as error:
            raise BadGold(f"{file.name}, questionnaire {number}: {error}") from None
    if not golds:
        raise BadGold(f"{file.name} holds no gold questionnaire")
    return tuple(dict.fromkeys(golds))


def _records(suffix: str, text: str) -> list[Any]:
    if suffix == ".jsonl":
        return [_line(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if suffix == ".json":
        found = json.loads(text)
        return found if isinstance(found, list) else [found]
    if suffix == ".csv":
        return _from_table(list(csv.DictReader(io.StringIO(text))))
    raise BadGold(f"a gold file ends in .json, .jsonl or .csv, not in {suffix!r}")


def _line(number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        error.lineno = number
        raise


def _from_table(rows: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    missing = {"gold", "part", "title"} - set(rows[0] if rows else ())
    if missing:
        raise BadGold(f"the gold table has no column {min(missing)!r}")
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = found.setdefault(row["gold"], {"left": [], "right": [], "questions": []})
        part = "questions" if row["part"] == "question" else row["part"]
        if part not in one:
            raise BadGold(f"part is left, right or question, got {row['part']!r}")
        one[part].append({"title": row["title"], "lead": row.get("lead"), "answer": row.get("answer")})
    return list(found.values())
