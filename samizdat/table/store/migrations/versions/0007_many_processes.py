"""what processes that share a database must know: how many events a table has, the secret, open scenes"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("events", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "shared",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_shared")),
    )
    op.create_table(
        "practices",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("scene", sa.String(length=60), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("keys", sa.JSON(), nullable=False),
        sa.Column("acts", sa.JSON(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_practices")),
    )
    op.create_index("ix_practices_changed", "practices", ["changed"])


def downgrade() -> None:
    op.drop_index("ix_practices_changed", "practices")
    op.drop_table("practices")
    op.drop_table("shared")
    op.drop_column("tables", "events")
