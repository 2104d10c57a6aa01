"""Explain, diff, whatif, and belief as of a time, as they are asked for over HTTP."""

import gzip
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from psycopg import Connection

from tests.http.test_ids import IDS
from tests.http.wire import NO_EVENT, NOBODY, answered, events, exchange, head, nothing_changes
from tests.support.web import Client, refusal

WHATIF = "/whatif?without_source=s"


def storied(client: Client, *more: str) -> tuple[str, list[dict[str, Any]]]:
    """A session whose exit hangs on its only source, and its log."""
    session = client.declare("a", "b", "c", *more)
    client.post(f"{session}/obligations", json={"obligation_id": "o", "min_total_eliminations": 2})
    client.eliminate(session, "a", "b")
    client.post(f"{session}/obligations/o/exit")
    return session, events(client, session)


def paths(session: str, log: list[dict[str, Any]]) -> dict[str, str]:
    first, last = log[0]["event_id"], log[-1]["event_id"]
    return {
        "explain": f"{session}/explain",
        "diff": f"{session}/diff?from={first}&to={last}",
        "whatif": f"{session}{WHATIF}",
        "as of": f"{session}?as_of={log[-1]['ts']}",
    }


def test_what_is_asked_is_answered(client: Client, store: Connection[Any]) -> None:
    session, log = storied(client)
    with nothing_changes(store):
        found = client.get(f"{session}/explain?hypothesis_id=b&limit=1").json()
        assert found["hypothesis"] == client.get(f"{session}/hypotheses/b").json()
        assert found["termination"]["reason"] == "approved"
        found = client.get(paths(session, log)["diff"]).json()
        assert (found["n_events"], found["n_eliminated"]) == (3, 2)
        found = client.get(f"{session}{WHATIF}&without_observation=o").json()
        assert found["returning"] == ["a", "b"]
        assert [flip["verb"] for flip in found["flips"]] == ["REQUEST_EXIT"]


def test_the_head_of_an_explanation_is_its_tag(client: Client) -> None:
    session, log = storied(client)
    path, tag = f"{session}/explain", f'"{log[-1]["event_id"]}"'
    answer = client.get(path)
    assert answer.headers["etag"] == tag
    assert answer.json()["snapshot"]["audit_head_event_id"] in tag
    known = client.get(path, headers={"If-None-Match": tag})
    assert (known.status_code, known.content) == (304, b"")
    client.eliminate(session, "c", observation="more")
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_no_text_of_a_caller_is_taken_for_the_head(client: Client) -> None:
    session = client.declare("a", "b")
    forged = {"audit_head_event_id": NO_EVENT, '"audit_head_event_id": "': NO_EVENT}
    client.eliminate(session, "a", justification=forged)
    (*_, last) = events(client, session)
    assert client.get(f"{session}/explain").headers["etag"] == f'"{last["event_id"]}"'


def test_answers_are_packed_and_carry_the_request_id(client: Client) -> None:
    session, log = storied(client, *(f"{n:0100}" for n in range(100)))
    client.eliminate(session, *(f"{n:0100}" for n in range(100)), observation="more")
    for name, path in paths(session, log).items():
        sent = {"Accept-Encoding": "gzip", "X-Request-ID": f"me-{name.replace(' ', '-')}"}
        with client.stream("GET", path, headers=sent) as answer:
            packed = b"".join(answer.iter_raw())
        assert answer.headers["x-request-id"] == f"me-{name.replace(' ', '-')}"
        if answer.headers.get("content-encoding") == "gzip":
            packed = gzip.decompress(packed)
        assert packed == client.get(path, headers={"Accept-Encoding": "identity"}).content
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/explain", "/diff", "/whatif"])
def test_a_parameter_that_is_not_known_is_named(client: Client, path: str) -> None:
    session = client.declare()
    answer = client.get(f"{session}{path}?as_of={NO_EVENT}&source=s")
    assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["as_of", "source"]})
    for twice in ("limit=1&limit=1", "limit=1&%6cimit=2"):
        assert refusal(client.get(f"{session}{path}?{twice}"))[2]["member"] == "query"


