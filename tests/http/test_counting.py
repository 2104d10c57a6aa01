"""What is counted of requests, and that no label holds a caller's text."""

import errno
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import psycopg
import pytest
from msgspec import Struct

from cmbs.api.routes import ROUTES
from cmbs.api.shell import metrics, verdicts
from cmbs.api.shell.admission import Terms
from cmbs.deploy.resources import sql_dir
from tests.http.test_access_log import SECRET, hidden
from tests.http.tour import tour
from tests.http.wire import answered, exchange, head
from tests.sql.verdict.scene import GRANT, Scene, deny, tool_call
from tests.support.scrape import Scraped, scraped
from tests.support.servers import until
from tests.support.web import Client, bearer, refusal, serving, token_of


@pytest.fixture
def client(database: str) -> Iterator[Client]:
    with serving(database) as address, Client(base_url=address, timeout=60) as client:
        yield client


def requests(found: Scraped, **labels: str) -> float:
    return found("cmbs_http_requests_total", **labels)


def test_requests_by_route_and_status(client: Client) -> None:
    session = client.declare()
    for path in (session, session, f"{session}/nothing", "/nothing"):
        client.get(path)
    client.request("PROPFIND", session)
    client.head(session)
    client.delete("/v1/sessions")
    found = scraped(client)
    route = "/v1/sessions/{session_id}"
    assert requests(found, route=route, method="GET", status="200") == 2
    assert requests(found, route=route, method="HEAD", status="200") == 1
    assert requests(found, route="none", method="GET", status="404") == 2
    assert requests(found, method="other", status="405") == 1
    assert requests(found, method="DELETE", status="405") == 1
    assert requests(found, route="/v1/sessions", method="POST", status="201") == 1
    assert requests(found) == 8, "the scrape itself is counted when it is over"
    assert requests(scraped(client), route="/metrics") == 1


def test_how_long_they_took(client: Client) -> None:
    session = client.declare()
    client.eliminate(session, "a")
    client.get("/v1/tools")
    found = scraped(client)
    seconds = "cmbs_http_request_duration_seconds"
    for verb, n in (("DECLARE_SESSION", 1), ("ELIMINATE", 1), ("none", 1)):
        assert found(f"{seconds}_count", verb=verb) == n
        assert found(f"{seconds}_bucket", verb=verb, le="+Inf") == n
        assert 0 < found(f"{seconds}_sum", verb=verb) < 60
    assert {float(edge) for edge in found.values_of("le")} == {*metrics._BUCKETS, float("inf")}


def verdict_of(found: Scraped) -> dict[tuple[str, str, str], float]:
    return {
        (labels["verb"], labels["verdict"], labels["reason"]): value
        for (name, its), value in found.series.items()
        if name == "cmbs_verdicts_total" and (labels := dict(its))
    }


def test_gates_and_refusals(client: Client) -> None:
    session = client.declare()
    obligation = {"obligation_id": "o", "min_total_eliminations": 1}
    client.post(f"{session}/obligations", json=obligation)
    for _ in range(2):
        client.post(f"{session}/conclusions", json={"conclusion_id": "a"})
    client.post(f"{session}/obligations/o/exit", json={})
    client.eliminate(session, "a")
    client.post(f"{session}/obligations/o/exit", json={})
    client.post(f"{session}/conclusions", json={"conclusion_id": "a"})
    client.post(f"{session}/terminate", json={"context": {"force": True}})
    client.post(f"{session}/obligations/o/exit", json={})
    client.post(f"{session}/eliminate", json={})
    client.get("/nothing")
    assert verdict_of(scraped(client)) == {
        ("DECLARE_CONCLUSION", "denied", "active obligation blocks conclusion"): 2,
        ("REQUEST_EXIT", "denied", "minimum eliminations not met"): 1,
        ("REQUEST_EXIT", "approved", "approved"): 1,
        ("DECLARE_CONCLUSION", "approved", "accepted"): 1,
        ("REQUEST_TERMINATION", "denied", "force not allowed by policy"): 1,
        ("REQUEST_EXIT", "refused", "OBLIGATION_NOT_FOUND"): 1,
        ("ELIMINATE", "refused", "INVALID_REQUEST"): 1,
        ("none", "refused", "NOT_FOUND"): 1,
    }


