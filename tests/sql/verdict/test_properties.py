"""Whatever the policy is: order does not matter, more rules never permit more, denials do nothing.

Conditions are held against a second evaluator, in Python, that shares nothing with the kernel's.
"""

import json
import random
from typing import Any

import pytest

from tests.sql.verdict.scene import GRANT, Scene, delta, op, tool_call, value
from tests.support.beliefs import Connection

KEYS = [f"fact.k{number}" for number in range(4)]
LITERALS: list[Any] = [1, 1.0, "1", True, None, [], [1], {"a": 1}, "x"]
ITEMS: list[Any] = [
    tool_call("A", {"n": 1}),
    tool_call("B"),
    tool_call("R"),
    delta({"goal.x": value(1)}),
    delta({"fact.x": value(1), "goal.y": value(2)}),
    {"kind": "claim", "claim_kind": "fact"},
]
TOOLS = {
    "A": {"authorities": ["a", "net"], "mutating": True},
    "B": {"authorities": ["net"], "mutating": True},
    "R": {"authorities": [], "mutating": False},
}
MALFORMED: list[Any] = [
    {"v": 1},
    {"v": 2, "effect": "allow"},
    {"v": 1, "effect": "allow", "subject": {}},
    {"v": 1, "effect": "deny", "subject": {"tool_id": "A"}, "when": {"op": "?", "args": []}},
    "nothing",
]
SEVERITY = {"execute": 0, "ask": 1, "degrade": 2, "defer": 3, "block": 4}


def condition(generator: random.Random, depth: int = 3) -> dict[str, Any]:
    kind = generator.choice(["all", "any", "not", "eq", "in", "exists", "missing"])
    if depth == 0 and kind in ("all", "any", "not"):
        kind = "eq"
    path = generator.choice(KEYS) + generator.choice(["", "", "", ".a", ".0", ".value"])
    if kind in ("all", "any"):
        n = generator.randint(1, 3)
        return op(kind, *[condition(generator, depth - 1) for _ in range(n)])
    if kind == "not":
        return op(kind, condition(generator, depth - 1))
    if kind in ("exists", "missing"):
        return op(kind, path)
    ref = {"ref": generator.choice(KEYS)}
    if kind == "eq":
        return op(kind, path, generator.choice([*LITERALS, ref]))
    some = [generator.choice(LITERALS) for _ in range(generator.randint(0, 3))]
    return op(kind, path, generator.choice([some, ref]))


def constraint(generator: random.Random, effect: str | None = None) -> Any:
    subject = generator.choice(
        [
            None,
            {"tool_id": "A"},
            {"tool_id": "B"},
            {"capability": "net"},
            {"capability": "tool.write"},
            {"capability": "state.write.goal"},
            {"capability": "claim.write.fact"},
        ]
    )
    one = {"v": 1, "effect": effect or generator.choice(["allow", "deny"]), "subject": subject}
    if generator.random() < 0.7:
        one["when"] = condition(generator)
    if generator.random() < 0.5:
        one["on_fail"] = generator.choice(["block", "ask", "defer"])
    return one


def policy(generator: random.Random) -> dict[str, Any]:
    entries = {
        f"constraint.c{number}": constraint(generator) for number in range(generator.randint(0, 8))
    }
    if generator.random() < 0.3:
        entries |= GRANT
    if generator.random() < 0.1:
        entries["constraint.bad"] = generator.choice(MALFORMED)
    return entries


def given(generator: random.Random) -> dict[str, Any]:
    return {key: value(generator.choice(LITERALS)) for key in KEYS if generator.random() < 0.7} | (
        {KEYS[0]: "broken"} if generator.random() < 0.1 else {}
    )


def verdicts(connection: Connection, entries: dict[str, Any], state: dict[str, Any]) -> list[Any]:
    """What a policy says to every item, by its own fixtures."""
    texts = {
        key: text if isinstance(text, str) else json.dumps(text) for key, text in entries.items()
    }
    fixtures = [
        {"item": item, "tool": TOOLS.get(item.get("tool_id", ""), {}), "given": state}
        for item in ITEMS
    ]
    stored = connection.execute("select cmbs_store.store_policy(%s)", [json.dumps(texts)])
    query = "select array(select r.got from cmbs_store.fixture_results(%s, %s, 'default') as r)"
    row = connection.execute(query, [*(stored.fetchone() or ()), json.dumps(fixtures)]).fetchone()
    assert row
    found: list[Any] = row[0]
    assert len(found) == len(ITEMS)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_case_27_more_rules_never_permit_more(tx: Connection, seed: int) -> None:
    generator = random.Random(seed)
    allowed = changed = 0
    for _ in range(75):
        entries, state = policy(generator), given(generator)
        before = verdicts(tx, entries, state)
        more = entries | {"constraint.new": constraint(generator, "deny")}
        if generator.random() < 0.2:
            more = entries | {"constraint.new": generator.choice(MALFORMED)}
        fewer = dict(entries)
        allows = [
            key
            for key, one in entries.items()
            if key != "constraint.bad" and one.get("effect") == "allow"
        ]
        if allows:
            del fewer[generator.choice(allows)]
        for other in (more, fewer):
            after = verdicts(tx, other, state)
            for was, is_now in zip(before, after, strict=True):
                allowed += was["decision"] == "allow"
                changed += was != is_now
                if is_now["decision"] == "allow" and was["decision"] != "allow":
                    pytest.fail(json.dumps([entries, other, state, was, is_now]))
    assert allowed > 50, "nothing was permitted that could have been denied"
    assert changed > 50


