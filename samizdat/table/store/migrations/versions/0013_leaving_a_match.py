"""how a seat came to its bot, and who wants to end a match"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("proposal", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("seatings", sa.Column("how", sa.String(length=8), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("seatings", "how")
    op.drop_column("tables", "proposal")