@pytest.mark.parametrize("value", ["", "0", "-1", "1001", "x", "1.0", "+1", "9" * 30])
@pytest.mark.parametrize("path", ["/explain?", f"/diff?from={NO_EVENT}&to={NO_EVENT}&", WHATIF])
def test_limits(client: Client, path: str, value: str) -> None:
    session = client.declare()
    status, code, details = refusal(client.get(f"{session}{path}&limit={quote(value)}"))
    assert (status, code, details["member"]) == (400, "INVALID_REQUEST", "limit")


@pytest.mark.parametrize("name", ["from", "to"])
def test_both_ends_of_a_diff_are_needed(client: Client, name: str) -> None:
    session, log = storied(client)
    ends = {"from": log[0]["event_id"], "to": log[1]["event_id"]}
    for value, problem in (
        (None, "is missing"),
        ("", "must be the id of an event"),
        ("x", "must be the id of an event"),
        (log[0]["ts"], "must be the id of an event"),
    ):
        sent = {k: v for k, v in (ends | {name: value}).items() if v is not None}
        details = {"member": name, "problem": problem}
        answer = client.get(f"{session}/diff", params=sent)
        assert refusal(answer) == (400, "INVALID_REQUEST", details)
    answer = client.get(f"{session}/diff", params=ends | {name: NO_EVENT})
    assert refusal(answer)[:2] == (404, "EVENT_NOT_FOUND")


def test_what_nobody_sent_cannot_be_left_out(client: Client) -> None:
    session, _ = storied(client)
    answer = client.get(f"{session}/whatif?without_source=S")
    details = {"session_id": session[-36:], "source_id": "S", "observation_id": None}
    assert refusal(answer) == (404, "EVENT_NOT_FOUND", details)
    for query in ("", "?limit=1", "?without_source="):
        status, code, details = refusal(client.get(f"{session}/whatif{query}"))
        assert (status, code, details["member"]) == (400, "INVALID_REQUEST", "without_source")


def test_a_hypothesis_that_is_none_is_wrong_and_not_missing(client: Client) -> None:
    session, _ = storied(client)
    answer = client.get(f"{session}/explain?hypothesis_id=x")
    details = {"invalid": ["x"], "n_invalid": 1}
    assert refusal(answer)[:2] == (400, "INVALID_HYPOTHESIS_ID")
    assert refusal(answer)[2]["invalid"] == details["invalid"]
    assert refusal(client.get(f"{session}/explain?hypothesis_id="))[:2] == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("session", [NOBODY, "/v1/sessions/x", "/v1/sessions/%00"])
def test_a_session_that_is_not_there(client: Client, session: str) -> None:
    for path in ("/explain", WHATIF, f"/diff?from={NO_EVENT}&to={NO_EVENT}"):
        assert refusal(client.get(f"{session}{path}"))[:2] == (404, "SESSION_NOT_FOUND"), path


def test_every_id_can_be_asked_for(client: Client) -> None:
    ids = [name for name in IDS if "\0" not in name]
    session = client.declare(*ids)
    for number, name in enumerate(ids):
        client.eliminate(session, name, observation=f"o {number}", source_id=name)
    for number, name in enumerate(ids):
        found = client.get(f"{session}/whatif", params={"without_source": name}).json()
        assert found["returning"] == [name]
        observed = {"without_observation": f"o {number}"}
        assert client.get(f"{session}/whatif", params=observed).json()["returning"] == [name]
        found = client.get(f"{session}/explain?hypothesis_id={quote(name, safe='')}").json()
        assert found["eliminations"]["events"][0]["source_id"] == name


def test_as_of_a_time(client: Client) -> None:
    session, log = storied(client)
    for event in log:
        expected = client.get(f"{session}?as_of={event['event_id']}")
        at = datetime.fromisoformat(event["ts"])
        for told in spellings(at):
            answer = client.get(session, params={"as_of": told})
            assert answer.json() == expected.json(), told
            assert answer.headers["etag"] == expected.headers["etag"]
            sent = {"If-None-Match": expected.headers["etag"]}
            assert client.get(session, params={"as_of": told}, headers=sent).status_code == 304
    assert client.get(f"{session}?as_of=9999-12-31T23:59:59.9999999Z").json() == (
        client.get(session).json()
    )


