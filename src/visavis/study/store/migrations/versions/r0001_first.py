"""The tables as they first were."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    _design()
    _workers()
    _answers()
    _remarks()


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _text(name: str, length: int | None = None, **more: object) -> sa.Column[str]:
    return sa.Column(name, sa.String(length) if length else sa.Text, nullable=bool(more.get("nullable", False)))


def _of(table: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=nullable)


def _design() -> None:
    op.create_table("study", sa.Column("key", sa.String(64), primary_key=True), _text("value"))
    op.create_table(
        "document", sa.Column("name", sa.Text, primary_key=True), sa.Column("group_code", sa.Integer, nullable=False),
        _text("part", 8), sa.Column("vector", sa.LargeBinary, nullable=False),
    )  # fmt: skip
    op.create_table(
        "article", _id(), _text("document"), sa.Column("group_code", sa.Integer, nullable=False), _text("title"),
        _text("lead"),
    )  # fmt: skip
    op.create_table(
        "pair", _id(), sa.Column("first", sa.Integer, nullable=False), sa.Column("second", sa.Integer, nullable=False)
    )
    op.create_table(
        "pick",
        sa.Column("pair_id", sa.Integer, sa.ForeignKey("pair.id"), primary_key=True),
        sa.Column("method", sa.String(64), primary_key=True),
        sa.Column("group_code", sa.Integer, primary_key=True),
        sa.Column("rank", sa.Integer, primary_key=True),
        _of("article"),
    )
    op.create_table("sheet", _id(), _of("pair"))
    op.create_table(
        "question", _id(), _of("sheet"), sa.Column("place", sa.Integer, nullable=False), _of("article"),
        sa.Column("group_code", sa.Integer, nullable=False),
    )  # fmt: skip
    op.create_index("ix_question_sheet_id", "question", ["sheet_id"])
    op.create_table(
        "automatic", _id(), _of("pair"), _text("method", 64), _text("classifier", 16), _text("scope", 16),
        sa.Column("accuracy", sa.Float, nullable=False),
    )  # fmt: skip
    op.create_table(
        "gold", _id(), sa.Column("lineage", sa.Integer, nullable=False), _text("content"),
        sa.Column("retired", sa.Boolean, nullable=False), sa.Column("made", sa.Float, nullable=False),
    )  # fmt: skip


def _workers() -> None:
    op.create_table(
        "worker", _id(), sa.Column("pseudonym", sa.String(32), nullable=False, unique=True), _text("session", 64),
        _text("state", 16), _text("before", 16), _text("declared"), sa.Column("joined", sa.Float, nullable=False),
    )  # fmt: skip
    op.create_index("ix_worker_session", "worker", ["session"])
    op.create_table(
        "unit", _id(), sa.Column("token", sa.String(64), nullable=False, unique=True), _of("worker"), _text("kind", 8),
        sa.Column("issued", sa.Float, nullable=False), sa.Column("expires", sa.Float, nullable=False),
        sa.Column("closed", sa.Float),
    )  # fmt: skip
    op.create_index("ix_unit_worker_id", "unit", ["worker_id"])


def _answers() -> None:
    op.create_table(
        "item", _id(), sa.Column("token", sa.String(64), nullable=False, unique=True), _of("unit"), _of("worker"),
        sa.Column("place", sa.Integer, nullable=False), _of("sheet", nullable=True),
        _text("method", 64, nullable=True), _of("gold", nullable=True), _text("shown"), _text("state", 16),
        sa.Column("began", sa.Float), sa.Column("answered", sa.Float), sa.Column("usefulness", sa.Integer),
        sa.Column("difficulty", sa.Integer), _text("comment", nullable=True),
        sa.UniqueConstraint("worker_id", "sheet_id", name="a_worker_meets_a_sheet_once"),
        sa.UniqueConstraint("worker_id", "gold_id", name="a_worker_meets_a_gold_once"),
    )  # fmt: skip
    op.create_index("ix_item_unit_id", "item", ["unit_id"])
    op.create_index("item_by_cell", "item", ["sheet_id", "method", "state"])
    op.create_index("item_by_state", "item", ["state"])
    op.create_table(
        "judgement", _id(), _of("item"), _of("worker"), sa.Column("place", sa.Integer, nullable=False),
        _of("question", nullable=True), _text("side", 8), sa.Column("group_code", sa.Integer),
        sa.Column("correct", sa.Boolean, nullable=False), sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("item_id", "place", name="a_question_is_answered_once"),
    )  # fmt: skip
    op.create_index("ix_judgement_worker_id", "judgement", ["worker_id"])


def _remarks() -> None:
    op.create_table(
        "flag", _id(), _of("worker"), _text("kind", 16), _text("note"), sa.Column("at", sa.Float, nullable=False)
    )
    op.create_index("ix_flag_worker_id", "flag", ["worker_id"])
    op.create_table(
        "event", _id(), sa.Column("at", sa.Float, nullable=False), _text("kind", 16), _of("worker", nullable=True),
        _text("note"),
    )  # fmt: skip
    op.create_index("ix_event_worker_id", "event", ["worker_id"])
