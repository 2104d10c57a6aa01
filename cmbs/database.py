"""Reading the views through SQLAlchemy Core."""

import psycopg
import sqlalchemy as sa


def engine(url: str) -> sa.Engine:
    # libpq reads more forms of an address than SQLAlchemy does.
    return sa.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=sa.NullPool
    )
