"""Comparisons of two summaries, preferences, and machines beside people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and columns; every worker so far is a person, every study so far sorts."""
    op.create_table(
        "machine",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("judgements", sa.Integer, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("retired", sa.Boolean, nullable=False),
    )
    op.add_column("worker", sa.Column("machine_id", sa.Integer))
    op.create_index("ix_worker_machine_id", "worker", ["machine_id"])
    op.add_column("sheet", sa.Column("first_method", sa.String(64)))
    op.add_column("sheet", sa.Column("second_method", sa.String(64)))
    op.create_table(
        "drawn",
        sa.Column("pair_id", sa.Integer, sa.ForeignKey("pair.id"), primary_key=True),
        sa.Column("group_code", sa.Integer, primary_key=True),
        sa.Column("rank", sa.Integer, primary_key=True),
        sa.Column("article_id", sa.Integer, sa.ForeignKey("article.id"), nullable=False),
    )
    _answers()


def _answers() -> None:
    op.create_table(
        "preference",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), nullable=False),
        sa.Column("worker_id", sa.Integer, sa.ForeignKey("worker.id"), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("clearness", sa.Integer),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("item_id", name="a_comparison_is_answered_once"),
    )
    op.create_index("ix_preference_worker_id", "preference", ["worker_id"])
    op.create_table(
        "transcript",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), nullable=False),
        sa.Column("worker_id", sa.Integer, sa.ForeignKey("worker.id"), nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("ix_transcript_worker_id", "transcript", ["worker_id"])
