"""`cmbs serve`: the HTTP server, and the embedded PostgreSQL under it."""

import argparse
import contextlib
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import psycopg

from cmbs import errors
from cmbs.cli.arguments import add_command, mute, whole_number
from cmbs.cli.target import current_target
from cmbs.common.failure import CommandError
from cmbs.database import calls
from cmbs.database.connections import connect
from cmbs.deploy import embedded


def add(commands: Any) -> None:
    command = add_command(commands, "serve", _serve)
    command.add_argument(
        "--host", default="127.0.0.1", help="address to serve on (default: %(default)s)"
    )
    command.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=8000,
        help="0 takes a free one (default: %(default)s)",
    )
    command.add_argument(
        "--workers",
        # Each has a connection at least, and PostgreSQL lets 100 in by default.
        type=whole_number(1, 64),
        default=1,
        metavar="N",
        help="processes that serve (default: 1)",
    )
    add_tls(command)
    command.add_argument(
        "--rate-limit",
        type=whole_number(0, 1_000_000),
        default=1000,
        metavar="N",
        help="requests a second of each principal to each process; 0: any number (default: 1000)",
    )
    command.add_argument(
        "--trusted-proxy",
        type=_network,
        action="append",
        default=[],
        metavar="ADDRESS",
        help="address or network of a proxy whose X-Forwarded-For is believed; may be repeated",
    )
    add_no_auth(command)
    command.epilog = "example: cmbs serve --data-dir ./data --port 8080"


def add_tls(command: argparse.ArgumentParser) -> None:
    command.add_argument("--tls-cert", type=Path, metavar="FILE", help="certificate, for TLS")
    command.add_argument("--tls-key", type=Path, metavar="FILE", help="its key")


def add_no_auth(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--no-auth",
        action="store_true",
        help="let everybody in who reaches the address, as long as there is no principal",
    )


def _serve(options: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # Nothing else needs the web server, and it takes a while to import.
    from cmbs.api import serve
    from cmbs.api.shell.admission import Terms

    tls = tls_files(options)
    with (
        contextlib.closing(_listen(serve, options)) as taken,
        current_target(options, adopt=False) as database,
        watched(database.server),
    ):
        server = database.server
        url = server.url("cmbs", "cmbs_server") if server else database.url
        host, port = taken.getsockname()[:2]
        # Anybody may be behind a proxy.
        is_local = ipaddress.ip_address(host.partition("%")[0]).is_loopback
        is_local = is_local and not options.trusted_proxy
        needs_token, who = let_in(url, is_local and server is not None, options.no_auth)
        where = f"http{'s' * bool(tls)}://{f'[{host}]' if ':' in host else host}:{port}"

        def ready() -> None:
            try:
                print(f"CMBS is ready: {where} (documentation: {where}/schema); {who}", flush=True)
            except OSError:
                # Whoever started it may not want to know, and others to be served.
                mute()

        proxies = tuple(options.trusted_proxy)
        terms = Terms(needs_token, is_local, options.rate_limit, proxies)
        serve.run(url, taken, options.workers, ready, terms, tls)
        _leave()


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address or network, such as 10.0.0.7 or 10.0.0.0/8"
        ) from None


def tls_files(options: argparse.Namespace) -> Any:
    """The certificate and its key, which are looked at before anything is started."""
    if not options.tls_cert and not options.tls_key:
        return None
    if not options.tls_cert or not options.tls_key:
        raise CommandError("TLS needs both, --tls-cert and --tls-key")
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
            raise CommandError("there are principals in the database, so --no-auth is refused")
        if not login.is_servers:
            print(
                "cmbs: the server's login may do more than call verbs; better give it one that "
                "has the role cmbs_server and no other",
                file=sys.stderr,
                flush=True,
            )
        return True, "every request needs a token"
    if not no_auth and not is_own:
        raise CommandError(
            "nobody could come in, as there is no token: make a principal with cmbs principal "
            "create and a token with cmbs token create, or let everybody in with --no-auth"
        )
    if not login.is_servers:
        raise CommandError(
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
        raise CommandError(f"the server's login may call nothing: {error.message}") from error
    except psycopg.Error as error:
        raise CommandError(
            f"the server's login cannot call verbs: {error.diag.message_primary or error}"
        ) from error
    # The kernel takes it for nobody as soon as there is a principal.
    is_servers = found["kind"] is None and found["tenant"] == "*" and "admin" not in found["roles"]
    return _Login(found["is_open"], is_servers)


def _listen(serve: Any, options: argparse.Namespace) -> socket.socket:
    try:
        taken: socket.socket = serve.listen(options.host, options.port)
    except serve.PortError as error:
        raise CommandError(str(error)) from error
    return taken


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


def _leave(*_: Any) -> NoReturn:
    # A second signal does not wait for the clean end that the first one began.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    raise SystemExit(0)
