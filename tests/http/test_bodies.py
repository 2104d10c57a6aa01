"""Hostile bodies: refused with a documented answer, without any change, by a server that stays."""

import json
import re
from typing import Any

import pytest
from psycopg import Connection

from tests.http.test_errors import BODIES, TOLD, at, send
from tests.http.tour import message
from tests.http.wire import JSON, nothing_changes
from tests.support.sizes import sampled
from tests.support.web import ONTOLOGY, Client, refusal

DEEP = 30_000
NOT_JSON = {
    "empty text": b" ",
    "broken UTF-8": b'{"notes": "\xff"}',
    "UTF-8 cut short": b'{"notes": "\xc3"}',
    "a surrogate in UTF-8": b'{"notes": "\xed\xa0\x80"}',
    "a raw NUL": b'{"notes": "\x00"}',
    "only NUL": b"\x00",
    "a raw control": b'{"notes": "\x01"}',
    "a lone surrogate": b'{"notes": "\\ud800"}',
    "a lone low surrogate": b'{"notes": "\\udc00 \\ud800"}',
    "NaN": b'{"notes": NaN}',
    "Infinity": b'{"notes": -Infinity}',
    "a BOM": b"\xef\xbb\xbf{}",
    "UTF-16": '{"notes": "x"}'.encode("utf-16"),
    "truncated": b'{"notes": "x"',
    "truncated in a word": b'{"notes": tr',
    "two texts": b"{}{}",
    "trailing text": b"{} x",
    "a trailing comma": b'{"notes": "x",}',
    "other quotes": b"{'notes': 'x'}",
    "a comment": b"{} // x",
    "a bad escape": b'{"notes": "\\x"}',
    "a leading zero": b'{"notes": 01}',
}
NO_OBJECT = {
    "null": b"null",
    "a list": b"[]",
    "a text": b'"{}"',
    "a number": b"1e999999",
    "deep lists": b"[" * DEEP + b"]" * DEEP,
    "open lists": b"[" * DEEP,
}
TOO_DEEP = {
    "deep objects": b'{"notes": ' * DEEP + b"1" + b"}" * DEEP,
    "open objects": b'{"notes": ' * DEEP,
    "deep lists in a member": b'{"notes": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep lists nobody knows": b'{"x": ' + b"[" * DEEP + b"]" * DEEP + b"}",
}
# Ours has one line; that a place in many is found has a test of its own.
NO_JSON = r"must be (UTF-8|a JSON text)(; it ends too early)?(, at line 1, column \d+)?"
PROBLEMS = (
    {name: (body, NO_JSON) for name, body in NOT_JSON.items()}
    | {name: (body, "must be a JSON object") for name, body in NO_OBJECT.items()}
    | {name: (body, "is nested too deep") for name, body in TOO_DEEP.items()}
    | {
        "a key twice": (b'{"notes": "x", "notes": "x"}', "a key may appear once in an object"),
        "a key twice, escaped": (
            b'{"notes": "a:b", "n\\u006ftes": ":"}',
            "a key may appear once in an object",
        ),
    }
)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_body_that_is_no_json_object_is_refused_everywhere(
    client: Client, store: Connection[Any], name: str
) -> None:
    body, problem = PROBLEMS[name]
    session = client.declare()
    with nothing_changes(store):
        for path in BODIES:
            if "a key" in problem and ("hypothesis-spaces" in path or "batch" in path):
                # There the member is not known, and that comes first.
                continue
            method, url = BODIES[path][0], at(session, path)
            answer = client.request(method, url, content=body, headers=JSON)
            *refused, details = refusal(answer)
            assert (refused, details["member"]) == ([400, "INVALID_REQUEST"], "body"), path
            expected = problem if problem is NO_JSON else re.escape(problem)
            assert re.fullmatch(expected, details["problem"]), path
    assert client.get(f"{session}/verify").json()["ok"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b'{"notes": "x",\n "context": {"a": 1', "; it ends too early, at line 2, column 20"),
        (b'{"notes":\n\n  "x",}', ", at line 3, column 7"),
        ('{"notes": "\u00e4\u00e4", x}'.encode(), ", at line 1, column 17"),
    ],
)
def test_where_a_body_is_no_json(client: Client, body: bytes, where: str) -> None:
    answer = client.post(f"{client.declare()}/terminate", content=body, headers=JSON)
    details = {"member": "body", "problem": f"must be a JSON text{where}"}
    assert refusal(answer) == (400, "INVALID_REQUEST", details)


