"""Elimination contexts: tables of their own, beside those of sessions."""

from cmbs.deploy.migrate import run_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_file("0005_contexts.sql")
