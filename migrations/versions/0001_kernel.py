"""Tables and frozen functions of the kernel."""

from cmbs.deploy.migrate import run_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_file("0001_kernel.sql")
    run_file("0001_frozen.sql")