def test_no_depth_is_a_failure(client: Client, store: Connection[Any]) -> None:
    session = client.declare()
    told = set()
    with nothing_changes(store):
        for n in range(850, 1001):
            body = '{"source_id": 1, "justification": ' + "[" * n + "]" * n + "}"
            answer = client.post(f"{session}/eliminate", content=body, headers=JSON)
            told.add((answer.status_code, refusal(answer)[2]["problem"]))
    assert told == {(400, "must be a text"), (400, "is nested too deep")}


def test_no_key_is_there_twice_in_what_a_session_is(client: Client, store: Connection[Any]) -> None:
    whole = json.dumps({"ontology": ONTOLOGY, "hypotheses": ["a"], "policy": {}})
    twice = {
        "ontology": whole.replace('"graph"', '"graph", "causal_graph_ref": "graph"'),
        "policy": whole.replace("{}", '{"stability_window": 1, "stability_\\u0077indow": 1}'),
    }
    unknown = {
        "ontology": whole.replace('"graph"', '"graph", "x": 1'),
        "policy": whole.replace("{}", '{"stability": 1}'),
    }
    with nothing_changes(store):
        for member in twice:
            answer = client.post("/v1/sessions", content=twice[member], headers=JSON)
            details = {"member": member, "problem": "a key may appear once in an object"}
            assert refusal(answer) == (400, "INVALID_REQUEST", details)
            answer = client.post("/v1/sessions", content=unknown[member], headers=JSON)
            assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


LEAVES = {
    "NUL": ('{"x": "\\u0000"}', None),
    "NUL in a key": ('{"\\u0000": 1}', None),
    "a key twice": ('{"x": 1, "x": 1}', "a key may appear once in an object"),
    "a key twice, below": ('{"y": [{"x": 1, "\\u0078": 2}]}', "a key may appear once in an object"),
    "129 levels": ('{"x": ' + "[" * 128 + "]" * 128 + "}", "may be nested 128 levels deep"),
    "129 objects": ('{"x": ' * 128 + "{}" + "}" * 128, "may be nested 128 levels deep"),
    "a list": ("[]", "must be a JSON object"),
    "a text": ('"x"', "must be a JSON object"),
    "true": ("true", "must be a JSON object"),
    "redactable": ('{"$redactable": 1}', "the key $redactable is reserved"),
    "redactable below": ('{"a": [{"$red\\u0061ctable": {}}]}', "the key $redactable is reserved"),
    "1e131000": ('{"x": 1e131000}', "numbers may have 1,000 digits on either side of the point"),
    "1,001 digits": (
        '{"x": %s}' % ("1" * 1001),
        "numbers may have 1,000 digits on either side of the point",
    ),
    "1,001 decimals": (
        '{"x": 0.%s}' % ("1" * 1001),
        "numbers may have 1,000 digits on either side of the point",
    ),
    "9 kB of 1e131000": (
        '{{"x": [{}]}}'.format(",".join(["1e131000"] * 1000)),
        "numbers may have 1,000 digits on either side of the point",
    ),
    "a number beyond numeric": ('{"x": 1e1310000000}', None),
    "1 MiB and a byte": ('{"x": "%s"}' % ("x" * (2**20 - 8)), "1 MiB of canonical text"),
    "4 MiB as sent": ('{"x": %s1}' % (" " * 2**22), "4 MiB as sent"),
}
FREE = {
    "/v1/sessions": "metadata",
    "/eliminate": "justification",
    "/obligations/o/exit": "context",
    "/conclusions": "context",
    "/terminate": "context",
    "/eliminate/batch": "justification",
}


def with_free(path: str, text: str) -> str:
    """A body whose free object is this text, as it is."""
    body, member = BODIES[path][1], FREE[path]
    if "batch" in path:
        return '{{"messages": [{}]}}'.format(with_free("/eliminate", text))
    body = body | {"session_id": "6f9619ff-8b86-4d01-b42d-00c04fc964aa"} if "/v1" in path else body
    return json.dumps(body | {member: "HERE"}).replace('"HERE"', text)


@pytest.mark.parametrize("path", FREE)
@pytest.mark.parametrize("name", sampled(LEAVES))
def test_an_object_that_cannot_be_kept_is_refused(
    client: Client, store: Connection[Any], name: str, path: str
) -> None:
    text, problem = LEAVES[name]
    session = client.declare()
    if "/obligations/" in path:
        send(client, session, "/obligations")
    with nothing_changes(store):
        content = with_free(path, text)
        status, code, details = refusal(send(client, session, path, content=content, headers=JSON))
    if "MiB" in name:
        assert (status, code, details["limit"]) == (413, "PAYLOAD_TOO_LARGE", problem)
    else:
        assert (status, code) == (400, "INVALID_REQUEST")
        # A batch is looked through as a whole before its messages are.
        assert problem in (None, details["problem"]) or "batch" in path
        assert details["problem"]


