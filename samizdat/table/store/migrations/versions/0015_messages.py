"""messages to people who are not at the table, and their holidays"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reaches",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("zone", sa.String(length=60), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("base", sa.String(length=200), nullable=False),
        sa.Column("feed", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_reaches_player")),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_reaches")),
        sa.UniqueConstraint("feed", name=op.f("uq_reaches_feed")),
    )
    op.create_table(
        "ways",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("address", sa.String(length=1000), nullable=False),
        sa.Column("secret", sa.String(length=300), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("confirmed", sa.Float(), nullable=True),
        sa.Column("used", sa.Float(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=200), nullable=True),
        sa.Column("failed", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_ways_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ways")),
    )
    op.create_index("ix_ways_player", "ways", ["player"])
    op.create_table(
        "messages",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("way", sa.String(length=16), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("table", sa.String(length=16), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("lease", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["way"], ["ways.id"], name=op.f("fk_messages_way")),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_messages_player")),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_messages_table")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_due", "messages", ["due"])
    op.create_index("ix_messages_way", "messages", ["way"])
    op.create_table(
        "holidays",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("first", sa.String(length=10), nullable=False),
        sa.Column("last", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_holidays_player")),
        sa.PrimaryKeyConstraint("player", "first", name=op.f("pk_holidays")),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_keys")),
    )


def downgrade() -> None:
    for table in ("keys", "holidays", "messages", "ways", "reaches"):
        op.drop_table(table)
