"""One session through every route: each request, and what its answer must decode into."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from cmbs.api.rooms.belief import answers
from cmbs.api.rooms.gates.answers import Accepted, Approved, Conclusions, Entered, Obligations
from cmbs.api.rooms.log.answers import Event, Trace, Verified
from cmbs.api.rooms.lookback import answers as history_answers
from cmbs.api.rooms.lookback.answers import Why
from cmbs.api.rooms.operations.answers import Alive, Ready
from cmbs.api.rooms.spaces.answers import RegisteredSpace, Space
from tests.support.web import ONTOLOGY, Client

Step = tuple[type[msgspec.Struct], int, httpx.Response]


def message(observation: str, *ids: str) -> dict[str, Any]:
    return {"source_id": "s", "observation_id": observation, "eliminated": ids}


def tour(client: Client, **headers: str) -> Iterator[Step]:
    """Every route, with every status of success it has."""

    def post(path: str, body: Any) -> httpx.Response:
        return client.post(path, json=body, headers=headers)

    def get(path: str, **query: Any) -> httpx.Response:
        return client.get(path, params=query, headers=headers)

    space = f"/v1/hypothesis-spaces/{quote(name := f'space {uuid4()}')}/versions/1"
    for status in (201, 200):
        put = client.put(space, json={"hypotheses": ["a", "b", "c"]}, headers=headers)
        yield RegisteredSpace, status, put
    yield Space, 200, get(space)
    ontology = {**ONTOLOGY, "hypothesis_space_id": name}
    declare = {"session_id": str(uuid4()), "ontology": ontology, "metadata": {"m": 1.10}}
    here = f"/v1/sessions/{declare['session_id']}"
    for status in (201, 200):
        yield answers.Declared, status, post("/v1/sessions", declare)
    for least in (1, 9):
        obligation = {"obligation_id": "o/1", "min_total_eliminations": least, "notes": "n"}
        yield Entered, 200, post(f"{here}/obligations", obligation)
        yield Accepted, 200, post(f"{here}/conclusions", {"conclusion_id": "a"})
        yield Approved, 200, post(f"{here}/obligations/o%2F1/exit", {})
        yield Approved, 200, post(f"{here}/terminate", {"context": {}})
        for _ in "12":
            yield answers.Eliminated, 200, post(f"{here}/eliminate", message("o", "b", "x"))
        batch = {"messages": [message("o", "x", "b"), message("p", "b")]}
        yield answers.EliminatedBatch, 200, post(f"{here}/eliminate/batch", batch)
        last = "exit" if least == 1 else "waive"
        body = {} if least == 1 else {"reason": "r"}
        yield Approved, 200, post(f"{here}/obligations/o%2F1/{last}", body)
    yield from reads(get, here, name)
    yield answers.Eliminated, 200, post(f"{here}/eliminate", message("q", "c"))
    yield Accepted, 200, post(f"{here}/conclusions", {"conclusion_id": "a"})
    yield Approved, 200, post(f"{here}/terminate", {})
    yield answers.Snapshot, 200, get(here)


def reads(get: Any, here: str, space: str) -> Iterator[Step]:
    yield answers.Snapshot, 200, get(here)
    trace = get(f"{here}/audit")
    yield Trace, 200, trace
    event = trace.json()["events"][1]["event_id"]
    yield Trace, 200, get(f"{here}/audit", since_event_id=event, limit=2)
    yield answers.Snapshot, 200, get(here, as_of=event)
    yield Event, 200, get(f"{here}/audit/{event}")
    yield Verified, 200, get(f"{here}/verify")
    for hypothesis in "ab":
        yield Why, 200, get(f"{here}/hypotheses/{hypothesis}")
    yield history_answers.Explained, 200, get(f"{here}/explain")
    yield history_answers.Explained, 200, get(f"{here}/explain", hypothesis_id="b", limit=1)
    span = {"from": event, "to": trace.json()["events"][-1]["event_id"]}
    yield history_answers.Diff, 200, get(f"{here}/diff", **span)
    yield history_answers.WhatIf, 200, get(f"{here}/whatif", without_source="s")
    yield Obligations, 200, get(f"{here}/obligations")
    yield Conclusions, 200, get(f"{here}/conclusions")
    yield answers.Sessions, 200, get("/v1/sessions", hypothesis_space_id=space)
    yield Alive, 200, get("/healthz")
    yield Ready, 200, get("/readyz")
