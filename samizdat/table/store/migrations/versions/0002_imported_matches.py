"""imported matches"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("imported", sa.Boolean(), server_default=sa.false(), nullable=False))
    # Until now nothing said so; but only an imported match was written down at the moment its table was made.
    op.execute(
        sa.text(
            "UPDATE tables SET imported = :yes WHERE EXISTS "
            '(SELECT 1 FROM journal WHERE journal."table" = tables.id AND journal.at = tables.made)'
        ).bindparams(sa.bindparam("yes", True, sa.Boolean()))
    )


def downgrade() -> None:
    op.drop_column("tables", "imported")
