"""Execution, approval, failure: permits, answers to questions, deferrals, modes, shadows."""

from cmbs.deploy.migrate import run_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_file("0008_execution.sql")