def test_proposals_and_answers(database: str, db: psycopg.Connection[Any]) -> None:
    constraints = {
        "constraint.asked": deny("B", on_fail="ask"),
        "constraint.never": deny("R", on_fail="block"),
    }
    scene = Scene(db, GRANT | constraints)
    agent = token_of(database, "someone", "agent", tenant="default")
    approver = token_of(database, "person", "approver", tenant="default")
    issued = scene.issue("someone")
    with serving(database, terms=Terms(rate=0)) as address, Client(base_url=address) as client:
        path = f"/v1/sessions/{scene.id}"

        def propose(tool: str) -> Any:
            proposal = {
                "state_snapshot_id": scene.head(),
                "provenance": {"source": "agent://test"},
                "capability_token": issued["secret"],
                "idempotency_key": tool,
                "items": [tool_call(tool)],
            }
            answer = client.post(f"{path}/proposals", json=proposal, headers=bearer(agent))
            assert answer.status_code == 200, answer.text
            return answer.json()["items"][0]

        permit, asked = (propose(tool) for tool in "AB")
        propose("R")
        begun = f"{path}/permits/{permit['permit_id']}/begin"
        assert client.post(begun, json={}, headers=bearer(agent)).status_code == 200
        question = f"{path}/interrupts/{asked['interrupt_id']}/resolve"
        body = {"resolution": "decline", "comment": "approved"}
        assert client.post(question, json=body, headers=bearer(approver)).status_code == 200
        assert verdict_of(scraped(client)) == {
            ("PROPOSE", "allow", "ALLOWED"): 1,
            ("PROPOSE", "ask", "CONSTRAINT_DENIED"): 1,
            ("PROPOSE", "deny", "CONSTRAINT_DENIED"): 1,
            ("RESOLVE_INTERRUPT", "declined", "none"): 1,
        }


def test_when_something_was_last_found_whole(client: Client, db: psycopg.Connection[Any]) -> None:
    session = client.declare()
    client.eliminate(session, "a")
    last = "cmbs_verify_last_success_timestamp_seconds"
    assert scraped(client)(last, class_="session") == 0
    before = time.time()
    assert client.get(f"{session}/verify").json()["ok"] is True
    found = scraped(client)
    assert before <= found(last, class_="session") <= time.time()
    assert found(last, class_="identities") == 0
    assert client.get("/v1/identities/verify").json()["ok"] is True
    assert scraped(client)(last, class_="identities") >= before
    db.execute("alter table cmbs_store.tombstone disable trigger all")
    db.execute("delete from cmbs_store.tombstone")
    assert client.get(f"{session}/verify").json()["ok"] is False
    assert scraped(client)(last, class_="session") == found(last, class_="session")


def test_rounds_of_upkeep(database: str, db: psycopg.Connection[Any]) -> None:
    rounds = "cmbs_upkeep_rounds_total"
    with serving(database, upkeep=0.05) as address, Client(base_url=address) as client:
        for task in metrics.TASKS:
            until(lambda task=task: scraped(client)(rounds, task=task, outcome="ok") > 1)
        found = scraped(client)
        assert found(rounds, outcome="failed") == 0
        assert found("cmbs_upkeep_last_success_timestamp_seconds", task="sweep") > 1.7e9
        db.execute("drop function cmbs.take_webhooks")
        until(lambda: scraped(client)(rounds, task="webhooks", outcome="failed") > 0)
        stopped = scraped(client)("cmbs_upkeep_last_success_timestamp_seconds", task="webhooks")
        until(lambda: scraped(client)(rounds, task="webhooks", outcome="failed") > 2)
        found = scraped(client)
        assert found("cmbs_upkeep_last_success_timestamp_seconds", task="webhooks") == stopped
        assert found(rounds, task="sweep", outcome="failed") == 0


def hostile(client: Client) -> Iterator[Any]:
    """The secret wherever a label could be taken from, and many of each."""
    for n in range(8):
        text = f"{SECRET}-{n}"
        yield client.request(text.upper(), "/v1/sessions")
        yield client.get(f"/{text}/{text}")
        yield client.get("/metrics", headers={"Host": text})
        yield client.get("/metrics", headers={"Via": text})
        yield client.get("/v1/whoami", headers={"Authorization": f"Bearer {text}"})
        yield client.get("/healthz", headers={"Authorization": f"Bearer {text}", "X-Via": text})
        yield client.put(f"/v1/tools/{text}", json={"version": 1, "mutating": True})
        yield client.put(f"/v1/schemas/{text}", json={"type": text})
        yield client.post(f"/v1/policies/{text}/versions", json={"entries": {f"policy.{text}": 1}})
        yield client.put("/v1/policies/halt", json={"is_halted": False, "reason": text})
        space = f"/v1/hypothesis-spaces/{text}/versions/{text}"
        yield client.put(space, json={"hypotheses": [text]})
        session = client.declare(text)
        yield client.post(f"{session}/mode", json={"mode": "eco", "reason": text})
        yield client.post(f"{session}/arbitration", json={"pack": text, "version": 1})
        context = {"reason": text, "approved": text, "decision": text}
        yield client.post(f"{session}/terminate", json={"context": context, "notes": text})
        yield client.post(f"{session}/conclusions", json={"conclusion_id": text})


