"""`cmbs tee serve`: the gRPC server of the Tee, and the embedded PostgreSQL under it."""

import argparse
import ipaddress
import os
import socket
from typing import Any

from cmbs.cli.arguments import add_command, mute, whole_number
from cmbs.cli.commands.serve import add_no_auth, add_tls
from cmbs.common.failure import CommandError


def add(group: Any) -> None:
    command = add_command(
        group, "serve", _serve, "serve a Tee over gRPC until it is told to stop", answers=""
    )
    command.add_argument(
        "--host", default="127.0.0.1", help="address to serve on (default: %(default)s)"
    )
    command.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=50051,
        help="0 takes a free one (default: %(default)s)",
    )
    add_tls(command)
    add_no_auth(command)
    command.epilog = (
        "The services of health and reflection answer too. A token is shown in the metadata "
        "authorization, as Bearer and the token. It may run beside cmbs serve on the same data "
        "directory. example: cmbs tee serve --port 50051"
    )


def _serve(options: argparse.Namespace) -> int:
    # Nothing else needs gRPC, and it takes a while to import.
    import asyncio

    # What it has to say beside what it raises is for who mends gRPC.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    import grpc

    from cmbs.cli.serving import let_in, tls_files, watched
    from cmbs.cli.target import current_target
    from cmbs.tee import server as tee

    tls = tls_files(options)
    credentials = None
    if tls:
        pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
        credentials = grpc.ssl_server_credentials([pair])
    host = _numeric(options.host)
    shown = f"[{host}]" if ":" in host else host
    with current_target(options) as database:
        server = database.server
        # Of a server that was joined whoever started it looks after, and starts it anew.
        own = server if server and server.owned else None
        with watched(own):
            url = server.url("cmbs", "cmbs_server") if server else database.url
            is_local = ipaddress.ip_address(host.partition("%")[0]).is_loopback
            _, who = let_in(url, is_local and server is not None, options.no_auth)

            def ready(port: int) -> None:
                try:
                    where = f"{'https://' * bool(tls)}{shown}:{port}"
                    print(f"the Tee is ready: {where} (gRPC, service tee.Tee); {who}", flush=True)
                except OSError:
                    # Whoever started it may not want to know, and others to be served.
                    mute()

            try:
                asyncio.run(tee.run(url, f"{shown}:{options.port}", ready, credentials))
            except tee.PortError as error:
                raise CommandError(str(error)) from error
    return 0


def _numeric(host: str) -> str:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CommandError(f"the host {host} is not known: {error.strerror}") from error
    return str(found[4][0])
