"""`cmbs serve`: the HTTP server, and the embedded PostgreSQL under it."""

import argparse
import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any, NoReturn

from cmbs import embedded
from cmbs.arguments import add_command, mute, whole_number
from cmbs.place import CommandError, current_database


def add(commands: Any) -> None:
    command = add_command(commands, "serve", _serve, "run the server until it is told to stop")
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
    command.epilog = "example: cmbs serve --data-dir ./data --port 8080"


def _serve(options: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # Nothing else needs the web server, and it takes a while to import.
    from cmbs.api import serve

    with (
        contextlib.closing(_listen(serve, options)) as taken,
        current_database(options, adopt=False) as database,
        _watched(database.server),
    ):
        server = database.server
        url = server.url("cmbs", "cmbs_server") if server else database.url
        host, port = taken.getsockname()[:2]
        where = f"http://{f'[{host}]' if ':' in host else host}:{port}"

        def ready() -> None:
            try:
                print(f"CMBS is ready: {where} (documentation: {where}/schema)", flush=True)
            except OSError:
                # Whoever started it may not want to know, and others to be served.
                mute()

        serve.run(url, taken, options.workers, ready)
        _leave()


def _listen(serve: Any, options: argparse.Namespace) -> socket.socket:
    try:
        taken: socket.socket = serve.listen(options.host, options.port)
    except serve.PortError as error:
        raise CommandError(str(error)) from error
    return taken


@contextlib.contextmanager
def _watched(server: embedded.Server | None) -> Iterator[None]:
    """Start the embedded PostgreSQL again whenever it has died, until it is to end."""
    over = threading.Event()

    def watch() -> None:
        while server and not over.wait(0.5):
            try:
                server.ensure_running()
            except embedded.EmbeddedError as error:
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
