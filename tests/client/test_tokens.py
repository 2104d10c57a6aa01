"""A token goes to its server and nowhere else: not into a text, a log, or a clear connection."""

import asyncio
import logging
import shutil
import ssl
import subprocess
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cmbs import errors
from cmbs.client import AsyncClient, Client
from tests.client.between import Answered, fronting
from tests.client.conftest import Connect

TOKEN = "cmbs_" + "s3cret-T0ken" * 3
KINDS = [Client, AsyncClient]


def test_it_is_sent_with_every_request(connect: Connect) -> None:
    with fronting() as front:
        front.lie = lambda asked, behind: Answered(200, b'{"status": "ok"}')
        connect(front.address, token=TOKEN, headers={"X-Other": "1"}).healthz()
        connect(front.address).healthz()
    first, second = front.asked
    assert {k.lower(): v for k, v in first.headers.items()}["authorization"] == f"Bearer {TOKEN}"
    assert {k.lower(): v for k, v in first.headers.items()}["x-other"] == "1"
    assert "authorization" not in {name.lower() for name in second.headers}


def test_it_does_not_follow_to_another_server(connect: Connect) -> None:
    with fronting() as front, fronting() as other:
        front.lie = lambda asked, behind: Answered(307, b"", {"Location": other.address})
        with pytest.raises(errors.Unavailable):
            connect(front.address, token=TOKEN, retries=0).healthz()
    assert other.asked == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_in_no_text(
    kind: Any, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    client = kind("http://127.0.0.1:1", token=TOKEN, retries=0)
    texts = [repr(client), str(client), repr(vars(client)), repr(vars(client._http))]

    async def awaited() -> Any:
        return await client.healthz()

    ask = client.healthz if kind is Client else lambda: asyncio.run(awaited())
    with pytest.raises(errors.Unavailable) as caught:
        ask()
    texts += traceback.format_exception(caught.value)
    cause = caught.value.__cause__
    texts += [repr(caught.value), repr(caught.value.details), repr(cause), repr(vars(cause))]
    texts += [repr(getattr(cause, "request", None)), *capsys.readouterr(), caplog.text]
    assert caplog.records, "nothing would be found in a log that is empty"
    assert [text for text in texts if "s3cret" in text] == []


def test_nor_is_it_in_the_log_of_what_succeeds(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with fronting() as front:
        front.lie = lambda asked, behind: Answered(200, b'{"status": "ok"}')
        connect(front.address, token=TOKEN).healthz()
    assert "healthz" in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "address",
    [
        *("http://example.org", "http://10.0.0.1:8000", "http://0.0.0.0", "http://[::2]"),
        *("http://localhost.example.org", "http://127.0.0.1.example.org", "HTTP://example.org"),
    ],
)
def test_it_is_not_sent_in_the_clear(kind: Any, address: str) -> None:
    with pytest.raises(ValueError, match=r"not sent to .* over plain http.* use https") as caught:
        kind(address, token=TOKEN)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))
    kind(address)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "address",
    [
        *("http://127.0.0.1", "http://127.9.9.9:80", "http://localhost", "http://[::1]:8000"),
        *("https://example.org", "https://10.0.0.1:8443"),
    ],
)
def test_it_is_sent_where_nobody_else_reads(kind: Any, address: str) -> None:
    assert kind(address, token=TOKEN)._http.headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("token", ["", "a b", "s3cret\n", "s3cret\r\nX: y", "s3crét", b"s3cret", 3])
def test_a_token_that_is_none(kind: Any, token: Any) -> None:
    with pytest.raises(ValueError, match="token must be text of visible ASCII") as caught:
        kind("http://127.0.0.1", token=token)
    assert "s3cr" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("http://user:word@127.0.0.1", None),
        ("http://127.0.0.1", {"authorization": "Basic x"}),
    ],
)
def test_there_is_one_authorization(kind: Any, address: str, headers: Any) -> None:
    with pytest.raises(ValueError, match="another authorization"):
        kind(address, token=TOKEN, headers=headers)


def test_no_proxy_reads_it(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with fronting() as proxy, fronting() as front:
        for one in (proxy, front):
            one.lie = lambda asked, behind: Answered(200, b'{"status": "ok"}')
        monkeypatch.setenv("http_proxy", proxy.address)
        connect(front.address, token=TOKEN).healthz()
        assert (len(proxy.asked), len(front.asked)) == (0, 1)
        connect(front.address).healthz()
        assert (len(proxy.asked), len(front.asked)) == (1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_no_environment_is_read(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMBS_TOKEN", TOKEN)
    assert "authorization" not in kind("http://127.0.0.1")._http.headers


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a server with TLS, and the file of a certificate that vouches for it."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    key, certificate = str(tmp_path / "key"), str(tmp_path / "certificate")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", key, "-out", certificate, "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with fronting(tls=context) as front:
        front.lie = lambda asked, behind: Answered(200, b'{"status": "ok"}')
        yield front.address, certificate


def test_a_certificate_of_ones_own(connect: Connect, encrypted: tuple[str, str]) -> None:
    address, certificate = encrypted
    trusting = ssl.create_default_context(cafile=certificate)
    assert connect(address, token=TOKEN, ssl_context=trusting).healthz().status == "ok"
    with pytest.raises(errors.Unavailable, match="CERTIFICATE_VERIFY_FAILED") as caught:
        connect(address, token=TOKEN, retries=0).healthz()
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))
