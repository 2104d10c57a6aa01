"""Running the application: one process, or several behind one socket."""

import contextlib
import functools
import http.client
import logging
import os
import resource
import socket
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import uvicorn
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from cmbs.api.app import create_app
from cmbs.api.shell import metrics, tracing
from cmbs.api.shell.admission import Terms
from cmbs.api.shell.http1 import Http1
from cmbs.common.log import line

log = logging.getLogger("cmbs.process")

# All workers together stay well below what PostgreSQL lets in by default.
_CONNECTIONS, _ALL_CONNECTIONS = 8, 64
# What is long keeps a processor busy: those who write have at least half of them.
_READERS = max(1, (os.cpu_count() or 1) // 2)
# After how many seconds each worker looks again for what is due.
_UPKEEP = 3.0


class PortError(Exception):
    """The address cannot be served on; the text is one sentence."""


class TlsError(Exception):
    """The certificate or its key cannot be used; the text is one sentence."""


class Tls(NamedTuple):
    """Files in PEM: the certificate with those that vouch for it, and its key."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        for name, path in (("certificate", self.certificate), ("key", self.key)):
            try:
                path.open("rb").close()
            except OSError as error:
                raise TlsError(f"the TLS {name} {path} cannot be read: {error.strerror}") from error
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            # A key with a password would ask for it, perhaps where nobody is.
            context.load_cert_chain(self.certificate, self.key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise TlsError(
                f"{self.certificate} and {self.key} cannot be used for TLS: they must hold, in PEM "
                "and without a password, a certificate and the key that belongs to it"
            ) from error
        return context


def listen(host: str, port: int) -> socket.socket:
    """The socket to serve on, taken before anything that takes longer is begun."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise PortError(f"the host {host} is not known: {error.strerror}") from error
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind(address)
        taken.listen(2048)
    except OSError as error:
        taken.close()
        raise PortError(
            f"port {port} on {host} cannot be used: {error.strerror}; "
            "choose another with --port, or another address with --host"
        ) from error
    return taken


def run(
    url: str,
    taken: socket.socket,
    workers: int,
    ready: Callable[[], None],
    terms: Terms,
    tls: Tls | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, which the caller's handlers then get too."""
    share = max(2, _ALL_CONNECTIONS // workers)
    readers = min(max(1, _READERS // workers), share // 2)
    connections = min(_CONNECTIONS, share - readers)
    # Each connection of a caller is an open file, and 1,024 of those are soon had.
    with contextlib.suppress(OSError, ValueError):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with metrics.kept() as kept:
        app = functools.partial(
            create_app, url, terms, kept, connections=connections, readers=readers, upkeep=_UPKEEP
        )
        config = _config(app, workers, tls)
        # The log is set up by now.
        tracing.warn_if_missing()
        _run(config, taken, ready, kept, tls)


def _config(app: Callable[[], ASGIApp], workers: int, tls: Tls | None) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=True,
        http=Http1,
        ws="none",
        loop="uvloop",
        lifespan="on",
        workers=workers,
        access_log=False,
        log_config=_LOGGING,
        server_header=False,
        # A header of the caller's could say anything.
        proxy_headers=False,
        ssl_context_factory=functools.partial(_context, tls) if tls else None,
        # Who waits for an answer gets it, unless that takes too long.
        timeout_graceful_shutdown=10,
    )


def _run(
    config: uvicorn.Config,
    taken: socket.socket,
    ready: Callable[[], None],
    kept: metrics.Kept,
    tls: Tls | None,
) -> None:
    if config.workers == 1:
        _Server(config, ready).run(sockets=[taken])
    else:
        waiting = threading.Thread(target=_await_worker, args=[taken, ready, tls], daemon=True)
        waiting.start()
        _Supervisor(config, taken, kept).run()


def _context(tls: Tls, *_: object) -> ssl.SSLContext:
    return tls.context()


def _await_worker(taken: socket.socket, ready: Callable[[], None], tls: Tls | None) -> None:
    """Others may know that it is ready when a worker answers, which is what they will ask of it."""
    host, port = taken.getsockname()[:2]
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection(host, port, timeout=5)
            if tls:
                # It asks itself, whatever names the certificate is for.
                context = ssl._create_unverified_context()
                connection = http.client.HTTPSConnection(host, port, timeout=5, context=context)
            with contextlib.closing(connection):
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    ready()
                    return
        time.sleep(0.1)


class _Supervisor(Multiprocess):
    """Says and counts that a worker died, and forgets what only a living one has."""

    def __init__(self, config: uvicorn.Config, taken: socket.socket, kept: metrics.Kept) -> None:
        super().__init__(config, sockets=[taken])
        self._kept, self._counters = kept, metrics.Counters(kept)

    def keep_subprocess_alive(self) -> None:
        before = [*self.processes]
        super().keep_subprocess_alive()
        for worker in before:
            if worker not in self.processes and worker.pid is not None:
                status = worker.process.exitcode
                log.error(line("died", "error", pid=worker.pid, exit_status=status))
                self._counters.died()
                metrics.forget_living(self._kept, worker.pid)


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


_LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "cmbs.common.log.Lines"}},
    "handlers": {
        "each": {"class": "logging.StreamHandler", "formatter": "lines"},
        "joined": {"class": "cmbs.common.log.Joined", "formatter": "lines"},
    },
    # What nobody else takes is theirs: asyncio and psycopg have something to say now and then.
    "root": {"handlers": ["each"], "level": "WARNING"},
    "loggers": {
        "cmbs": {"level": "INFO"},
        "cmbs.access": {"handlers": ["joined"], "level": "INFO", "propagate": False},
        "psycopg.pool": {"level": "ERROR"},
        # Their warnings name what callers send in `tracestate`.
        "opentelemetry.trace": {"level": "ERROR"},
        # And these what stands in OTEL_EXPORTER_OTLP_HEADERS, where keys are.
        "opentelemetry.util": {"level": "ERROR"},
        # Told once, and not with every batch: `traces lost`.
        "opentelemetry.exporter": {"level": "CRITICAL"},
        "opentelemetry.sdk._shared_internal": {"level": "CRITICAL"},
    },
}
