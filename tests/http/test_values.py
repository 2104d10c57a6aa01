"""Values keep their digits and their characters, over the wire and back."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from tests.http.test_bodies import FREE, with_free
from tests.http.test_errors import send
from tests.http.wire import JSON, is_whole
from tests.support.web import Client

NUMBERS = {
    "1.10": "1.10",
    "1.0": "1.0",
    "1e2": "100",
    "1E+2": "100",
    "1.5e3": "1500",
    "1e-3": "0.001",
    "1.0e1": "10",
    "-0": "0",
    "-0.00": "0.00",
    "0e5": "0",
    "1e400": "1" + "0" * 400,
    "1" + "0" * 400: "1" + "0" * 400,
    "1e999": "1" + "0" * 999,
    "1e-1000": "0." + "0" * 999 + "1",
    "9007199254740993": "9007199254740993",
    "0.1000000000000000055511151231257827": "0.1000000000000000055511151231257827",
    "-123456789012345678901234567890.000": "-123456789012345678901234567890.000",
    "3.14159265358979323846264338327950288": "3.14159265358979323846264338327950288",
}


def kept(client: Client, path: str, text: str) -> str:
    """The free object of the event that a message with this one made, as it is written."""
    session = client.declare()
    if "/obligations/" in path:
        send(client, session, "/obligations")
    if path == "/v1/sessions":
        body = json.loads(with_free(path, "0"))
        del body["session_id"]
        content = json.dumps(body | {"metadata": "HERE"}).replace('"HERE"', text)
    else:
        content = with_free(path, text)
    answer = send(client, session, path, content=content.encode(), headers=JSON)
    assert answer.is_success, answer.text
    session = answer.headers.get("location", session)
    assert is_whole(client, session)
    trace = client.get(f"{session}/audit").text
    member = FREE[path]
    return trace[trace.rindex(f'"{member}": ') + len(member) + 4 :]


@pytest.mark.parametrize("path", FREE)
def test_numbers_keep_their_digits(client: Client, path: str) -> None:
    found = kept(client, path, '{"n": [%s]}' % ", ".join(NUMBERS))  # noqa: UP031
    assert found.startswith('{"n": [' + ", ".join(NUMBERS.values()) + "]}")


@pytest.mark.parametrize("path", FREE)
def test_strings_keep_every_character(client: Client, path: str) -> None:
    every = [chr(n) for n in range(1, 0x800)]
    every += [chr(n) for n in range(0x2000, 0x2070)] + ["\ufeff", "\uffff", "\U0010ffff", "\ue000"]
    for escaped in (True, False):
        text = json.dumps({"s": "".join(every), "".join(every): 1}, ensure_ascii=escaped)
        found, _ = json.JSONDecoder(strict=False).raw_decode(kept(client, path, text))
        assert found == {"s": "".join(every), "".join(every): 1}


def test_a_value_of_every_kind_comes_back(client: Client) -> None:
    value = {"a": [True, False, None, "", [], {}, [[]], {"": {"": 0}}], "": "x", " ": "\n"}
    found = kept(client, "/eliminate", json.dumps(value))
    assert json.JSONDecoder().raw_decode(found)[0] == value


def test_white_space_is_not_kept(client: Client) -> None:
    found = kept(client, "/eliminate", '{ "b" :\t1.50 ,\n "a" : [ 1 ,2 ] }')
    assert found.startswith('{"a": [1, 2], "b": 1.50}')


def test_a_justification_is_told_with_its_digits(client: Client) -> None:
    session = client.declare()
    content = with_free("/eliminate", '{"p": 1.10, "q": 1e2}')
    event = send(client, session, "/eliminate", content=content, headers=JSON).json()
    for path in ("/hypotheses/a", "/audit", f"/audit/{event['audit_event_id']}"):
        assert '"justification": {"p": 1.10, "q": 100}' in client.get(session + path).text
    lines = client.get(f"{session}/audit", headers={"Accept": "application/x-ndjson"}).text
    assert '\\"justification\\": {\\"p\\": 1.10, \\"q\\": 100}' in lines


def test_numbers_that_differ_in_digits_are_another_declare(client: Client) -> None:
    content = with_free("/v1/sessions", '{"n": 1.10}').replace("04fc964aa", "04fc964ab")
    first = client.post("/v1/sessions", content=content, headers=JSON)
    assert first.status_code == 201
    for other, status in (("1.10", 200), ("1.1", 409), ("11e-1", 409), ("110e-2", 200)):
        answer = client.post("/v1/sessions", content=content.replace("1.10", other), headers=JSON)
        assert answer.status_code == status, other


def test_entropy_is_the_logarithm_of_the_survivors(client: Client) -> None:
    import math

    for n in (1, 2, 3, 7, 1000):
        session = client.declare(*[f"h{i}" for i in range(n)])
        found: Any = re.search(r'"entropy_proxy": ([0-9.]+)', client.get(session).text)
        assert abs(Decimal(found[1]) - Decimal(math.log2(n))) < Decimal("1e-12")
