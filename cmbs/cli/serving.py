"""What serving takes beside the server: its certificate, who is let in, a PostgreSQL that runs."""

import argparse
import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg

from cmbs import errors
from cmbs.common.failure import CommandError, RefusedError, UsageError
from cmbs.database import calls
from cmbs.database.connections import connect
from cmbs.deploy import embedded


def tls_files(options: argparse.Namespace) -> Any:
    """The certificate and its key, which are looked at before anything is started."""
    if not options.tls_cert and not options.tls_key:
        return None
    if not options.tls_cert or not options.tls_key:
        raise UsageError("TLS needs both, --tls-cert and --tls-key")
    from cmbs.api import serve

    tls = serve.Tls(options.tls_cert.absolute(), options.tls_key.absolute())
    try:
        tls.context()
    except serve.TlsError as error:
        raise CommandError(str(error)) from error
    return tls


def let_in(url: str, is_own: bool, no_auth: bool) -> tuple[bool, str]:
    """Whether requests need a token, and how the line says so; or the reason not to serve."""
    login = _login(url)
    if not login.is_open:
        if no_auth:
            raise RefusedError("there are principals in the database, so --no-auth is refused")
        if not login.is_servers:
            print(
                "cmbs: the server's login may do more than call verbs; better give it one that "
                "has the role cmbs_server and no other",
                file=sys.stderr,
                flush=True,
            )
        return True, "every request needs a token"
    if not no_auth and not is_own:
        raise RefusedError(
            "nobody could come in, as there is no token: make a principal with cmbs principal "
            "create and a token with cmbs token create, or let everybody in with --no-auth"
        )
    if not login.is_servers:
        raise RefusedError(
            "without tokens everybody would be the server's login, which may do too much; give "
            "the server a login that has the role cmbs_server and no other"
        )
    return False, "nobody needs a token (--no-auth)" if no_auth else "this machine needs no token"


class _Login(NamedTuple):
    """Whether there is no principal yet, and whether it is a login that is nobody by itself."""

    is_open: bool
    is_servers: bool


def _login(url: str) -> _Login:
    try:
        with connect(url, autocommit=True) as connection:
            try:
                found = calls.call(connection, "identify")
            except errors.Unauthenticated:
                return _Login(is_open=False, is_servers=True)
    except errors.Forbidden as error:
        raise RefusedError(f"the server's login may call nothing: {error.message}") from error
    except psycopg.Error as error:
        raise CommandError(
            f"the server's login cannot call verbs: {error.diag.message_primary or error}"
        ) from error
    # The kernel takes it for nobody as soon as there is a principal.
    is_servers = found["kind"] is None and found["tenant"] == "*" and "admin" not in found["roles"]
    return _Login(found["is_open"], is_servers)


@contextlib.contextmanager
def watched(server: embedded.Server | None) -> Iterator[None]:
    """Start the embedded PostgreSQL again whenever it has died, until it is to end."""
    over = threading.Event()

    def watch() -> None:
        while server and not over.wait(0.5):
            try:
                server.ensure_running()
            except (embedded.EmbeddedError, OSError) as error:
                print(f"cmbs: {error}", file=sys.stderr, flush=True)

    watcher = threading.Thread(target=watch, name="watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        # Or it would find the server stopped, and start it again.
        watcher.join()
