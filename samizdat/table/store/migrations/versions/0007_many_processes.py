"""events of a table are counted, and processes that share a database share its secret"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("events", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "shared",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_shared")),
    )


def downgrade() -> None:
    op.drop_table("shared")
    op.drop_column("tables", "events")
