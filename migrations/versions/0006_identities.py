"""Identities: principals, their tokens, the log of both; and whose each session and space is."""

from cmbs.deploy.migrate import run_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_file("0006_identities.sql")
