"""changes of seats"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seatings",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("was", sa.String(length=40), nullable=False),
        sa.Column("back", sa.Boolean(), nullable=False),
        sa.Column("held", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_seatings_table")),
        sa.PrimaryKeyConstraint("table", "n", name=op.f("pk_seatings")),
    )


def downgrade() -> None:
    op.drop_table("seatings")
