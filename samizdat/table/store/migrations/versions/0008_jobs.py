"""jobs for workers"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("work", sa.String(length=20), nullable=False),
        sa.Column("aside", sa.Boolean(), nullable=False),
        sa.Column("table", sa.String(length=40), nullable=True),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("visitor", sa.String(length=40), nullable=False),
        sa.Column("asked", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("person", sa.Boolean(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=80), nullable=True),
        sa.Column("lease", sa.Float(), nullable=True),
        sa.Column("began", sa.Float(), nullable=True),
        sa.Column("answered", sa.Float(), nullable=True),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_table", "jobs", ["table"])
    op.create_table(
        "workers",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )


def downgrade() -> None:
    op.drop_table("workers")
    op.drop_index("ix_jobs_table", "jobs")
    op.drop_table("jobs")
