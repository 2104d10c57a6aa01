"""Whether a request can only have been sent by a program of this machine, for itself."""

import re
from typing import Any

from cmbs.api.shell.forwarded import Network, address_of

# A proxy says so in one of these, and a page in a browser in the first.
_OF_OTHERS = (
    *(b"origin", b"forwarded", b"via", b"x-real-ip", b"x-client-ip", b"x-original-forwarded-for"),
    *(b"cf-connecting-ip", b"true-client-ip", b"x-envoy-external-address"),
)
_BEGINNINGS = (b"x-forwarded", b"sec-fetch-")


def is_of_this_machine(scope: Any, proxies: tuple[Network, ...]) -> bool:
    """No proxy has sent it, behind which may be anybody; one that tells nothing is not seen."""
    if proxies or not scope["client"] or not _is_loopback(scope["client"][0]):
        return False
    if any(name in _OF_OTHERS or name.startswith(_BEGINNINGS) for name, _ in scope["headers"]):
        return False
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and _is_local(hosts[0])


def _is_local(host: str) -> bool:
    name = re.sub(r":\d*$", "", host.lower())
    return name == "localhost" or _is_loopback(name.strip("[]"))


def _is_loopback(text: str) -> bool:
    found = address_of(text)
    return found is not None and found.is_loopback
