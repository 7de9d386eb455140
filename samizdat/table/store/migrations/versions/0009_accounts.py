"""accounts, their keys, and the browsers that are signed in"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("page", sa.String(length=16), nullable=False),
        sa.Column("login", sa.String(length=40), nullable=True),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("paper", sa.String(length=64), nullable=True),
        sa.Column("paper_made", sa.Float(), nullable=True),
        sa.Column("leaving", sa.Float(), nullable=True),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_accounts_player")),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_accounts")),
        sa.UniqueConstraint("page", name=op.f("uq_accounts_page")),
        sa.UniqueConstraint("login", name=op.f("uq_accounts_login")),
        sa.UniqueConstraint("paper", name=op.f("uq_accounts_paper")),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=400), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("site", sa.String(length=255), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_passkeys_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=False),
        sa.Column("proved", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_sessions_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token", name=op.f("uq_sessions_token")),
    )
    op.create_index("ix_sessions_player", "sessions", ["player"])
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.String(length=128), nullable=False),
        sa.Column("player", sa.String(length=32), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("challenge", name=op.f("pk_challenges")),
    )
    op.create_table(
        "tries",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tries")),
    )
    op.create_index("ix_tries_key", "tries", ["key", "at"])


def downgrade() -> None:
    for name in ("tries", "challenges", "sessions", "passkeys", "accounts"):
        op.drop_table(name)
