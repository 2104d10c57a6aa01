"""Random lives of a session under policies that change: verify decides each of them again."""

import json
import random
from collections import Counter
from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.errors import BeliefError
from tests.sql.verdict.scene import GRANT, Scene, allow, delta, deny, op, setting, tool_call, value
from tests.support.beliefs import Connection
from tests.support.sizes import size

KEYS = ["fact.a", "fact.b", "goal.c"]


def entries(generator: random.Random) -> dict[str, Any]:
    """A few constraints of every outcome, and settings that are felt soon."""
    chosen: dict[str, Any] = dict(GRANT) if generator.random() < 0.8 else {}
    for number in range(generator.randint(1, 4)):
        tool = generator.choice(["A", "B", "R"])
        when = generator.choice(
            [
                {},
                {"when": op("missing", generator.choice(KEYS))},
                {"when": op("eq", generator.choice(KEYS), generator.randint(0, 2))},
                {"when": op("exists", "fact.belief.active_obligation_id")},
            ]
        )
        kind = generator.choice([allow, deny, deny])
        on_fail = generator.choice(["block", "ask", "ask", "defer", "defer"])
        chosen[f"constraint.c{number}"] = kind(tool, on_fail=on_fail, **when)
    for name, members in (
        ("permits", {"ttl_ms": generator.choice([1, 1000, 60_000])}),
        ("interrupts", {"ttl_ms": generator.choice([1000, 60_000])}),
        ("deferrals", {"max_attempts": generator.randint(0, 3), "backoff_ms": 500}),
        ("clarifications", {"max_questions": generator.randint(0, 30)}),
        ("cooldowns", {"tools": {"R": generator.choice([1, 5000])}}),
        ("budgets", {"soft": {"max_calls": generator.randint(0, 100)}}),
        ("modes", {"eco": {"forbids": ["local"]}, "boost": {"forbids": ["network"]}}),
    ):
        if generator.random() < 0.4:
            chosen |= setting(name, **members)
    return chosen


class Life:
    def __init__(self, connection: Connection, seed: int) -> None:
        self.choose = random.Random(seed)
        self.scene = Scene(connection, GRANT)
        self.scene.register("A", effect_class="network")
        self.scene.register("B", effect_class="local")
        self.token = self.scene.issue(budgets={"max_calls": 40, "cents": 50})
        self.proposals: list[tuple[Any, list[Any]]] = []
        self.n_packs = 1
        self._apply(self.choose, self.scene)

    def permit(self, status: str) -> str | None:
        """One that is in the way of what is tried now and then, too."""
        wanted = status if self.choose.random() < 0.8 else None
        found = self.scene("list_permits", status=wanted, limit=10)["permits"]
        return self.choose.choice(found)["permit_id"] if found else None

    def step(self) -> str:
        choose, scene = self.choose, self.scene
        do = choose.choice(
            ["call"] * 5
            + ["write"] * 2
            + ["begin"] * 2
            + ["complete", "answer", "answer", "resume", "resume", "wait", "sweep"]
            + ["apply", "mode", "eliminate", "gate", "child"]
        )
        getattr(self, f"_{do}")(choose, scene)
        return do

    def _call(self, choose: random.Random, scene: Scene) -> None:
        items: list[Any] = [
            tool_call(choose.choice("AABBR"), {"n": choose.randint(1, 2)})
            for _ in range(choose.randint(1, 2))
        ]
        if choose.random() < 0.2:
            items.append(delta({"goal.c": value(choose.randint(0, 2))}))
        token = choose.choice([self.token, scene.tokens[scene.agent]])["secret"]
        answer = scene.propose(*items, atomic=choose.random() < 0.6, capability_token=token)
        self.proposals.append((answer, items))

    def _write(self, choose: random.Random, scene: Scene) -> None:
        stored = choose.choice([None, value(choose.randint(0, 2))])
        scene.write({choose.choice(KEYS[:2]): stored}, who=scene.tool)

    def _begin(self, choose: random.Random, scene: Scene) -> None:
        if permit := self.permit("issued"):
            scene.begin(permit)

    def _complete(self, choose: random.Random, scene: Scene) -> None:
        usage = choose.choice([{}, {"max_calls": 2}])
        if permit := self.permit("executing"):
            scene.complete(permit, choose.choice(["ok", "error"]), usage=Json(usage))

    def _answer(self, choose: random.Random, scene: Scene) -> None:
        pending = scene("list_interrupts", status="pending")["interrupts"]
        if pending:
            answer = choose.choice(["approve"] * 4 + ["decline", "cancel"])
            scene.resolve(choose.choice(pending)["interrupt_id"], answer)

    def _resume(self, choose: random.Random, scene: Scene) -> None:
        approved = scene("list_interrupts", status="approved")["interrupts"]
        known = {answer["proposal_id"]: items for answer, items in self.proposals}
        asked = [one["proposal_id"] for one in approved if one["proposal_id"] in known]
        if asked:
            chosen = choose.choice(asked)
            answer = scene.resume({"proposal_id": chosen}, *known[chosen])
            self.proposals.append((answer, known[chosen]))

    def _wait(self, choose: random.Random, scene: Scene) -> None:
        scene.at(choose.choice([0.5, 2, 30]))

    def _sweep(self, choose: random.Random, scene: Scene) -> None:
        scene("sweep_expired")

    def _apply(self, choose: random.Random, scene: Scene) -> None:
        if choose.random() < 0.8:
            self.n_packs = scene.publish(entries(choose))["version"]
        shadow = {"pack": "pack", "version": choose.randint(1, self.n_packs)}
        scene(
            "apply_policy",
            scene.policy,
            pack="pack",
            version=choose.choice([self.n_packs] * 4 + [choose.randint(1, self.n_packs)]),
            shadow=choose.choice([None, Json(shadow)]),
        )

    def _mode(self, choose: random.Random, scene: Scene) -> None:
        mode = choose.choice(["boost", "normal", "normal", "eco", "offline_safe"])
        scene("set_mode", scene.policy, mode=mode)

    def _eliminate(self, choose: random.Random, scene: Scene) -> None:
        number = str(choose.random())
        scene.session(
            "eliminate",
            source_id="s",
            observation_id=number,
            eliminated=[choose.choice("abc")],
            credential=choose.choice([scene.agent, scene.encoder]),
        )

    def _gate(self, choose: random.Random, scene: Scene) -> None:
        named = {"obligation_id": "o", "credential": scene.agent}
        if scene.session("query_belief", credential=scene.agent)["active_obligation"]:
            scene.session("request_exit", **named)
        else:
            scene.session("enter_obligation", min_total_eliminations=0, **named)

    def _child(self, choose: random.Random, scene: Scene) -> None:
        grant = {"holder": "agent", "tools": ["A", "B"], "budgets": {"max_calls": 3, "cents": 5}}
        self.token = scene("narrow_capability", parent_id=self.token["token_id"], grant=Json(grant))


@pytest.mark.parametrize("seed", range(size(5, 20)))
def test_a_random_life(db: Connection, seed: int) -> None:
    life = Life(db, seed)
    done: Counter[str] = Counter()
    for _ in range(60):
        try:
            done[life.step()] += 1
        except BeliefError as error:
            detail = json.loads(str(error.diag.message_detail))
            done[detail.get("reason_code", str(error.sqlstate))] += 1
    assert not {code for code in done if code.startswith(("XX", "22"))}, done
    session = call(db, "verify", session_id=life.scene.id)
    assert session["ok"], (session, done)
    recorded = [event["payload"] for event in life.scene.session.events()]
    assert not [one for one in recorded if one.get("reason_code") == "EVALUATION_ERROR"]
