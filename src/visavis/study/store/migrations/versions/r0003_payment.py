"""What paying people needs: ids, what they agreed to, codes for another device, and answers at the end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; those who came before agreed to a text that was not kept."""
    op.add_column("worker", sa.Column("consent", sa.String(16), nullable=False, server_default=""))
    op.add_column("worker", sa.Column("consented", sa.Float))
    op.create_table(
        "consent", sa.Column("version", sa.String(16), primary_key=True), sa.Column("text", sa.Text, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )  # fmt: skip
    op.create_table(
        "payment", sa.Column("worker_id", sa.Integer, sa.ForeignKey("worker.id"), primary_key=True),
        sa.Column("participant", sa.Text, nullable=False),
    )  # fmt: skip
    op.create_table(
        "resume_code", sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("worker_id", sa.Integer, sa.ForeignKey("worker.id"), nullable=False, index=True),
        sa.Column("expires", sa.Float, nullable=False),
    )  # fmt: skip
    op.create_table(
        "exit_answer", sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("worker_id", sa.Integer, sa.ForeignKey("worker.id"), nullable=False, index=True),
        sa.Column("question", sa.String(64), nullable=False), sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("worker_id", "question", name="an_exit_question_is_answered_once"),
    )  # fmt: skip
