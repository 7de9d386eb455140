"""who asks for a decision back, and what happens when time is over"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("plea", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("clocks", sa.Column("others", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("clocks", "others")
    op.drop_column("tables", "plea")
