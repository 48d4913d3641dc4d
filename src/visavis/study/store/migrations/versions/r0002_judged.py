"""Workers remember whether the rule about golds was applied to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

RULE_AT = 18

JUDGED = f"""
UPDATE worker SET judged = :yes WHERE id IN (
    SELECT j.worker_id FROM judgement j JOIN item i ON i.id = j.item_id JOIN gold g ON g.id = i.gold_id
    WHERE g.retired = :no GROUP BY j.worker_id HAVING COUNT(*) >= {RULE_AT}
) OR id IN (
    SELECT worker_id FROM event WHERE kind = 'exclude' AND note LIKE '% of {RULE_AT} golds right'
)
"""


def upgrade() -> None:
    """Add the column; who has golds enough, or was excluded by the rule, has been judged."""
    op.add_column("worker", sa.Column("judged", sa.Boolean, nullable=False, server_default=sa.false()))
    values = (sa.bindparam("yes", True, sa.Boolean), sa.bindparam("no", False, sa.Boolean))
    op.get_bind().execute(sa.text(JUDGED).bindparams(*values))
