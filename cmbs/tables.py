"""The views of the kernel as SQLAlchemy Core tables, for reads whose shape varies."""

import sqlalchemy as sa

metadata = sa.MetaData(schema="cmbs")

session = sa.Table(
    "session",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("declared_at", sa.DateTime(timezone=True)),
    sa.Column("hypothesis_space_id", sa.Text),
    sa.Column("n_hypotheses", sa.Integer),
    sa.Column("n_survivors", sa.Integer),
    sa.Column("terminated", sa.Boolean),
    sa.Column("audit_seq", sa.BigInteger),
)

audit_event = sa.Table(
    "audit_event",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
)
