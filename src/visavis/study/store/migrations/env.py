"""What alembic runs: it is handed an open connection and changes the tables over it."""

from __future__ import annotations

from alembic import context

from visavis.study.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
