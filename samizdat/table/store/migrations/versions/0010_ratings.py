"""rated tables, what their matches made of ratings, and profiles that others may read"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rated",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("settled", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_rated_table")),
        sa.PrimaryKeyConstraint("table", name=op.f("pk_rated")),
    )
    op.create_table(
        "rating_steps",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_rating_steps_player")),
        sa.PrimaryKeyConstraint("player", "game", "n", name=op.f("pk_rating_steps")),
    )
    op.create_index("ix_rating_steps_match", "rating_steps", ["match"])
    op.add_column("accounts", sa.Column("shown", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("accounts", "shown")
    op.drop_table("rating_steps")
    op.drop_table("rated")
