"""HTTPS: the same answers behind a certificate, from one process and from two."""

import re
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.serve import Tls, TlsError
from tests.http.test_authentication import SAFE
from tests.http.tour import tour
from tests.http.wire import answered, error_of, head, post, received
from tests.support.served import Served, running
from tests.support.servers import reachable_folder, until
from tests.support.web import Client, bearer, serving, token_of

# For localhost, and for a hundred years; it guards nothing.
HERE = Path(__file__).parent / "tls"
TLS = Tls(HERE / "certificate.pem", HERE / "key.pem")


@pytest.fixture(scope="module")
def trusted() -> ssl.SSLContext:
    """What a client needs to believe the certificate of these tests."""
    return ssl.create_default_context(cafile=TLS.certificate)


@pytest.fixture
def address(database: str) -> Iterator[str]:
    with serving(database, tls=TLS) as address:
        yield address


def test_every_route_answers_over_tls(address: str, trusted: ssl.SSLContext) -> None:
    with Client(base_url=address, verify=trusted) as client:
        for _, status, answer in tour(client):
            assert answer.status_code == status, answer.text
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            assert {name: answer.headers[name] for name in SAFE} == SAFE
        big = client.declare(*map(str, range(100_000)))
        assert len(client.get(big).json()["survivors"]) == 100_000


def secured(address: str, trusted: ssl.SSLContext) -> ssl.SSLSocket:
    port = int(address.rpartition(":")[2])
    plain = socket.create_connection(("127.0.0.1", port), timeout=30)
    return trusted.wrap_socket(plain, server_hostname="localhost")


def test_requests_follow_each_other_in_one_connection(
    address: str, trusted: ssl.SSLContext
) -> None:
    many = [head("GET", "/healthz", close=False)] * 9
    many += [post("/v1/sessions", b"{", close=False), head("GET", "/healthz")]
    with secured(address, trusted) as connection:
        connection.sendall(b"".join(many))
        found = re.findall(rb"HTTP/1.1 (\d+) ", received(connection))
    assert found == [b"200"] * 9 + [b"400", b"200"]


def test_what_is_not_http_is_told_so(address: str, trusted: ssl.SSLContext) -> None:
    with secured(address, trusted) as connection:
        connection.sendall(b"NONSENSE\r\n\r\n")
        raw = received(connection)
    assert error_of(raw)[:2] == (400, "INVALID_REQUEST")
    assert answered(raw)[1]["strict-transport-security"] == "max-age=31536000"


def test_half_a_request_is_not_one(address: str, trusted: ssl.SSLContext) -> None:
    body = b'{"ontology": {}}'
    with secured(address, trusted) as connection:
        connection.sendall(post("/v1/sessions", body)[:-4])
        connection.unwrap()
    with Client(base_url=address, verify=trusted) as client:
        assert client.get("/v1/sessions").json()["sessions"] == []


def test_who_speaks_plainly_is_told_nothing(address: str) -> None:
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{address.replace('https', 'http')}/healthz")
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{address}/healthz")


def test_old_versions_are_not_spoken(address: str) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="deprecated"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        secured(address, old)


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.nightly), "2"])
def test_it_serves_with_a_certificate(database: str, trusted: ssl.SSLContext, workers: str) -> None:
    token = bearer(token_of(database, "ann", "agent", tenant="default"))
    url = make_conninfo(database, user="cmbs_server")
    arguments = ("--database-url", url, "--workers", workers)
    files = ("--tls-cert", str(TLS.certificate), "--tls-key", str(TLS.key))
    with reachable_folder() as folder:
        served = Served(folder, (*arguments, *files), trusted=trusted)
        with running(served):
            until(lambda: served.out.endswith("\n"))
            where = served.address
            ready = f"CMBS is ready: {where} (documentation: {where}/schema); every request"
            assert served.out == f"{ready} needs a token\n"
            with Client(base_url=where, verify=trusted, headers=token) as client:
                assert client.get(client.declare()).status_code == 200
            assert served.end() == 0


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    missing, empty = tmp_path / "none.pem", written(tmp_path, "empty.pem", "")
    bad: list[tuple[Any, str]] = [
        ((missing, TLS.key), f"the TLS certificate {missing} cannot be read: No such file"),
        ((TLS.certificate, missing), f"the TLS key {missing} cannot be read: No such file"),
        ((tmp_path, TLS.key), f"the TLS certificate {tmp_path} cannot be read: Is a directory"),
        ((empty, TLS.key), "must hold, in PEM and without a password"),
        ((TLS.certificate, empty), "must hold, in PEM and without a password"),
        ((TLS.certificate, TLS.certificate), "must hold, in PEM and without a password"),
    ]
    for files, told in bad:
        with pytest.raises(TlsError, match=re.escape(told)):
            Tls(*files).context()
