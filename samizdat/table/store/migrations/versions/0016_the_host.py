"""who is kept out, tables that the host froze, and what became of backups"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("whom", sa.String(length=64), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("why", sa.String(length=200), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("whom", name=op.f("pk_bans")),
    )
    op.create_table(
        "frozen",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("why", sa.String(length=200), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_frozen_table")),
        sa.PrimaryKeyConstraint("table", name=op.f("pk_frozen")),
    )
    op.create_table(
        "backups",
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("file", sa.String(length=200), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("unproved", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=200), nullable=True),
        sa.PrimaryKeyConstraint("made", "file", name=op.f("pk_backups")),
    )


def downgrade() -> None:
    op.drop_table("backups")
    op.drop_table("frozen")
    op.drop_table("bans")
