"""talk at tables, stamps, what people mute, whom they block, and reports to the host"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

PEOPLE = ("mutes", "blocks")


def upgrade() -> None:
    op.add_column("tables", sa.Column("manners", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("tables", sa.Column("talked", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "talk",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("sheet", sa.String(length=8), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seatings", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_talk_table")),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_talk_player")),
        sa.PrimaryKeyConstraint("table", "sheet", "n", name=op.f("pk_talk")),
    )
    op.create_index("ix_talk_player", "talk", ["player"])
    op.create_table(
        "stamps",
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("sheet", sa.String(length=8), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("stamp", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=op.f("fk_stamps_table")),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_stamps_player")),
        sa.PrimaryKeyConstraint("table", "sheet", "n", "player", "stamp", name=op.f("pk_stamps")),
    )
    op.create_index("ix_stamps_player", "stamps", ["player"])
    for name in PEOPLE:
        op.create_table(
            name,
            sa.Column("player", sa.String(length=32), nullable=False),
            sa.Column("other", sa.String(length=32), nullable=False),
            sa.Column("at", sa.Float(), nullable=False),
            sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f(f"fk_{name}_player")),
            sa.ForeignKeyConstraint(["other"], ["players.id"], name=op.f(f"fk_{name}_other")),
            sa.PrimaryKeyConstraint("player", "other", name=op.f(f"pk_{name}")),
        )
        op.create_index(f"ix_{name}_other", name, ["other"])
    op.create_table(
        "muted_words",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_muted_words_player")),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_muted_words")),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("reporter", sa.String(length=32), nullable=False),
        sa.Column("about", sa.String(length=32), nullable=False),
        sa.Column("table", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("closed", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["reporter"], ["players.id"], name=op.f("fk_reports_reporter")),
        sa.ForeignKeyConstraint(["about"], ["players.id"], name=op.f("fk_reports_about")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index("ix_reports_closed", "reports", ["closed", "at"])


def downgrade() -> None:
    for name in ("reports", "muted_words", *PEOPLE, "stamps", "talk"):
        op.drop_table(name)
    op.drop_column("tables", "talked")
    op.drop_column("tables", "manners")