@pytest.mark.parametrize("seed", range(4))
def test_no_order_changes_a_verdict(tx: Connection, seed: int) -> None:
    generator = random.Random(100 + seed)
    for _ in range(40):
        entries, state = policy(generator), given(generator)
        keys = list(entries)
        generator.shuffle(keys)
        # The content is the same and so is its hash; what is stored first must not matter either.
        tx.execute("savepoint before")
        first = json.dumps(verdicts(tx, entries, state))
        tx.execute("rollback to before")
        second = json.dumps(verdicts(tx, {key: entries[key] for key in keys}, state))
        assert first == second


def test_the_order_of_names_does_not_matter_but_for_which_is_named(tx: Connection) -> None:
    generator = random.Random(7)
    for _ in range(60):
        entries, state = policy(generator), given(generator)
        constraints = [key for key in entries if key.startswith("constraint.")]
        renamed = list(constraints)
        generator.shuffle(renamed)
        other = dict(entries)
        for old, new in zip(constraints, renamed, strict=True):
            other[new] = entries[old]
        for was, is_now in zip(
            verdicts(tx, entries, state), verdicts(tx, other, state), strict=True
        ):
            for name in ("decision", "disposition"):
                assert was[name] == is_now[name]


def resolve(path: str, state: dict[str, Any]) -> tuple[bool, Any]:
    """Whether a path is there, and what; an error if it cannot be known."""
    parts = path.split(".")
    for n in range(len(parts), 1, -1):
        stored = state.get(".".join(parts[:n]))
        if stored is None:
            continue
        if not isinstance(stored, dict):
            raise LookupError
        rest = parts[n:]
        if not rest:
            return True, stored.get("value", stored)
        at: Any = stored if rest[0] in stored else stored.get("value")
        for part in rest:
            if isinstance(at, dict) and part in at:
                at = at[part]
            elif isinstance(at, list) and part.isdigit() and int(part) < len(at):
                at = at[int(part)]
            else:
                return False, None
        return True, at
    return False, None


