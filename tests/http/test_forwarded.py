"""Whose address counts behind proxies, and which of them are believed."""

import ipaddress
import json
import logging
from typing import Any

import pytest

from cmbs.api.shell.admission import Terms
from cmbs.api.shell.forwarded import client
from tests.support.web import Client, serving

PROXIES = tuple(map(ipaddress.ip_network, ("127.0.0.1", "10.0.0.0/8", "2001:db8::/32")))


@pytest.mark.parametrize(
    ("peer", "told", "expected"),
    [
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("10.1.1.1", [], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", ["198.51.100.7,10.2.2.2 , 127.0.0.1"], "198.51.100.7"),
        ("10.1.1.1", ["10.3.3.3, 10.2.2.2"], "10.3.3.3"),
        ("::ffff:10.1.1.1", ["198.51.100.7"], "198.51.100.7"),
        ("2001:db8::1", ["2001:4860::5"], "2001:4860::5"),
        # What is no address, nobody believes; nor what stands before it.
        ("10.1.1.1", ["198.51.100.7, unknown"], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.7, unknown, 10.2.2.2"], "10.2.2.2"),
        ("10.1.1.1", [""], "10.1.1.1"),
        ("10.1.1.1", ["x:y:z"], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.7:80"], "10.1.1.1"),
        ("10.1.1.1", ["\xff" * 9000], "10.1.1.1"),
        ("testclient", ["198.51.100.7"], "testclient"),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy(
    peer: str, told: list[str], expected: str
) -> None:
    headers = [(b"x-forwarded-for", one.encode("latin-1")) for one in told]
    found = client({"client": (peer, 5), "headers": [*headers, (b"x", b"1.1.1.1")]}, PROXIES)
    assert found == (expected, 5)


def test_without_a_peer_there_is_no_address() -> None:
    assert client({"client": None, "headers": [(b"x-forwarded-for", b"1.1.1.1")]}, PROXIES) is None


@pytest.mark.parametrize("trusted", [(), PROXIES[:1], PROXIES[1:]])
def test_each_caller_behind_a_proxy_is_counted(
    database: str, trusted: tuple[Any, ...], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cmbs.access")
    terms = Terms(needs_token=True, rate=5, proxies=trusted)
    with serving(database, terms=terms) as address, Client(base_url=address) as proxy:
        statuses = set()
        for no in range(30):
            asks = {"X-Forwarded-For": f"made-up, 192.0.2.{no}"}
            status = proxy.get("/v1/sessions", headers=asks).status_code
            statuses.add(status)
        assert statuses == ({401} if trusted == PROXIES[:1] else {401, 429})
    (*_, last) = [one for one in caplog.messages if "request_id" in one]
    expected = "192.0.2.29" if trusted == PROXIES[:1] else "127.0.0.1"
    assert json.loads(last)["client"] == expected
