"""Deploying the kernel: roles, migrations, then everything under sql/, in one transaction.

Every command asks here which revision it needs. Few deploy, and only those import SQLAlchemy and
Alembic.
"""

import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from cmbs.common.failure import Failure
from cmbs.database import calls
from cmbs.deploy.function_files import signatures, with_comment
from cmbs.deploy.resources import (
    helper_files,
    migrations_dir,
    operator_files,
    sql_dir,
    verb_files,
    view_files,
)

if TYPE_CHECKING:
    import sqlalchemy as sa
    from alembic.config import Config

# Alembic keeps the running migration in module globals.
_ONE_AT_A_TIME = threading.Lock()


class MigrationError(Failure):
    """A deployment that could not be made; the text is one sentence."""


def migrate(conninfo: str) -> str:
    """Bring a database to this version and return the revision it has then."""
    import sqlalchemy as sa
    from alembic import command

    with _engine(conninfo).begin() as connection:
        try:
            _run(connection, *_before_migrations())
            _check_known(connection)
            with _ONE_AT_A_TIME:
                command.upgrade(_config(connection), "head")
            _check_functions(connection)
            _run(connection, *_after_migrations())
        except sa.exc.DBAPIError as error:
            raise MigrationError(
                f"The database refused the deployment, nothing was changed: {_sentence(error.orig)}"
            ) from error
        return head()


def _check_known(connection: "sa.Connection") -> None:
    from alembic.runtime.migration import MigrationContext

    options = {"version_table": "revision", "version_table_schema": "cmbs_store"}
    found = MigrationContext.configure(connection, opts=options).get_current_revision()
    if found is not None and not knows(found):
        raise MigrationError(f"The database is of {why_unknown(found)}; nothing was changed")


def _check_functions(connection: "sa.Connection") -> None:
    """That every function there is will be replaced: none is left of an old signature."""
    import sqlalchemy as sa

    names = sa.func.cmbs_store.undeclared_functions(_declared())
    question = sql_dir() / "deploy" / "functions" / "undeclared_functions.sql"
    as_kernel, as_owner = _deploy("as_kernel"), _deploy("as_owner")
    _run(connection, as_kernel, _deploy("closed"), with_comment(question), as_owner)
    if found := connection.scalar(sa.select(names)):
        raise MigrationError(
            "The database holds functions that this version does not know, nothing was "
            f"changed; drop them first: {', '.join(found)}"
        )


def create_roles(conninfo: str) -> None:
    """Roles and their defaults, the ground for a dump; empty schemas make way for its own."""
    import sqlalchemy as sa

    with _engine(conninfo).begin() as connection:
        try:
            names = ("begin", "roles", "as_kernel", "closed", "as_owner", "closed")
            _run(connection, *map(_deploy, names))
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
        *_before_migrations(),
        migrations.getvalue(),
        *_after_migrations(),
        "commit;",
    ]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def roles_script() -> str:
    """The part of the script that needs an administrator."""
    return _deploy("roles")


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


def why_unknown(revision: str) -> str:
    """What to say of a revision that this version does not know."""
    if revision < min(_revisions()):
        return (
            f"revision {revision}, which was never released, and no other CMBS reads it: "
            "begin with an empty database, or use the CMBS that made this one"
        )
    return (
        f"revision {revision}, which this CMBS does not know: install the CMBS that it was made "
        "by, or a later one"
    )


def _revisions() -> set[str]:
    """By the names of their files, which begin with them in the order in which they run."""
    return {path.name.partition("_")[0] for path in _versions().glob("[0-9]*.py")}


def _versions() -> Path:
    return migrations_dir() / "versions"


def run_file(name: str) -> None:
    """Run an SQL file that stands under migrations/; for migrations."""
    from alembic import context, op

    sql = (migrations_dir() / name).read_text()
    if context.is_offline_mode():
        op.get_context().impl.static_output(sql)
    else:
        op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})


def _before_migrations() -> Iterator[str]:
    yield _deploy("begin")
    yield _deploy("roles")
    yield _deploy("as_owner")
    yield _deploy("closed")


def _after_migrations() -> Iterator[str]:
    """By kind, whatever room they are in."""
    yield _deploy("as_kernel")
    yield _deploy("closed")
    yield from map(with_comment, helper_files())
    yield from map(with_comment, verb_files())
    yield _deploy("as_owner")
    yield from map(with_comment, operator_files())
    yield from (path.read_text() for path in view_files())
    for path in sorted((sql_dir() / "deploy" / "triggers").glob("*.sql")):
        yield path.read_text()
    yield _deploy("privileges")
    yield _deploy("starter_packs")


def _deploy(name: str) -> str:
    return (sql_dir() / "deploy" / f"{name}.sql").read_text()


def _run(connection: "sa.Connection", *texts: str) -> None:
    # At once: one at a time they take twice as long.
    connection.exec_driver_sql("\n".join(texts), execution_options={"no_parameters": True})


def _declared() -> list[str]:
    """Every function that sql/ and the migrations declare."""
    paths = [*sql_dir().rglob("*.sql"), *migrations_dir().rglob("*.sql")]
    return sorted(name for path in paths for name in signatures(path.read_text()))


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
