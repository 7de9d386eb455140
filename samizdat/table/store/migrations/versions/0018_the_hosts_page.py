"""who may see the host's page, how the house fares, what it told last, and for how long things are kept"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("frozen", sa.Column("at", sa.Float(), server_default=sa.text("0"), nullable=False))
    frozen = sa.table("frozen", sa.column("at", sa.Float()), sa.column("why", sa.String()))
    served = sa.table("served", sa.column("seconds", sa.Float()))
    # Clocks of tables that are frozen already stand still from now on. What was written of them was promised to be
    # the host's alone, and everybody at the table reads it from now on.
    now = sa.select(sa.func.coalesce(sa.func.max(served.c.seconds), 0.0)).scalar_subquery()
    op.execute(sa.update(frozen).values(at=now, why=""))
    op.create_table(
        "hosts",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("link", sa.Boolean(), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_hosts")),
    )
    op.create_table(
        "keeping",
        sa.Column("what", sa.String(length=12), nullable=False),
        sa.Column("days", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("what", name=op.f("pk_keeping")),
    )
    op.create_table(
        "samples",
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("process", sa.String(length=16), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("slot", "process", name=op.f("pk_samples")),
    )
    op.create_table(
        "log_lines",
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("process", sa.String(length=16), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("level", sa.String(length=8), nullable=False),
        sa.Column("words", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("at", "process", "n", name=op.f("pk_log_lines")),
    )


def downgrade() -> None:
    op.drop_table("log_lines")
    op.drop_table("samples")
    op.drop_table("keeping")
    op.drop_table("hosts")
    op.drop_column("frozen", "at")
