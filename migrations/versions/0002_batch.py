"""Drops of old signatures."""

from cmbs.deploy.migrate import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_file("0002_batch.sql")
