"""The address of a caller behind proxies that are trusted to tell it."""

import ipaddress
from typing import Any

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def client(scope: Any, proxies: tuple[Network, ...]) -> Any:
    """The last address that is no trusted proxy. Each proxy adds the address that it saw.

    What stands before the result, the caller may have made up.
    """
    found = scope["client"]
    if not found or (nearest := address_of(found[0])) is None:
        return found
    forwarded = b",".join(of for name, of in scope["headers"] if name == b"x-forwarded-for")
    hops = [hop.strip() for hop in forwarded.decode("latin-1").split(",")]
    while hops and any(nearest in network for network in proxies):
        hop = address_of(hops.pop())
        if hop is None:
            break
        nearest = hop
    return str(nearest), found[1]


def address_of(text: str) -> Address | None:
    """The address that a text is, if it is one."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    # A socket for both versions shows one of IPv4 like this.
    return getattr(found, "ipv4_mapped", None) or found
