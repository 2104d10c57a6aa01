"""Everything that is created once: tables, types, indexes and frozen functions, a file a room."""

from cmbs.deploy.migrate import run_file

revision = "0012"
down_revision = None

# A room after those whose tables it names.
ROOMS = (
    "call",
    "identity",
    "belief",
    "gates",
    "log",
    "context",
    "policy",
    "verdict",
    "capability",
    "claim",
    "permit",
    "upkeep",
    "interrupt",
    "tee",
)


def upgrade() -> None:
    for room in ROOMS:
        run_file(f"baseline/{room}.sql")
