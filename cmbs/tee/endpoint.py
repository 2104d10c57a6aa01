"""Where a Tee is, and how a client gets there."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

TOKEN, AUTHORITY = "CMBS_TEE_TOKEN", "CMBS_TEE_CA"

# What every server takes; of more, one that has no room will have none another time.
LARGE = 4 * 2**20 - 1024

_ENDPOINT = re.compile(r"(?:(https?)://)?((?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5})/?")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")
_OPTIONS = [
    # A graph has no bound that a client would know.
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    # A server that was away is looked for again before a caller has lost patience.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A service config from the name's records could retry, and wait, otherwise than we do.
    ("grpc.service_config_disable_resolution", 1),
]


@dataclass(frozen=True)
class Endpoint:
    """An address with what opens it. `authority` is a file of the certificates, in PEM, that may
    have signed the server's; without one those of gRPC count.
    """

    target: str
    is_tls: bool
    token: str | None = field(default=None, repr=False)
    authority: Path | None = None

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    def channel(self, of: Any) -> Any:
        """A channel of `grpc`, or of `grpc.aio`."""
        if not self.is_tls:
            return of.insecure_channel(self.target, _OPTIONS)
        authority = self.authority.read_bytes() if self.authority else None
        return of.secure_channel(self.target, grpc.ssl_channel_credentials(authority), _OPTIONS)


def parse(
    text: str, token: str | None = None, authority: str | os.PathLike[str] | None = None
) -> Endpoint:
    """`host:port`, with `https://` before it for TLS; `ValueError` for anything else."""
    found = _ENDPOINT.fullmatch(text)
    if not found or not 0 < int(found[2].rpartition(":")[2]) < 65536:
        raise ValueError(
            f"{text!r} is no address of a Tee; give host:port, with https:// before it for TLS"
        )
    if token is not None and not _TOKEN.fullmatch(token):
        raise ValueError("a token is of letters, digits and -._~+/= alone")
    is_tls = found[1] == "https" or (found[1] is None and authority is not None)
    if authority is not None and not is_tls:
        raise ValueError("certificates are of no use without TLS; begin the address with https://")
    return Endpoint(found[2], is_tls, token, Path(authority) if authority else None)