@pytest.mark.parametrize("path", FREE)
def test_an_object_within_all_limits_is_kept(client: Client, path: str) -> None:
    big = "9" * 1000 + "." + "9" * 1000
    limits = ['{"x": "%s"}' % ("x" * (2**20 - 9)), '{"x": ' + "[" * 127 + "]" * 127 + "}"]
    limits += [f'{{"x": {big}}}', '{"x": null, "y": ""}', "{}", " null "]
    for text in limits:
        session = client.declare()
        if "/obligations/" in path:
            send(client, session, "/obligations")
        content = with_free(path, text).replace("00c04fc964aa", session[-12:])
        answer = send(client, session, path, content=content, headers=JSON)
        assert answer.is_success, text[:100] + answer.text[:500]


ELIMINATED = ["null", '"ab"', "{}", "[1]", "[null]", '[["a"]]', '["\\ud800"]', '["\\u0000"]']
ELIMINATED += ['[""]', '["%s"]' % ("x" * 513), '["%s"]' % ("ä" * 257), "[" * 900 + "]" * 900, "0"]


@pytest.mark.parametrize("text", ELIMINATED, ids=range(len(ELIMINATED)))
def test_only_lists_of_ids_are_eliminated(
    client: Client, store: Connection[Any], text: str
) -> None:
    session = client.declare()
    one = f'{{"source_id": "s", "observation_id": "o", "eliminated": {text}}}'
    with nothing_changes(store):
        for path, body in (("", one), ("/batch", f'{{"messages": [{one}]}}')):
            answer = client.post(f"{session}/eliminate{path}", content=body, headers=JSON)
            assert refusal(answer)[:2] == (400, "INVALID_REQUEST")
        declare = json.dumps({"ontology": ONTOLOGY})[:-1] + f', "hypotheses": {text}}}'
        if text != "null":
            answer = client.post("/v1/sessions", content=declare, headers=JSON)
            assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


BATCHES = ["null", "[]", "{}", "[1]", "[null]", "[[]]", "[{}]", '["x"]', "[" * DEEP + "]" * DEEP]
BATCHES += ['[{"source_id": "s", "source_id": "s", "observation_id": "o", "eliminated": []}]']
BATCHES += ['[{"source_id": "s", "observation_id": "o", "eliminated": [], "elminated": []}]']
BATCHES += ['[{"source_id": "s", "observation_id": "o"}]', '[{"justification": ' + '{"a":' * DEEP]


@pytest.mark.parametrize("text", BATCHES, ids=range(len(BATCHES)))
def test_only_lists_of_messages_are_a_batch(
    client: Client, store: Connection[Any], text: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        content = f'{{"messages": {text}}}'
        answer = client.post(f"{session}/eliminate/batch", content=content, headers=JSON)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


def test_a_batch_is_all_or_nothing(client: Client, store: Connection[Any]) -> None:
    session = client.declare()
    with nothing_changes(store):
        for last in (message("p", ""), message("o", "b"), {"source_id": "s"}, message("\x00")):
            batch = {"messages": [message("o", "a"), last]}
            answer = client.post(f"{session}/eliminate/batch", json=batch)
            assert answer.status_code in (400, 409)
            assert refusal(answer)[2].get("index", 1) == 1
        many = {"messages": [message(str(n)) for n in range(1001)]}
        answer = client.post(f"{session}/eliminate/batch", json=many)
        assert refusal(answer)[:2] == (413, "PAYLOAD_TOO_LARGE")


NUMBERS = ["-1", "1.0", "1.5", "1e2", "true", "null", '"1"', "[1]", str(2**63), "1" + "0" * 400]


@pytest.mark.parametrize("text", NUMBERS, ids=range(len(NUMBERS)))
def test_a_threshold_is_a_whole_number(client: Client, store: Connection[Any], text: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        content = f'{{"obligation_id": "o", "min_total_eliminations": {text}}}'
        answer = client.post(f"{session}/obligations", content=content, headers=JSON)
        problem = "must be a whole number of at least 0"
        details = {"member": "min_total_eliminations", "problem": problem}
        assert refusal(answer) == (400, "INVALID_REQUEST", details)


@pytest.mark.parametrize("path", sorted({*TOLD, "/v1/sessions"} - {"/eliminate/batch"}))
def test_notes_are_text_of_at_most_4_kib(client: Client, store: Connection[Any], path: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        for notes, status in (("ä" * 2049, 413), (1, 400), ({}, 400), ("\x00", 400)):
            body = BODIES[path][1] | {"notes": notes}
            assert refusal(send(client, session, path, json=body))[0] == status
