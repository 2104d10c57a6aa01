"""The database as administrators of callers ask it: what a login may not is told with who may."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from cmbs.cli.references import resolve
from cmbs.cli.target import current_target
from cmbs.common.failure import RefusedError
from cmbs.database import calls, tables
from cmbs.database.connections import connect, engine
from cmbs.database.failures import refusals_as_failures
from cmbs.deploy.target import Target
from cmbs.errors import Forbidden, Unauthenticated

_PAGE = 500


@contextmanager
def connected(options: argparse.Namespace) -> Iterator[psycopg.Connection[Any]]:
    with current_target(options, make=False) as database:
        resolve(options, database.url)
        with calling(database) as connection:
            yield connection


@contextmanager
def calling(database: Target) -> Iterator[psycopg.Connection[Any]]:
    """A connection whose refusals say who may: no command shows a token."""
    with connect(database.url, autocommit=True) as connection, refusals_as_failures():
        try:
            yield connection
        except (psycopg.Error, DBAPIError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            refusals = (InsufficientPrivilege, Unauthenticated, Forbidden)
            if not isinstance(cause, refusals) or (
                isinstance(cause, Forbidden) and "required_roles" not in cause.details
            ):
                raise
            problem = (cause.diag.message_primary or "").removesuffix(".")
            raise RefusedError(
                f"{problem}: log in as a member of cmbs_owner or cmbs_admin"
            ) from error


def pages(
    options: argparse.Namespace, verb: str, member: str, name: str | None = None
) -> Iterator[dict[str, Any]]:
    """What is listed of the tenant, or of every one that the login sees; only of this name."""
    more = {} if name is None else {"name": name}
    with current_target(options, make=False) as database, calling(database) as connection:
        listed: Sequence[str | None] = [options.tenant]
        if options.tenant is None:
            # Where there is none, the verb says what that means.
            listed = tenants(database.url, name) or listed
        for tenant in listed:
            after = None
            while True:
                page = calls.call(connection, verb, **more, limit=_PAGE, after=after, tenant=tenant)
                yield from page[member]
                after = page["next_after"]
                if after is None:
                    break


def tenants(url: str, name: str | None = None) -> Sequence[str]:
    """Those of the principals that the login sees; only of this name."""
    principal = tables.principal.c
    query = select(principal.tenant).distinct().order_by(principal.tenant)
    if name is not None:
        query = query.where(principal.name == name)
    with engine(url).connect() as connection:
        return connection.scalars(query).all()
