"""Tee: the causal graph that incidents share, what each of them rules out, and the mirror."""

from cmbs.deploy.migrate import run_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    run_file("0009_tee.sql")
