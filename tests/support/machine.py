"""Any sequence of calls, of every verb, to the SQL kernel and the reference kernel at once."""

import json
from typing import Any, ClassVar
from uuid import UUID, uuid4

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.support.oracle import BUNDLE
from tests.support.pair import Connection, Pair, ids, objects, with_members

AGENT, OFFICER = 'agent "x" é', "officer://on call"
# Few names, so that calls meet each other; and some that must be nothing special.
NAMES = [
    "a",
    "A",
    "a b",
    "'",
    '"',
    "\\",
    "é",
    "e\u0301",
    "\n",
    "\x01",
    "a/b%2F",
    "\ufffe",
    "\U0001f52c",
]
UNKNOWN = ["nowhere", "a ", "z" * 512, "é" * 256]
NO_SESSION, NO_EVENT = UUID(int=0), UUID(int=7)


def mostly(usual: Any, *others: Any) -> st.SearchStrategy[Any]:
    return st.one_of(*[usual] * (3 * len(others)), *others)


names = st.sampled_from(NAMES)
request_ids = mostly(st.none(), st.sampled_from(["r", "r ", "R"]))
notes = mostly(st.none(), st.sampled_from(["", '"\n', "n" * 4096]))
contexts = mostly(
    st.none(),
    objects,
    st.sampled_from(['{"force": true}', '{"force": "true"}', '{"force": 1}', '{"force": null}']),
)
policies = st.builds(
    lambda members, window: with_members([*members, *window]),
    st.lists(
        st.tuples(
            st.sampled_from(["validate_hypotheses", "allow_forced_termination"]),
            st.sampled_from(["true", "true", "false"]),
        ),
        unique_by=lambda member: member[0],
    ),
    st.sampled_from([[], *([("stability_window", number)] for number in "0012")]),
)
universes = mostly(
    st.lists(names, min_size=3, max_size=12),
    st.sampled_from([NAMES[:1], NAMES[:7], NAMES[:8], NAMES[:9]]),
    st.lists(ids, min_size=1, max_size=6),
)
heads = st.sampled_from(["none"] * 6 + ["right"] * 3 + ["earlier", "unknown"])
BAD_IDS = ["", "x" * 513, "é" * 257]
ABOUT: dict[str, Any] = {"request_id": BAD_IDS, "notes": ["n" * 4097], "session_id": [NO_SESSION]}
# Verb, arguments that would do, and values that do not, by argument.
BROKEN: list[tuple[str, dict[str, Any], dict[str, list[Any]]]] = [
    (
        "eliminate",
        {"source_id": "s", "observation_id": "o", "eliminated": ["a"]},
        {
            "source_id": BAD_IDS,
            "observation_id": BAD_IDS,
            "eliminated": [None, [""], ["a", None], *([bad] for bad in BAD_IDS)],
            "justification": ["[]", "1", '{"a":1,"a":1}', '{"$redactable": 1}', "{", '{"a":NaN}'],
            "notes": ABOUT["notes"],
            "session_id": ABOUT["session_id"],
        },
    ),
    (
        "enter_obligation",
        {"obligation_id": "a", "min_total_eliminations": 1},
        ABOUT | {"obligation_id": BAD_IDS, "min_total_eliminations": [-1]},
    ),
    ("request_exit", {"obligation_id": "a"}, ABOUT | {"obligation_id": BAD_IDS, "context": ["[]"]}),
    (
        "waive_obligation",
        {"obligation_id": "a", "reason": "r"},
        ABOUT | {"obligation_id": BAD_IDS, "reason": ["", "x" * 4097]},
    ),
    (
        "declare_conclusion",
        {"conclusion_id": "c"},
        ABOUT | {"conclusion_id": BAD_IDS, "context": ["1"]},
    ),
    ("request_termination", {}, ABOUT | {"context": ["null", '"force"', '{"a":1,"a":1}']}),
    (
        "declare_session",
        {"ontology": BUNDLE, "hypotheses": ["a"]},
        {
            "ontology": ["{}", "[]", BUNDLE.replace('"x"', '""'), BUNDLE.replace('"x"', "1")],
            "hypotheses": [[], [""], ["a", None], ["x" * 513]],
            "metadata": ["[]", '{"a": {"$redactable": {}}}'],
            "policy": ["[]", '{"stability": 1}', '{"validate_hypotheses": 1}']
            + [f'{{"stability_window": {bad}}}' for bad in ("1001", "-1", "1.5", "true", "null")],
            "notes": ABOUT["notes"],
        },
    ),
    (
        "eliminate_batch",
        {},
        {"messages": ["[]", "{}", "[1]", '[{"source_id": "s"}]', json.dumps([{}] * 1001)]},
    ),
    ("audit_trace", {}, {"limit": [0, -1, 10_001], "session_id": [NO_SESSION]}),
    ("query_belief", {}, {"as_of": [NO_EVENT], "session_id": [NO_SESSION]}),
    ("query_belief", {"as_of": NO_EVENT}, {"as_of_time": ["infinity"]}),
]
broken_calls = st.sampled_from(
    [
        (verb, good | {name: bad})
        for verb, good, faults in BROKEN
        for name, values in faults.items()
        for bad in values
    ]
)


