"""Many random logs at once, made by the real verbs: a step of every session is one statement."""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any
from uuid import UUID

import psycopg

from tests.support.oracle import ONTOLOGY, Json

Connection = psycopg.Connection[Any]

NAMES = ["a", "b c", "é", "e\u0301", "\U0001f52c", '"', "\\", "\\u0041", "\n", "\x01", "\x7f"]
NAMES += ["\u2028", "\ufffe", '", "', "a/b%2F", "z" * 512, "ü" * 256, "A"]
TEXTS = [*NAMES, "", "n" * 600]
NUMBERS = ["0", "-0", "-0.0", "1.10", "1e2", "-1.50E+3", "1E-7", "0e5", "0.00e1", "9" * 400]
NUMBERS += ["123456789012345678901234567890.5000", "1e300", "-12.5e-4", "0." + "0" * 300 + "1"]
# The types of the arguments of each verb, after the session.
VERBS = {
    "eliminate": "source_id text, observation_id text, eliminated json, justification json, "
    "notes text",
    "eliminate_batch": "messages json",
    "enter_obligation": "obligation_id text, min_total_eliminations bigint, request_id text, "
    "notes text",
    "request_exit": "obligation_id text, context json, request_id text, notes text",
    "waive_obligation": "obligation_id text, reason text, request_id text, notes text",
    "declare_conclusion": "conclusion_id text, context json, request_id text, notes text",
    "request_termination": "context json, request_id text, notes text",
    "declare_session": "ontology json, hypotheses json, metadata json, policy json, notes text",
}


class Text(str):
    """JSON as it is to be sent, digits and all."""


def value(random: Random, depth: int = 0) -> str:
    kind = random.randrange(8 if depth < 4 else 6)
    if kind < 2:
        return random.choice(NUMBERS)
    if kind < 4:
        return json.dumps(random.choice(TEXTS), ensure_ascii=random.random() < 0.5)
    if kind < 6:
        return random.choice(["null", "true", "false", "{}", "[]", str(random.getrandbits(90))])
    if kind == 6:
        return "[" + ",".join(value(random, depth + 1) for _ in range(random.randrange(4))) + "]"
    return some_object(random, depth + 1)


def some_object(random: Random, depth: int = 0) -> Text:
    keys = random.sample(TEXTS, random.choice((0, 0, 1, 1, 2, 5)))
    members = (f"{json.dumps(key)} : {value(random, depth)}" for key in keys)
    return Text("{" + ", ".join(members) + "}")


class Walk:
    """One session and what may be asked of it next, so that nothing is refused."""

    def __init__(self, random: Random, ids: Sequence[str]) -> None:
        self.random, self.ids, self.session_id = (
            random,
            ids,
            UUID(int=random.getrandbits(128), version=4),
        )
        self.validates, self.active, self.terminated = random.random() < 0.2, "", False
        self._sent: list[Json] = []
        self._requests = 0

    def declare(self) -> Json:
        random = self.random
        policy: Json = {"validate_hypotheses": self.validates}
        if random.random() < 0.5:
            policy["stability_window"] = random.randrange(4)
        if random.random() < 0.5:
            policy["allow_forced_termination"] = random.random() < 0.7
        about = dict.fromkeys(sorted(ONTOLOGY), random.choice(NAMES))
        metadata = some_object(random) if random.random() < 0.4 else None
        hypotheses = random.sample(self.ids, len(self.ids)) if len(self.ids) < 99 else self.ids
        more = {"metadata": metadata, "policy": policy, "notes": self._notes()}
        return {"ontology": about, "hypotheses": hypotheses} | more

    def step(self) -> tuple[str, Json]:
        random = self.random
        verb = random.choices(
            ["eliminate", "batch", "enter", "leave", "waive", "conclude", "terminate"],
            [10, 2, 3, 4 if self.active else 0, bool(self.active), 5, 2],
        )[0]
        if verb == "eliminate":
            if self._sent and random.random() < 0.1:
                return "eliminate", random.choice(self._sent) | {"justification": None}
            return "eliminate", self._message()
        if verb == "batch":
            messages = [self._message() for _ in range(random.randrange(1, 4))]
            return "eliminate_batch", {"messages": Text(_json(messages))}
        if verb == "enter" and not self.active:
            self.active = random.choice(NAMES)
            minimum = random.choice((0, 1, 2, 5, 2**63 - 1))
            entered = {"obligation_id": self.active, "min_total_eliminations": minimum}
            return "enter_obligation", self._about(entered)
        if verb == "leave":
            left = {"obligation_id": self.active, "context": self._context()}
            return "request_exit", self._about(left)
        if verb == "waive":
            waived = {"obligation_id": self.active, "reason": random.choice(NAMES)}
            return "waive_obligation", self._about(waived)
        if verb == "terminate":
            return "request_termination", self._about({"context": self._context()})
        concluded = {"conclusion_id": random.choice(NAMES[:2]), "context": self._context()}
        return "declare_conclusion", self._about(concluded)

    def learn(self, verb: str, answer: Json) -> None:
        if verb in ("request_exit", "waive_obligation") and answer["approved"]:
            self.active = ""
        elif verb == "request_termination":
            self.terminated = answer["approved"]

    def _message(self) -> Json:
        random = self.random
        known = random.sample(self.ids, min(len(self.ids), random.choice((0, 1, 1, 2, 3, 9))))
        others = (
            [] if self.validates else random.choices(["nowhere", *NAMES], k=random.randrange(3))
        )
        asked = known + others + known[: random.randrange(2)]
        if random.random() < 0.15:
            asked = list(self.ids[1:])
        made = {"source_id": random.choice(NAMES), "eliminated": asked, "notes": self._notes()}
        made["observation_id"] = f"{random.choice(NAMES)[:99]} {len(self._sent)}"
        made["justification"] = some_object(random) if random.random() < 0.4 else None
        self._sent.append(made)
        return made

    def _about(self, arguments: Json) -> Json:
        self._requests += 1
        name = f"{self.random.choice(NAMES)[:99]} {self._requests}"
        request_id = name if self.random.random() < 0.3 else None
        return arguments | {"request_id": request_id, "notes": self._notes()}

    def _notes(self) -> str | None:
        return self.random.choice(TEXTS) if self.random.random() < 0.1 else None

    def _context(self) -> Text | None:
        forced = [Text('{"force": true}'), Text('{"force": "true"}'), Text('{"force":1}')]
        return self.random.choice([None, *forced, some_object(self.random)])


