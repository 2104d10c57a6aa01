"""A clock that is set back: what was granted before counts no more, and tokens end in time."""

from cmbs.deploy.migrate import run_file

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    run_file("0010_clock.sql")