class Machine(RuleBasedStateMachine):
    connection: ClassVar[Connection]

    @initialize(universe=universes, policy=mostly(policies, st.none()))
    def begin(self, universe: list[str], policy: str | None) -> None:
        self.frame = self.connection.transaction(force_rollback=True)
        self.frame.__enter__()
        self.pair = Pair(self.connection)
        self.declared: list[dict[str, Any]] = []
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.declare(universe, policy, None, None, None)

    def teardown(self) -> None:
        if not hasattr(self, "frame"):
            return
        try:
            for session_id in self.pair.oracle.sessions:
                self.pair.check_whole(session_id)
        finally:
            self.frame.__exit__(None, None, None)

    # Which session, which head

    def one_session(self, data: st.DataObject) -> UUID:
        return data.draw(st.sampled_from(list(self.pair.oracle.sessions)), "session")

    def head(self, session_id: UUID, kind: str) -> UUID | None:
        session = self.pair.oracle.sessions.get(session_id)
        if kind == "none" or session is None:
            return None
        if kind == "right":
            return UUID(session.log.head.event_id)
        return UUID(session.log.events[0].event_id) if kind == "earlier" else NO_EVENT

    def send(self, verb: str, session_id: UUID, **arguments: Any) -> Any:
        arguments = {name: value for name, value in arguments.items() if value is not None}
        self.sent.append((verb, {"session_id": session_id} | arguments))
        return self.pair(verb, session_id=session_id, **arguments)

    # Rules: one for each verb

    @rule(role=st.sampled_from([(None, True), (AGENT, False), (OFFICER, True)]))
    def act_as(self, role: tuple[str | None, bool]) -> None:
        self.pair.act_as(*role)

    @precondition(lambda self: len(self.declared) < 4)
    @rule(
        universe=mostly(universes, st.none()),
        policy=mostly(policies, st.none()),
        metadata=st.one_of(st.none(), objects),
        space=st.one_of(st.none(), names),
        notes=notes,
    )
    def declare(
        self,
        universe: list[str] | None,
        policy: str | None,
        metadata: str | None,
        space: str | None,
        notes: str | None,
    ) -> None:
        bundle = json.loads(BUNDLE) | ({"hypothesis_space_id": space} if space else {})
        request: dict[str, Any] = {"ontology": json.dumps(bundle), "hypotheses": universe}
        request |= {"policy": policy, "metadata": metadata, "notes": notes}
        session_id = uuid4()
        if isinstance(self.send("declare_session", session_id, **request), dict):
            self.declared.append({"session_id": session_id} | request)

    @precondition(lambda self: self.declared)
    @rule(
        data=st.data(),
        change=st.sampled_from(["", "", "order", "universe", "policy", "ontology", "metadata"]),
    )
    def declare_again(self, data: st.DataObject, change: str) -> None:
        request = dict(data.draw(st.sampled_from(self.declared), "request"))
        if change == "order" and request["hypotheses"]:
            request["hypotheses"] = request["hypotheses"][::-1] * 2
        elif change == "universe":
            request["hypotheses"] = ["another", "set"]
        elif change == "ontology":
            bundle = json.loads(request["ontology"]) | {"causal_graph_ref": "other"}
            request["ontology"] = json.dumps(bundle)
        elif change in {"policy", "metadata"}:
            request[change] = '{"stability_window": 3}'
        self.send("declare_session", request.pop("session_id"), **request)

    @rule(space=names, version=st.sampled_from(["x", "y"]), universe=universes)
    def register_space(self, space: str, version: str, universe: list[str]) -> None:
        self.pair(
            "register_space",
            hypothesis_space_id=space,
            hypothesis_version=version,
            hypotheses=universe,
        )

    @rule(universe=universes, policy=policies)
    def prepare(self, universe: list[str], policy: str) -> None:
        self.pair("register_universe", hypotheses=universe)
        self.pair("set_policy_defaults", policy=policy)

    @rule(data=st.data(), broken=broken_calls)
    def send_broken(self, data: st.DataObject, broken: tuple[str, dict[str, Any]]) -> None:
        verb, arguments = broken
        self.pair(verb, **{"session_id": self.one_session(data)} | arguments)

    def some_ids(self, data: st.DataObject, session_id: UUID) -> list[str]:
        session = self.pair.oracle.sessions.get(session_id)
        known = session.universe.ids if session else NAMES
        return data.draw(st.lists(mostly(st.sampled_from(known), st.sampled_from(UNKNOWN))), "ids")

    @rule(
        data=st.data(),
        source=mostly(names, st.sampled_from(UNKNOWN)),
        observation=names,
        justification=st.one_of(st.none(), objects),
        head=heads,
        notes=notes,
        minimal=st.booleans(),
    )
    def eliminate(
        self,
        data: st.DataObject,
        source: str,
        observation: str,
        justification: str | None,
        head: str,
        notes: str | None,
        minimal: bool,
    ) -> None:
        session_id = self.one_session(data)
        self.send(
            "eliminate",
            session_id,
            source_id=source,
            observation_id=observation,
            eliminated=self.some_ids(data, session_id),
            justification=justification,
            expected_head=self.head(session_id, head),
            notes=notes,
            minimal=minimal,
        )

    @rule(data=st.data(), head=heads, minimal=st.booleans())
    def eliminate_all_but_one(self, data: st.DataObject, head: str, minimal: bool) -> None:
        session_id = self.one_session(data)
        session = self.pair.oracle.sessions.get(session_id)
        self.send(
            "eliminate",
            session_id,
            source_id="last",
            observation_id=str(len(self.sent)),
            eliminated=sorted(session.core.survivors)[1:] if session else [],
            expected_head=self.head(session_id, head),
            minimal=minimal,
        )

    @rule(data=st.data(), head=heads, minimal=st.booleans())
    def batch(self, data: st.DataObject, head: str, minimal: bool) -> None:
        session_id = self.one_session(data)
        messages = []
        for _ in range(data.draw(st.integers(1, 4), "messages")):
            message: dict[str, Any] = {
                "source_id": data.draw(st.sampled_from(["a", "b"])),
                "observation_id": data.draw(names),
                "eliminated": self.some_ids(data, session_id),
            }
            good = [{}, {"notes": "n"}, {"justification": {"k": 1}}, {"notes": None}]
            good += [{"session_id": str(session_id)}, {"justification": None}]
            bad = [{"unknown": 1}, {"eliminated": None}, {"source_id": 1}, {"notes": []}]
            bad += [{"session_id": str(NO_SESSION)}, {"eliminated": ["a", 1]}]
            messages.append(message | data.draw(st.sampled_from([*good * 5, *bad]), "more"))
        self.send(
            "eliminate_batch",
            session_id,
            messages=json.dumps(messages, ensure_ascii=False),
            expected_head=self.head(session_id, head),
            minimal=minimal,
        )

    @rule(
        data=st.data(),
        obligation=mostly(names, st.sampled_from(UNKNOWN)),
        minimum=mostly(st.integers(0, 4), st.just(2**62)),
        request_id=request_ids,
        head=heads,
        notes=notes,
    )
    def enter(
        self,
        data: st.DataObject,
        obligation: str,
        minimum: int,
        request_id: str | None,
        head: str,
        notes: str | None,
    ) -> None:
        session_id = self.one_session(data)
        self.send(
            "enter_obligation",
            session_id,
            obligation_id=obligation,
            min_total_eliminations=minimum,
            request_id=request_id,
            expected_head=self.head(session_id, head),
            notes=notes,
        )

    def an_obligation(self, data: st.DataObject, session_id: UUID) -> str:
        session = self.pair.oracle.sessions.get(session_id)
        active = [session.obligation_id] if session and session.obligation_id else []
        return str(data.draw(st.sampled_from([*active * 12, "a", "other"]), "obligation"))

    @rule(
        data=st.data(), context=contexts, request_id=request_ids, head=heads, minimal=st.booleans()
    )
    def leave(
        self,
        data: st.DataObject,
        context: str | None,
        request_id: str | None,
        head: str,
        minimal: bool,
    ) -> None:
        session_id = self.one_session(data)
        self.send(
            "request_exit",
            session_id,
            obligation_id=self.an_obligation(data, session_id),
            context=context,
            request_id=request_id,
            expected_head=self.head(session_id, head),
            minimal=minimal,
        )

    @rule(data=st.data(), reason=ids, request_id=request_ids, head=heads)
    def waive(self, data: st.DataObject, reason: str, request_id: str | None, head: str) -> None:
        session_id = self.one_session(data)
        self.send(
            "waive_obligation",
            session_id,
            obligation_id=self.an_obligation(data, session_id),
            reason=reason,
            request_id=request_id,
            expected_head=self.head(session_id, head),
        )

    @rule(
        data=st.data(),
        conclusion=st.sampled_from(["c", "c", "c", "C", "\n"]),
        context=contexts,
        request_id=request_ids,
        head=heads,
        notes=notes,
    )
    def conclude(
        self,
        data: st.DataObject,
        conclusion: str,
        context: str | None,
        request_id: str | None,
        head: str,
        notes: str | None,
    ) -> None:
        session_id = self.one_session(data)
        self.send(
            "declare_conclusion",
            session_id,
            conclusion_id=conclusion,
            context=context,
            request_id=request_id,
            expected_head=self.head(session_id, head),
            notes=notes,
        )

    @rule(
        data=st.data(), context=contexts, request_id=request_ids, head=heads, minimal=st.booleans()
    )
    def terminate(
        self,
        data: st.DataObject,
        context: str | None,
        request_id: str | None,
        head: str,
        minimal: bool,
    ) -> None:
        session_id = self.one_session(data)
        self.send(
            "request_termination",
            session_id,
            context=context,
            request_id=request_id,
            expected_head=self.head(session_id, head),
            minimal=minimal,
        )

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), change=st.sampled_from(["", "", "shuffle", "other", "stale"]))
    def send_again(self, data: st.DataObject, change: str) -> None:
        verb, sent = data.draw(st.sampled_from(self.sent), "message")
        again = dict(sent)
        if change == "stale" and verb != "declare_session":
            again["expected_head"] = UUID(int=9)
        elif "eliminated" in again and change == "shuffle":
            again["eliminated"] = again["eliminated"][::-1] + again["eliminated"][:1]
            again["justification"], again["notes"] = '{"again": 1}', "again"
        elif "eliminated" in again and change == "other":
            again["eliminated"] = [*again["eliminated"], "one more"]
        elif "context" in again and change:
            again["context"] = '{"again": true}'
        self.pair(verb, **again)

    @rule(
        data=st.data(),
        hypothesis=st.sampled_from([*NAMES, "nowhere"]),
        limit=st.sampled_from([None, 1, 2, 10_000]),
        minimal=st.booleans(),
    )
    def look(self, data: st.DataObject, hypothesis: str, limit: int | None, minimal: bool) -> None:
        session_id = self.one_session(data)
        entries = self.pair.oracle.entries(session_id)
        known = [UUID(entry.event_id) for entry in entries]
        event = data.draw(mostly(st.sampled_from(known), st.just(NO_EVENT)), "event")
        self.pair("query_belief", session_id=session_id, minimal=minimal)
        self.pair("query_belief", session_id=session_id, as_of=event, minimal=minimal)
        times = [entry.to_dict()["ts"] for entry in entries]
        time = data.draw(mostly(st.sampled_from(times), st.just("1999-12-31T00:00:00Z")), "time")
        self.pair("query_belief", session_id=session_id, as_of_time=time, minimal=minimal)
        self.pair("audit_event", session_id=session_id, event_id=event)
        since = data.draw(st.sampled_from([None, event]), "since")
        self.pair("audit_trace", session_id=session_id, since_event_id=since, limit=limit)
        self.pair("why", session_id=session_id, hypothesis_id=hypothesis)
