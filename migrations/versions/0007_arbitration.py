"""Arbitration: policy packs, registries, and what sessions hold beside their belief."""

from cmbs.deploy.migrate import run_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_file("0007_arbitration.sql")
