"""matches from a position, and the scenes that were solved"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("start", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "solved",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("scene", sa.String(length=60), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_solved_player")),
        sa.PrimaryKeyConstraint("player", "game", "scene", name=op.f("pk_solved")),
    )


def downgrade() -> None:
    op.drop_table("solved")
    op.drop_column("tables", "start")
