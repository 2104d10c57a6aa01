"""What may be done to a log: each way takes the rows of one and gives others."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support.corpus import NAMES
from tests.support.oracle import Json


class Row(NamedTuple):
    seq: int
    event_hash: str
    record: str


Log = list[Row]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, Decimal("1.0"), Decimal("1.10"), 10**30, 2**63, 2**31),
    *("", "a", "b c", "nowhere", "0" * 64, "F" * 64, "x" * 513, "n" * 4097, "true", "approved"),
    *([], {}, [None], ["a"], ["a", "a"], [1], {"a": 1}, {"eliminated": []}, {"eliminated": ["a"]}),
    *("2026-02-30T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:00:60.000000Z"),
    *("9999-12-31T23:59:59.999999Z", "1999-01-01T00:00:00.000000Z", "2099-01-01T00:00:00.000000+0"),
    *("ELIMINATE", "REQUEST_EXIT", "DECLARE_SESSION", "eliminate", "00000000-0000-4000-8000-"),
    *("00000000-0000-4000-8000-000000000002", "ABCDEF00-0000-4000-8000-000000000002"),
    *({"force": True}, {"stability_window": 1}, {"$redactable": 1}),
]


def linked(rows: Log, start: int) -> Log:
    """Every hash anew from there on, each link to the one before."""
    made = rows[:start]
    for row in rows[start:]:
        previous = made[-1].event_hash if made else "0" * 64
        text = re.sub(
            r'("prev_event_hash": ")[0-9a-f]{64}(", "survivors_after_hash": "[^"]*", '
            r'"survivors_before_hash": "[^"]*"\})$',
            rf"\g<1>{previous}\g<2>",
            row.record,
        )
        made.append(Row(row.seq, hash_text(text), text))
    return made


def renumbered(rows: Log, start: int) -> Log:
    """Numbers, event ids and links as if every row had always been there."""
    made = rows[:start]
    for seq, row in enumerate(rows[start:], start + 1):
        record = parse(row.record)
        record |= {"seq": seq, "event_id": record["event_id"][:24] + f"{seq:012x}"}
        made.append(Row(seq, "", canonical(record)))
    return linked(made, start)


def forged(rows: Log, at: int, edit: Callable[[Json], Json]) -> Log:
    record = edit(parse(rows[at].record))
    return linked([*rows[:at], Row(rows[at].seq, "", canonical(record)), *rows[at + 1 :]], at)


def other_member(random: Random, of: Json, others: list[Json]) -> Json:
    """An object with a member more, less, or of another value."""
    name = random.choice(list(of))
    way = random.randrange(8)
    if way == 0:
        return {key: value for key, value in of.items() if key != name}
    if way == 1:
        return of | {random.choice(["request_id", "notes", "x", "approved"]): random.choice(VALUES)}
    if way < 5:
        known = [other[name] for other in others if name in other]
        return of | {name: random.choice(known or VALUES)}
    return of | {name: random.choice(VALUES)}


def changed_text(random: Random, rows: Log) -> Log:
    at = random.randrange(len(rows))
    text = rows[at].record
    place = random.randrange(len(text))
    text = text[:place] + random.choice(["", "x", "0", " ", text[place] * 2]) + text[place + 1 :]
    return [*rows[:at], rows[at]._replace(record=text), *rows[at + 1 :]]


def changed_hash(random: Random, rows: Log) -> Log:
    at = random.randrange(len(rows))
    wrong = random.choice(["0" * 64, random.choice(rows).event_hash, random.randbytes(32).hex()])
    return [*rows[:at], rows[at]._replace(event_hash=wrong), *rows[at + 1 :]]


def changed_record(random: Random, rows: Log) -> Log:
    others = [parse(row.record) for row in random.sample(rows, min(3, len(rows)))]
    return forged(
        rows, random.randrange(len(rows)), lambda record: other_member(random, record, others)
    )


def changed_payload(random: Random, rows: Log) -> Log:
    others = [parse(row.record)["payload"] for row in random.sample(rows, min(3, len(rows)))]

    def edit(record: Json) -> Json:
        return record | {"payload": other_member(random, record["payload"], others)}

    return forged(rows, random.randrange(len(rows)), edit)


def changed_inside(random: Random, rows: Log) -> Log:
    """A member of an object in the payload, the policy of a declare for instance."""
    at = random.randrange(len(rows))

    def edit(record: Json) -> Json:
        inside = [name for name, one in record["payload"].items() if isinstance(one, dict) and one]
        if not inside:
            return record
        name = random.choice(inside)
        other = other_member(random, record["payload"][name], [])
        return record | {"payload": record["payload"] | {name: other}}

    return forged(rows, random.choice([0, at]), edit)


def changed_elimination(random: Random, rows: Log) -> Log:
    """Other ids asked for or applied; now and then both, and then only later events can tell."""

    def edit(record: Json) -> Json:
        asked = record["payload"].get("eliminated")
        if asked is None:
            return record | {"delta": {"eliminated": random.sample(NAMES, 1)}}
        more = random.choice([random.sample(NAMES, 2), ["hypothesis 3"], ["00003"], asked[:1]])
        asked, delta = random.choice([(asked + more, None), (asked[1:], None), (asked, more)])
        if delta is None:
            delta = random.choice([sorted(set(asked)), record["delta"]["eliminated"]])
        payload = record["payload"] | {"eliminated": asked}
        return record | {"payload": payload, "delta": {"eliminated": delta}}

    return forged(rows, random.randrange(len(rows)), edit)


def changed_decision(random: Random, rows: Log) -> Log:
    decided = [at for at, row in enumerate(rows) if '"reason": "' in row.record] or [0]

    def edit(record: Json) -> Json:
        payload = dict(record["payload"])
        for name in ("approved", "accepted"):
            if name in payload and random.random() < 0.7:
                payload[name] = not payload[name]
        if random.random() < 0.7:
            reasons = ["approved", "accepted", "waived", "approved by force"]
            reasons += ["conclusion not stable", "minimum eliminations not met"]
            payload["reason"] = random.choice(reasons)
        return record | {"payload": payload}

    return forged(rows, random.choice(decided), edit)


def other_text(random: Random, rows: Log) -> Log:
    """The same JSON in another text, or none at all."""
    at = random.randrange(len(rows))
    text = rows[at].record
    number = re.search(r'"seq": [0-9]+', text)
    assert number
    changed = random.choice(
        [
            text.replace('"v": 1', random.choice(['"v":1', '"v": 1.0', '"v": 1e0', '"v": 01'])),
            text.replace('"v": 1', '"v": 1, "v": 1'),
            text.replace('"v": 1', '"v": ' + "[" * 9999),
            text.replace('"v": 1', '"v": ' + random.choice(["NaN", "Infinity", "1e999999", "-0"])),
            text.replace(number[0], number[0] + random.choice([".0", "0", "e0", "9" * 20])),
            text.replace('"verb"', '"\\u0076erb"'),
            text.replace("Z", random.choice(["z", "+00", ""]), 1),
            text.replace('"actor": "', '"actor": "' + random.choice(["\\ud800", "\\u0000", "\t"])),
            text.replace("/", "\\/", 1) if "/" in text else text + " ",
            *(text + "\n", " " + text, text[:-1], text + "}", f"[{text}]", "", "null", "{}"),
            json.dumps(json.loads(text), sort_keys=True),
        ]
    )
    made = linked([*rows[:at], Row(rows[at].seq, hash_text(changed), changed), *rows[at + 1 :]], at)
    # Linking may not find its place in what is no record any more.
    made[at] = Row(rows[at].seq, hash_text(changed), changed)
    return linked(made, at + 1)


def swapped(random: Random, rows: Log) -> Log:
    one, other = random.randrange(len(rows)), random.randrange(len(rows))
    made = [*rows]
    made[one], made[other] = rows[other]._replace(seq=one + 1), rows[one]._replace(seq=other + 1)
    return random.choice([made, linked(made, min(one, other))])


def deleted(random: Random, rows: Log) -> Log:
    at = random.randrange(len(rows))
    made = [*rows[:at], *rows[at + 1 :]]
    moved = [row._replace(seq=no) for no, row in enumerate(made, 1)]
    return random.choice([made, moved, linked(moved, at), renumbered(moved, at)])


def doubled(random: Random, rows: Log) -> Log:
    at, after = random.randrange(len(rows)), random.randrange(len(rows))
    made = [*rows[: after + 1], rows[at], *rows[after + 1 :]]
    moved = [row._replace(seq=no) for no, row in enumerate(made, 1)]
    return random.choice([moved, linked(moved, after + 1), renumbered(moved, after + 1)])


def inserted(random: Random, rows: Log) -> Log:
    """One more ELIMINATE that applies nothing, in the middle of a log that was made to fit."""
    at = random.randrange(len(rows))
    before = parse(rows[at].record)
    payload = {"source_id": "put in", "observation_id": str(at), "justification": {}}
    record = before | {"verb": "ELIMINATE", "delta": {"eliminated": []}}
    record["payload"] = payload | {"eliminated": random.choice([[], ["nowhere at all"]])}
    record["survivors_before_hash"] = before["survivors_after_hash"]
    return renumbered([*rows[: at + 1], Row(0, "", canonical(record)), *rows[at + 1 :]], at + 1)


def cut(random: Random, rows: Log) -> Log:
    return rows[: random.randrange(len(rows)) + 1]


def untouched(random: Random, rows: Log) -> Log:
    return rows


WAYS = [changed_text, changed_hash, changed_record, changed_payload, changed_inside]
WAYS += [changed_record, changed_payload, changed_elimination, changed_decision, other_text]
WAYS += [swapped, deleted, doubled, inserted, cut, untouched]