def spellings(at: datetime) -> list[str]:
    plain = at.strftime("%Y-%m-%dT%H:%M:%S.%f")
    zones = [timezone(timedelta(hours=hours, minutes=15)) for hours in (-23, 0, 13)]
    return [
        *(f"{plain}{zone}" for zone in ("Z", "z", "+00:00", "-00:00", "999Z", "9" * 94 + "Z")),
        f"{plain.replace('T', ' ')}Z",
        f"{plain.lower()}Z",
        *(at.astimezone(zone).isoformat() for zone in zones),
    ]


def test_a_leap_second_is_the_one_before_and_one_more(client: Client) -> None:
    session, log = storied(client)
    for told, status in (("2016-12-31T23:59:60Z", 404), ("2400-12-31T23:59:60.5Z", 200)):
        assert client.get(session, params={"as_of": told}).status_code == status
    assert client.get(f"{session}?as_of=2400-12-31T18:59:60-05:00").json()["audit_seq"] == len(log)


def test_before_the_declare_there_was_nothing(client: Client) -> None:
    session, log = storied(client)
    declared = log[0]["ts"]
    early = datetime.fromisoformat(declared) - timedelta(microseconds=1)
    for told in (early.isoformat(), "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z"):
        answer = client.get(session, params={"as_of": told})
        details = {"session_id": session[-36:], "declared_at": declared}
        assert refusal(answer) == (404, "EVENT_NOT_FOUND", details)


NO_TIMES = [
    "infinity",
    "-infinity",
    "now",
    "today",
    "epoch",
    "2026",
    "2026-11-18",
    "20261118T074906Z",
]
NO_TIMES += ["2026-11-18T07:49:06", "2026-11-18T07:49:06.5", "2026-11-18T07:49Z", "1763452146"]
NO_TIMES += ["294277-01-01T00:00:00Z", "2026-11-18T07:49:06 UTC", "2026-11-18T07:49:06+0100"]
NO_TIMES += ["2026-11-18T07:49:06+24:00", "2026-13-18T07:49:06Z", "2026-02-30T00:00:00Z"]
NO_TIMES += ["2026-11-18T24:00:00Z", "2026-11-18T23:60:00Z", "2026-11-18T23:59:61Z"]
NO_TIMES += ["0000-01-01T00:00:00Z", "0044-03-15T12:00:00Z BC", "2026-11-18T07:49:06.Z"]
NO_TIMES += ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:60Z", "2026-11-18T07:49:06,5Z"]
NO_TIMES += ["٢٠٢٦-11-18T07:49:06Z", "2026-11-18T07:49:06Z\0", " 2026-11-18T07:49:06Z"]
NO_TIMES += ["2026-11-18T07:49:06." + "0" * 101 + "Z", "2026-11-18T07:49:06Z" * 1000]


@pytest.mark.parametrize("told", NO_TIMES, ids=lambda told: told[:40])
def test_what_is_no_time(client: Client, told: str) -> None:
    session = client.declare()
    problem = "must be the id of an event, or a time such as 2026-11-18T07:49:06Z"
    expected = (400, "INVALID_REQUEST", {"member": "as_of", "problem": problem})
    assert refusal(client.get(session, params={"as_of": told})) == expected


@pytest.mark.parametrize("day", ["2400-01-01T00:00:00", "2400-01-01 00:00:00.5"])
def test_a_plus_that_arrives_as_a_space_is_named(
    client: Client, site: SimpleNamespace, day: str
) -> None:
    session = client.declare()
    sent = head("GET", f"{session}?as_of={day.replace(' ', '%20')}+01:00")
    status, _, body = answered(exchange(site.address, sent))
    assert status == 400
    assert b"has a space for a plus sign, which a query writes as %2B" in body
    escaped = sent.replace(b"+01:00", b"%2B01:00")
    assert answered(exchange(site.address, escaped))[0] == 200
