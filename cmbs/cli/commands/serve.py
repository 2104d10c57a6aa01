"""`cmbs serve`: the HTTP server, and the embedded PostgreSQL under it."""

import argparse
import contextlib
import ipaddress
import signal
import socket
from pathlib import Path
from typing import Any, NoReturn

from cmbs.cli.arguments import add_command, mute, whole_number
from cmbs.common.failure import CommandError


def add(commands: Any) -> None:
    command = add_command(commands, "serve", _serve, answers="")
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
    from cmbs.cli.serving import let_in, tls_files, watched
    from cmbs.cli.target import current_target

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


def _listen(serve: Any, options: argparse.Namespace) -> socket.socket:
    try:
        taken: socket.socket = serve.listen(options.host, options.port)
    except serve.PortError as error:
        raise CommandError(str(error)) from error
    return taken


def _leave(*_: Any) -> NoReturn:
    # A second signal does not wait for the clean end that the first one began.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    raise SystemExit(0)