def universes(random: Random) -> list[list[str]]:
    """Of 1 to 20,000 ids; masks of more than 8,192 are stored in chunks."""
    small = [random.sample(NAMES, size) for size in (1, 1, 2, 2, 3, 5, 8, 9, 17)]
    middle = [[f"hypothesis {no}" for no in range(size)] for size in (7, 16, 64, 100, 257)]
    large = [[f"{no:05}" for no in range(size)] for size in (8192, 8193, 20_000)]
    # The large ones are few, because exports carry them once for each session.
    return [*(small * 40), *(middle * 30), *large]


def make(connection: Connection, seed: int, count: int) -> list[UUID]:
    """Declare so many sessions and send each some messages."""
    random = Random(seed)
    choice = universes(random)
    walks = [Walk(random, random.choice(choice)) for _ in range(count)]
    _call(connection, "declare_session", [(walk, walk.declare()) for walk in walks])
    left = {id(walk): min(int(random.expovariate(0.16)), 40) for walk in walks}
    while going := [walk for walk in walks if left[id(walk)] and not walk.terminated]:
        steps: dict[str, list[tuple[Walk, Json]]] = {}
        for walk in going:
            left[id(walk)] -= 1
            verb, arguments = walk.step()
            steps.setdefault(verb, []).append((walk, arguments))
        for verb, calls in steps.items():
            _call(connection, verb, calls)
    return [walk.session_id for walk in walks]


def _call(connection: Connection, verb: str, calls: Sequence[tuple[Walk, Json]]) -> None:
    names = [column.split()[0] for column in VERBS[verb].split(", ")]
    given = ", ".join(
        f"p_{name} => array(select json_array_elements_text(a.{name}))"
        if name in ("eliminated", "hypotheses")
        else f"p_{name} => a.{name}"
        for name in names
    )
    query = (
        f"select a.no, cmbs.{verb}(p_session_id => a.session_id, {given}, p_minimal => true) "
        f"from json_to_recordset(%s) as a (no integer, session_id uuid, {VERBS[verb]})"
    )
    for start in range(0, len(calls), 2000):
        part = calls[start : start + 2000]
        sent = [
            {"no": no, "session_id": str(walk.session_id)} | arguments
            for no, (walk, arguments) in enumerate(part)
        ]
        for no, answer in connection.execute(query.encode(), [_json(sent)]):
            part[no][0].learn(verb, answer)


def _json(given: Any) -> str:
    if isinstance(given, Text):
        return given
    if isinstance(given, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{_json(v)}" for k, v in given.items()) + "}"
    if isinstance(given, list) and given and isinstance(given[0], dict):
        return "[" + ",".join(map(_json, given)) + "]"
    return json.dumps(given)


def export(connection: Connection, sessions: Iterable[UUID]) -> dict[UUID, list[bytes]]:
    logs: dict[UUID, list[bytes]] = {session_id: [] for session_id in sessions}
    rows = connection.execute(
        "select i.session_id, l.line from unnest(%s::uuid[]) as i (session_id), "
        "lateral cmbs.audit_lines(i.session_id) with ordinality as l (line, no) "
        "order by i.session_id, l.no",
        [list(logs)],
    )
    for session_id, line in rows:
        logs[session_id].append(line.encode() + b"\n")
    return logs