def same(one: Any, other: Any) -> bool:
    """Equality of JSON: numbers by value, and true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return (type(one) is type(other) and one == other) or (
        isinstance(one, int | float) and isinstance(other, int | float) and one == other
    )


def holds(when: dict[str, Any], state: dict[str, Any]) -> bool | None:
    name, args = when["op"], when["args"]
    if name in ("all", "any"):
        found = [holds(child, state) for child in args]
        strong = name == "any"
        if strong in found:
            return strong
        return None if None in found else not strong
    if name == "not":
        inner = holds(args[0], state)
        return None if inner is None else not inner
    try:
        is_there, left = resolve(args[0], state)
        if name in ("exists", "missing"):
            return (is_there and left is not None) == (name == "exists")
        right = args[1]
        if isinstance(right, dict) and "ref" in right:
            right_is_there, right = resolve(right["ref"], state)
            if not right_is_there:
                return None
    except LookupError:
        return None
    if not is_there:
        return None
    if name == "eq":
        return same(left, right)
    if not isinstance(right, list):
        return None
    return any(same(left, each) for each in right)


@pytest.mark.parametrize("seed", range(3))
def test_two_evaluators_agree(tx: Connection, seed: int) -> None:
    generator = random.Random(1000 + seed)
    counts = {True: 0, False: 0, None: 0}
    for _ in range(700):
        when, state = condition(generator, 4), given(generator)
        world = {key: stored if isinstance(stored, dict) else None for key, stored in state.items()}
        row = tx.execute(
            "select cmbs_store.holds(%s, %s, '{}'), "
            "(cmbs_store.nearest_change(%s, %s, '{}')).p_n_failing, "
            "(cmbs_store.nearest_change(%s, %s, '{}', false)).p_n_failing, "
            "cmbs_store.explained_condition(%s, %s, '{}') ->> 'holds'",
            [json.dumps(when), json.dumps(world)] * 4,
        ).fetchone()
        assert row
        expected = holds(when, state)
        assert row[0] is expected, (when, state)
        assert (row[1] == 0, row[2] == 0) == (expected is True, expected is False), (when, state)
        assert row[3] == {True: "true", False: "false", None: "unknown"}[expected]
        counts[expected] += 1
    assert min(counts.values()) > 50, counts


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_allowed_changes_nothing(tx: Connection, seed: int) -> None:
    generator = random.Random(2000 + seed)
    scene = Scene(tx)
    state_tables = ("state_delta", "state_value", "state_checkpoint", "capability_spending")
    outcomes: dict[str, int] = {}
    for _ in range(60):
        entries = {key: one for key, one in policy(generator).items() if key != "constraint.bad"}
        if generator.random() < 0.6:
            entries |= GRANT
        scene.apply(entries)
        who = generator.choice([scene.agent, scene.tool])
        items: list[Any] = [
            generator.choice(
                [
                    tool_call(generator.choice("ABR"), {"n": 1}),
                    delta({f"goal.g{generator.randint(0, 2)}": value(1)}),
                    delta({generator.choice(KEYS): value(generator.choice(LITERALS))}),
                    delta({generator.choice(["misc.x", "policy.x", "goal.g1.x"]): value(1)}),
                ]
            )
            for _ in range(generator.randint(1, 3))
        ]
        counting = " union all ".join(f"select count(*) from cmbs_store.{t}" for t in state_tables)
        before = tx.execute(counting.encode()).fetchall(), scene.state()
        answer = scene.propose(*items, who=who, atomic=generator.random() < 0.6)
        after = tx.execute(counting.encode()).fetchall(), scene.state()
        outcomes[answer["decision"]] = outcomes.get(answer["decision"], 0) + 1
        effective = [item["effective"] for item in answer["items"]]
        if answer["decision"] != "allow":
            assert before == after
            assert not any(effective)
        else:
            assert any(effective)
        assert SEVERITY[answer["disposition"]] == 0 or answer["decision"] != "allow"
    assert outcomes.get("allow", 0) > 3, outcomes
    assert outcomes.get("deny", 0) > 3, outcomes
    assert scene.is_whole()


def traces(scene: Scene) -> Any:
    """What a proposal that takes effect would have changed."""
    execute = scene.connection.execute
    return (
        scene.state(),
        execute("select * from cmbs_store.permit order by permit_id").fetchall(),
        execute("select * from cmbs_store.capability_spending order by seq").fetchall(),
        execute("select * from cmbs_store.state_delta order by seq").fetchall(),
        execute("select * from cmbs_store.interrupt_use order by seq").fetchall(),
        scene("query_belief")["survivors"],
    )


@pytest.mark.parametrize("seed", range(12))
def test_whatever_ends_without_allow_leaves_the_state_as_it_was(tx: Connection, seed: int) -> None:
    """Denied, asked, declined, cancelled, deferred, exhausted, degraded, forbidden by a mode."""
    generator = random.Random(seed)
    scene = Scene(tx, GRANT)
    scene.register("A", effect_class="network", authorities=["a"])
    ways = set()
    for turn in range(25):
        if turn % 5 == 0:
            entries = policy(generator)
            few = generator.sample(sorted(entries), min(3, len(entries)))
            scene.inject(
                {key: entries[key] for key in few}
                | {"policy.budgets": {"v": 1, "soft": {"max_calls": generator.choice([0, 100])}}}
                | ({"policy.deferrals": {"v": 1, "max_attempts": 1}} if turn % 2 else {})
                | (GRANT if generator.random() < 0.7 else {})
            )
            mode = generator.choice(["normal", "thermal", "offline_safe"])
            scene("set_mode", scene.policy, mode=mode)
        before = traces(scene)
        items = [generator.choice(ITEMS[:5]) for _ in range(generator.randint(1, 2))]
        answer = scene.propose(*items, atomic=generator.random() < 0.5)
        effective = any(item["effective"] for item in answer["items"])
        ways.add(answer["disposition"])
        if not effective:
            assert answer["decision"] != "allow"
            assert not any("permit_id" in item for item in answer["items"])
            assert traces(scene) == before
        before = traces(scene)
        for item in answer["items"]:
            if "interrupt_id" in item and generator.random() < 0.7:
                resolution = generator.choice(["decline", "cancel", "approve"])
                scene.resolve(item["interrupt_id"], resolution)
                assert traces(scene) == before
                if resolution != "approve":
                    scene.refuses(
                        "APPROVAL_DECLINED" if resolution == "decline" else "APPROVAL_CANCELLED",
                        scene.resume,
                        answer,
                        *items,
                    )
                    break
    assert len(ways) > 1
    assert scene.is_whole()
