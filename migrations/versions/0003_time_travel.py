"""Belief as of a time: drops the signature of before."""

from cmbs.deploy.migrate import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_file("0003_time_travel.sql")
