"""clocks of tables, and the time of the house"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clocks",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("increment", sa.Float(), nullable=False),
        sa.Column("state", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("paused", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("due", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_clocks_table")),
        sa.PrimaryKeyConstraint("table", name=op.f("pk_clocks")),
    )
    op.create_index("ix_clocks_due", "clocks", ["due"])
    op.create_table(
        "served",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_served")),
    )


def downgrade() -> None:
    op.drop_table("served")
    op.drop_table("clocks")
