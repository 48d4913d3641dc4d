"""The tables of a study: what was designed, who works on it, what each worker saw, and what they said."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

study = Table("study", metadata, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False))

document = Table(
    "document",
    metadata,
    Column("name", Text, primary_key=True),
    Column("group_code", Integer, nullable=False),
    Column("part", String(8), nullable=False),  # "train" or "test"
    Column("vector", LargeBinary, nullable=False),  # float32, little-endian
)

article = Table(
    "article",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document", Text, nullable=False),
    Column("group_code", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("lead", Text, nullable=False),
)

pair = Table(
    "pair",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("first", Integer, nullable=False),
    Column("second", Integer, nullable=False),
)

pick = Table(
    "pick",
    metadata,
    Column("pair_id", ForeignKey("pair.id"), primary_key=True),
    Column("method", String(64), primary_key=True),
    Column("group_code", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("article_id", ForeignKey("article.id"), nullable=False),
)

sheet = Table(
    "sheet",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pair_id", ForeignKey("pair.id"), nullable=False),
    Column("first_method", String(64)),  # of a comparison of two summaries
    Column("second_method", String(64)),
)

drawn = Table(
    "drawn",  # documents drawn at random that say what a group is
    metadata,
    Column("pair_id", ForeignKey("pair.id"), primary_key=True),
    Column("group_code", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("article_id", ForeignKey("article.id"), nullable=False),
)

question = Table(
    "question",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sheet_id", ForeignKey("sheet.id"), nullable=False, index=True),
    Column("place", Integer, nullable=False),
    Column("article_id", ForeignKey("article.id"), nullable=False),
    Column("group_code", Integer, nullable=False),
)

automatic = Table(
    "automatic",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pair_id", ForeignKey("pair.id"), nullable=False),
    Column("method", String(64), nullable=False),  # "" for a classifier that saw all of the training part
    Column("classifier", String(16), nullable=False),
    Column("scope", String(16), nullable=False),  # "test": the whole test part; "questions": the articles asked about
    Column("accuracy", Float, nullable=False),
)

gold = Table(
    "gold",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("lineage", Integer, nullable=False),  # the first of those this one is a new wording of
    Column("content", Text, nullable=False),
    Column("retired", Boolean, nullable=False),
    Column("made", Float, nullable=False),
)

machine = Table(
    "machine",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("token", String(64), nullable=False, unique=True),  # its hash
    Column("judgements", Integer, nullable=False),  # how many each cell takes of it
    Column("made", Float, nullable=False),
    Column("retired", Boolean, nullable=False),
)

worker = Table(
    "worker",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pseudonym", String(32), nullable=False, unique=True),
    Column("session", String(64), nullable=False, index=True),
    Column("state", String(16), nullable=False),
    Column("before", String(16), nullable=False),  # the state to return to when an exclusion is undone
    Column("declared", Text, nullable=False),
    Column("joined", Float, nullable=False),
    Column("judged", Boolean, nullable=False, default=False),  # whether the rule about golds was applied
    Column("machine_id", Integer, index=True),  # the machine that this is a sitting of; none for people
    Column("consent", String(16), nullable=False, default="", server_default=""),  # the version of the text agreed to
    Column("consented", Float),  # when
)

consent = Table(
    "consent",
    metadata,
    Column("version", String(16), primary_key=True),
    Column("text", Text, nullable=False),
    Column("since", Float, nullable=False),
)

payment = Table(
    "payment",
    metadata,
    Column("worker_id", ForeignKey("worker.id"), primary_key=True),
    Column("participant", Text, nullable=False),  # the id somebody came with, sealed with the keys
)

resume_code = Table(
    "resume_code",
    metadata,
    Column("code", String(64), primary_key=True),  # hashed
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("expires", Float, nullable=False),
)

exit_answer = Table(
    "exit_answer",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("question", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("worker_id", "question", name="an_exit_question_is_answered_once"),
)

unit = Table(
    "unit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("issued", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("closed", Float),
)

item = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("unit_id", ForeignKey("unit.id"), nullable=False, index=True),
    Column("worker_id", ForeignKey("worker.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("sheet_id", ForeignKey("sheet.id")),
    Column("method", String(64)),
    Column("gold_id", ForeignKey("gold.id")),
    Column("shown", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("began", Float),
    Column("answered", Float),
    Column("usefulness", Integer),
    Column("difficulty", Integer),
    Column("comment", Text),
    UniqueConstraint("worker_id", "sheet_id", name="a_worker_meets_a_sheet_once"),
    UniqueConstraint("worker_id", "gold_id", name="a_worker_meets_a_gold_once"),
    Index("item_by_cell", "sheet_id", "method", "state"),
    Index("item_by_state", "state"),
)

judgement = Table(
    "judgement",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("place", Integer, nullable=False),  # where on the page the question stood
    Column("question_id", ForeignKey("question.id")),
    Column("side", String(8), nullable=False),
    Column("group_code", Integer),  # the group chosen; none for gold
    Column("correct", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("item_id", "place", name="a_question_is_answered_once"),
)

preference = Table(
    "preference",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("side", String(8), nullable=False),
    Column("clearness", Integer),
    Column("reasons", Text, nullable=False),  # words parted by blanks
    Column("at", Float, nullable=False),
    UniqueConstraint("item_id", name="a_comparison_is_answered_once"),
)

transcript = Table(
    "transcript",  # what a machine was told and what it said
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("model", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("at", Float, nullable=False),
)

flag = Table(
    "flag",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("worker_id", ForeignKey("worker.id"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("at", Float, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("worker_id", ForeignKey("worker.id"), index=True),
    Column("note", Text, nullable=False),
)

DESIGNED = (study, document, article, pair, pick, sheet, drawn, question, automatic, gold)
# in the order in which rows can be deleted; `worker` goes last
OF_WORKERS = (exit_answer, resume_code, payment, event, flag, transcript, preference, judgement, item, unit)
