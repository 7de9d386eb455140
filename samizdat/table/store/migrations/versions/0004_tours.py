"""how far first games have come"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tours",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("tour", sa.String(length=20), nullable=False),
        sa.Column("met", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("folded", sa.Boolean(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_tours_table")),
        sa.PrimaryKeyConstraint("table", name=op.f("pk_tours")),
    )


def downgrade() -> None:
    op.drop_table("tours")
