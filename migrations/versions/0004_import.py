"""The drop of an old signature: an imported session has a time of its own."""

from cmbs.deploy.migrate import run_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_file("0004_import.sql")
