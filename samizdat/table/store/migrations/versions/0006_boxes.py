"""boxes of one's own, and those that matches are played with"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "printed",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_printed")),
    )
    op.create_table(
        "boxes",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["players.id"], name=op.f("fk_boxes_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boxes")),
    )
    op.create_index("ix_boxes_owner", "boxes", ["owner", "game"])
    op.add_column("tables", sa.Column("printed", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "printed")
    op.drop_index("ix_boxes_owner", "boxes")
    op.drop_table("boxes")
    op.drop_table("printed")
