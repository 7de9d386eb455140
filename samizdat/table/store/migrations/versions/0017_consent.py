"""who asks for a decision back, what happens when time is over, and how old the links to seats are"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("plea", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("clocks", sa.Column("others", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("keyed", sa.Float(), server_default=sa.text("0"), nullable=False))
    # Links that were passed on before are as good as new ones.
    seats = sa.table("seats", sa.column("keyed", sa.Float()))
    op.execute(sa.update(seats).values(keyed=time.time()))


def downgrade() -> None:
    op.drop_column("seats", "keyed")
    op.drop_column("clocks", "others")
    op.drop_column("tables", "plea")