def test_no_label_holds_what_a_caller_sent(client: Client) -> None:
    for _, _, answer in tour(client):
        assert answer.status_code < 500
    statuses = {answer.status_code for answer in hidden(client)}
    statuses |= {answer.status_code for answer in hostile(client)}
    assert statuses >= {200, 201, 400, 401, 403, 404, 405, 409, 412, 415}
    raw = exchange(str(client.base_url).rstrip("/"), head("GET", f"/{SECRET}%22%0A"))
    assert answered(raw)[0] == 404
    found = scraped(client)
    assert SECRET not in found.text
    assert SECRET.upper() not in found.text
    labels = {name for _, its in found.series for name, _ in its}
    assert labels == {
        *("method", "route", "status", "verb", "le", "verdict", "reason", "class", "task"),
        *("outcome", "pool", "state", "version", "revision", "python", "postgresql"),
    }
    paths = {re.sub(":str}", "}", path) for route in ROUTES for path in route.paths}
    assert found.values_of("route") <= paths | {"none"} | {"/schema/openapi.json"}
    assert found.values_of("method") <= {*metrics._METHODS, "other"}
    assert found.values_of("verdict") <= {*verdicts.VERDICTS}
    # What is new once is known the second time; from then on there is no new series.
    seen = []
    for _ in range(2):
        assert len([*hidden(client), *hostile(client)]) >= 150
        seen.append(scraped(client).series.keys())
    assert seen[0] == seen[1]


def test_the_reasons_of_gates_are_those_of_the_kernel() -> None:
    body = (sql_dir() / "gates/decide_gate.sql").read_text().split("$$")[1]
    assigned = re.findall(r"p_reason := case(.*?)end;", body, re.DOTALL)
    told = [re.findall(r"(?:then|else) '([a-z ]+)'", part) for part in assigned]
    applied = {"applied", "an invariant of the policy does not hold"}
    text = (sql_dir() / "rollout/apply_reasons.sql").read_text()
    assert all(f"'{reason}'" in text for reason in applied)
    assert {text for texts in told for text in texts} | applied == set(verdicts._OF_GATES)


def test_the_reasons_of_verdicts_are_those_of_the_kernel(tx: psycopg.Connection[Any]) -> None:
    rows = tx.execute("select code from cmbs.reason_code").fetchall()
    assert {code for (code,) in rows} == set(verdicts._OF_VERDICTS)


def test_whatever_decides_is_read() -> None:
    """Every verb whose answer says at its top how something was decided."""
    deciding = {
        route.handler_name
        for route in ROUTES
        if "GET" not in route.http_methods
        and isinstance(shape := route.opt.get("gives"), type)
        and issubclass(shape, Struct)
        and get_type_hints(shape).keys() & {"approved", "accepted", "decision"}
    }
    assert deciding | {"resolve_interrupt"} == verdicts.DECIDING


def test_a_verdict_that_nobody_knows_is_another(client: Client) -> None:
    assert verdicts.decided(b'{"approved": false, "reason": "none of ours"}') == (
        "denied",
        "none of ours",
    )
    assert refusal(client.get("/nothing"))[1] in verdicts.REASONS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "REASONS", frozenset())
        client.get("/nothing")
    found = verdict_of(scraped(client))
    assert found == {("none", "refused", "NOT_FOUND"): 1, ("none", "refused", "other"): 1}


def test_what_killed_servers_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, other = (tmp_path / f"{name}-x" for name in ("cmbs-metrics-a", "o"))
    pipe, link = tmp_path / "cmbs-metrics-pipe", tmp_path / "cmbs-metrics-link"
    with metrics.kept() as living:
        for folder in (left, other):
            folder.mkdir()
            (folder / "counter_1.db").write_bytes(b"")
        # What others put there is neither waited for nor followed.
        os.mkfifo(pipe)
        link.symlink_to(other)
        with metrics.kept() as mine:
            found = {*tmp_path.iterdir()}
            assert found == {other, pipe, link, Path(living.folder), Path(mine.folder)}
    assert {*tmp_path.iterdir()} == {other, pipe, link}
    assert (other / "counter_1.db").exists()


def test_without_room_for_what_is_counted_it_serves(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Else a disk that is full later would end the process, as its files are mapped."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with serving(database) as address, Client(base_url=address) as client:
        path = client.declare()
        assert client.get(path).status_code == 200
    assert "metrics off" in caplog.text
    assert "No space left on device" in caplog.text


def test_files_have_their_room_from_the_beginning(client: Client) -> None:
    client.declare()
    folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    sizes = {file.name.rpartition("_")[0]: file.stat() for file in folder.iterdir()}
    assert {name: found.st_size for name, found in sizes.items()} == metrics._ROOM
    assert all(found.st_blocks * 512 >= found.st_size for found in sizes.values())


def test_a_server_that_ended_has_no_file_open(database: str) -> None:
    with serving(database) as address, Client(base_url=address) as client:
        client.declare()
        folder = os.environ["PROMETHEUS_MULTIPROC_DIR"]
        assert folder in Path("/proc/self/maps").read_text()
    assert folder not in Path("/proc/self/maps").read_text()
    assert not [one for one in Path("/proc/self/fd").iterdir() if folder in os.path.realpath(one)]


def test_without_its_folder_it_serves_and_says_nothing_wrong(client: Client) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    path = client.declare()
    assert client.get(path).status_code == 200
    assert client.get("/metrics").status_code == 500, "not that nothing was counted"
