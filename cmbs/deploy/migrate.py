"""Deploying the kernel: roles, migrations, then everything under sql/, in one transaction.

Every command asks here which revision it needs. Few deploy, and only those import SQLAlchemy and
Alembic.
"""

import io
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from cmbs.common.failure import Failure
from cmbs.database import calls
from cmbs.deploy.resources import migrations_dir, sql_dir

if TYPE_CHECKING:
    import sqlalchemy as sa
    from alembic.config import Config

# Alembic keeps the running migration in module globals.
_ONE_AT_A_TIME = threading.Lock()
_COMMENT = re.compile(r"^comment on function ([\w.]+\([^)]*\))\s+is$", re.MULTILINE)


class MigrationError(Failure):
    """A deployment that could not be made; the text is one sentence."""


def migrate(conninfo: str) -> str:
    """Bring a database to this version and return the revision it has then."""
    import sqlalchemy as sa
    from alembic import command

    with _engine(conninfo).begin() as connection:
        try:
            _run(connection, *_before_migrations())
            with _ONE_AT_A_TIME:
                command.upgrade(_config(connection), "head")
            _run(connection, *_after_migrations())
        except sa.exc.DBAPIError as error:
            raise MigrationError(
                f"The database refused the deployment, nothing was changed: {_sentence(error.orig)}"
            ) from error
        strangers = connection.scalar(sa.select(sa.func.cmbs_store.strangers(_declared())))
        if strangers:
            raise MigrationError(
                "The database holds functions that this version does not know, nothing was "
                f"changed; drop them first: {', '.join(strangers)}"
            )
        return head()


def create_roles(conninfo: str) -> None:
    """Only the roles, as the ground for a dump, which brings the schemas: empty ones make way."""
    import sqlalchemy as sa

    with _engine(conninfo).begin() as connection:
        try:
            _run(connection, sql_dir() / "begin.sql", sql_dir() / "roles.sql")
            for schema in ("cmbs", "cmbs_store"):
                connection.execute(sa.schema.DropSchema(schema))
        except sa.exc.DBAPIError as error:
            raise MigrationError(
                f"The roles could not be created, nothing was changed: {_sentence(error.orig)}"
            ) from error


def script() -> str:
    """Everything that `migrate` would run on an empty database, as one script."""
    from alembic import command

    migrations = io.StringIO()
    with _ONE_AT_A_TIME:
        command.upgrade(_config(output=migrations), "head", sql=True)
    parts = [
        "begin;",
        *(path.read_text() for path in _before_migrations()),
        migrations.getvalue(),
        *(path.read_text() for path in _after_migrations()),
        "commit;",
    ]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def roles_script() -> str:
    """The part of the script that needs an administrator."""
    return (sql_dir() / "roles.sql").read_text()


def revision(conninfo: str) -> str | None:
    """The revision that a database has; None if it holds no kernel."""
    with _connect(conninfo) as connection:
        try:
            found: str | None = calls.call(connection, "revision")
        except psycopg.errors.InsufficientPrivilege as error:
            raise MigrationError(
                "The login role may not use CMBS in this database; grant it cmbs_auditor to "
                "read, or cmbs_server to serve"
            ) from error
        except psycopg.ProgrammingError:
            return None
        return found


def is_deployed(conninfo: str) -> bool:
    """Whether there is a kernel, of any revision; asks the catalog alone."""
    import sqlalchemy as sa

    with _engine(conninfo).connect() as connection:
        return sa.inspect(connection).has_table("revision", schema="cmbs_store")


def head() -> str:
    """The revision of this version."""
    return max(_revisions())


def knows(revision: str) -> bool:
    """Whether a revision is one that this version can start from."""
    return revision in _revisions()


def _revisions() -> set[str]:
    """By the names of their files, which begin with them in the order in which they run."""
    return {path.name.partition("_")[0] for path in _versions().glob("[0-9]*.py")}


def _versions() -> Path:
    return migrations_dir() / "versions"


def run_file(name: str) -> None:
    """Run an SQL file that stands beside the migrations; for migrations."""
    from alembic import context, op

    sql = (_versions() / name).read_text()
    if context.is_offline_mode():
        op.get_context().impl.static_output(sql)
    else:
        op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})


def _before_migrations() -> Iterator[Path]:
    yield sql_dir() / "begin.sql"
    yield sql_dir() / "roles.sql"
    yield sql_dir() / "as_owner.sql"


def _after_migrations() -> Iterator[Path]:
    sql = sql_dir()
    yield sql / "as_kernel.sql"
    yield from sorted((sql / "functions").glob("*.sql"))
    yield from sorted((sql / "verbs").glob("*.sql"))
    yield sql / "as_owner.sql"
    yield from sorted((sql / "operators").glob("*.sql"))
    yield from sorted((sql / "views").glob("*.sql"))
    yield from sorted((sql / "triggers").glob("*.sql"))
    yield sql / "privileges.sql"
    yield sql / "starter_packs.sql"


def _run(connection: "sa.Connection", *paths: Path) -> None:
    # At once: one at a time they take twice as long.
    text = "\n".join(path.read_text() for path in paths)
    connection.exec_driver_sql(text, execution_options={"no_parameters": True})


def _declared() -> list[str]:
    """Every function that sql/ and the migrations declare: each has its comment."""
    paths = [*sql_dir().rglob("*.sql"), *_versions().glob("*.sql")]
    return sorted(name for path in paths for name in _COMMENT.findall(path.read_text()))


def _sentence(error: BaseException | None) -> str:
    return " ".join(str(error).split())


def _connect(conninfo: str) -> psycopg.Connection[Any]:
    try:
        connection = psycopg.connect(conninfo)
    except psycopg.OperationalError as error:
        raise MigrationError(f"The database cannot be reached: {_sentence(error)}") from error
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        connection.close()
        raise MigrationError(f"The database must have the encoding UTF8 and has {encoding}")
    return connection


def _engine(conninfo: str) -> "sa.Engine":
    import sqlalchemy as sa

    return sa.create_engine(
        "postgresql+psycopg://", creator=lambda: _connect(conninfo), poolclass=sa.NullPool
    )


def _config(
    connection: "sa.Connection | None" = None, output: io.StringIO | None = None
) -> "Config":
    from alembic.config import Config

    config = Config(output_buffer=output) if output else Config()
    config.set_main_option("script_location", str(migrations_dir()).replace("%", "%%"))
    if connection is not None:
        config.attributes["connection"] = connection
    return config
