"""How Alembic finds our database: the connection is handed over by `store.migrate`."""

from __future__ import annotations

from alembic import context

from samizdat.table.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
