"""How a client connects: where to, and what it shows there."""

import ipaddress
import re
import ssl
from collections.abc import Mapping
from typing import TypedDict

import httpx

_TOKEN = re.compile("[!-~]+")


class Connection(TypedDict):
    """What httpx is told."""

    base_url: str
    # Their repr hides what an Authorization says.
    headers: httpx.Headers
    verify: ssl.SSLContext | bool
    trust_env: bool


def connection(
    base_url: str,
    headers: Mapping[str, str] | None,
    token: str | None,
    ssl_context: ssl.SSLContext | None,
) -> Connection:
    """What a client is made of; ValueError, without the token, if that cannot be."""
    url, shown = _address(base_url), httpx.Headers(headers)
    is_plain = url.scheme == "http"
    if token is not None:
        # httpx would say in its error what it could not send.
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise ValueError("token must be text of visible ASCII characters, without spaces")
        if is_plain and not _is_loopback(url.host):
            raise ValueError(
                f"a token is not sent to {url.host} over plain http, where others could read it; "
                "use https"
            )
        if url.userinfo or "authorization" in shown:
            raise ValueError(
                "a token is given and another authorization too, in base_url or in headers"
            )
        shown["Authorization"] = f"Bearer {token}"
    return {
        "base_url": base_url,
        "headers": shown,
        "verify": ssl_context or True,
        # A proxy that the environment names would read it, too.
        "trust_env": token is None or not is_plain,
    }


def _address(base_url: str) -> httpx.URL:
    """The address if it can be one of a server; else ValueError."""
    try:
        url = httpx.URL(base_url)
        is_one = url.scheme in ("http", "https") and url.host and (url.port or 0) < 1 << 16
    except (httpx.InvalidURL, TypeError):
        is_one = False
    if not is_one:
        raise ValueError(
            f"base_url must be the address of a server, such as http://127.0.0.1:8000; "
            f"it is {base_url!r}"
        )
    return url


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
