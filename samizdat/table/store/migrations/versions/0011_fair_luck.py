"""what the seed of a match follows from, where browsers could add to it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("fair", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "fair")
