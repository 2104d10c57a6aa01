"""Free JSON objects made to hurt: refused with a documented error and nothing changed, or kept.

Everything is sent as raw text, as a caller of SQL would; Python's own parser would mend some of it.
"""

import hashlib
import itertools
import json
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs import errors
from tests.support.beliefs import Connection, Session, contents, refused
from tests.support.sizes import sampled, size

MIB = 1 << 20
INVALID, TOO_LARGE = ("INVALID_REQUEST", 400), ("PAYLOAD_TOO_LARGE", 413)
_number = itertools.count()


def send(session: Session, channel: str, text: str) -> None:
    """Send the text as the free object of a message that is new."""
    match channel:
        case "justification":
            session.eliminate(source_id="s", observation_id=f"o{next(_number)}", justification=text)
        case "batch":
            envelope = '"source_id": "s", "observation_id": "%s", "eliminated": []'
            sent = envelope % f"b{next(_number)}"
            session("eliminate_batch", messages=f'[{{{sent}, "justification": {text}}}]')
        case "exit":
            session.exit(context=text)
        case "conclusion":
            session.conclude(context=text)
        case "termination":
            session.terminate(context=text)
        case "metadata":
            Session(session.connection, metadata=text)


CHANNELS = ["justification", "batch", "exit", "conclusion", "termination", "metadata"]


def prepared(tx: Connection) -> Session:
    session = Session(tx)
    session.enter("o", 1)
    return session


def canonical(tx: Connection, text: str) -> str:
    row = tx.execute("select (%s::json)::jsonb::text", [text]).fetchone()
    assert row is not None
    return str(row[0])


def newest_record(tx: Connection) -> str:
    """The newest record of all sessions: as an auditor gets it, its hash checked."""
    row = tx.execute(
        "select session_id, prev.event_id from cmbs.audit_event as a "
        "left join lateral (select b.event_id from cmbs.audit_event as b "
        "where b.session_id = a.session_id and b.seq = a.seq - 1) as prev on true "
        "order by a.ts desc, a.seq desc limit 1"
    ).fetchone()
    assert row is not None
    (line,) = tx.execute("select cmbs.audit_lines(%s, %s)", row).fetchone() or ("",)
    parsed = json.loads(line)
    record = str(parsed["record"])
    assert hashlib.sha256(record.encode()).hexdigest() == parsed["event_hash"]
    return record


def assert_kept(session: Session, channel: str, text: str) -> None:
    tx = session.connection
    send(session, channel, text)
    member = {"justification": "justification", "batch": "justification", "metadata": "metadata"}
    expected = f'"{member.get(channel, "context")}": {canonical(tx, text)}'
    assert expected in newest_record(tx)


def assert_refused(
    session: Session, channel: str, text: str, expected: tuple[str, int] | None = None
) -> psycopg.Error:
    before = contents(session.connection)
    with pytest.raises(psycopg.Error) as caught, session.connection.transaction():
        send(session, channel, text)
    error = caught.value
    assert errors.classify(error) in ([expected] if expected else [INVALID, TOO_LARGE])
    assert contents(session.connection) == before
    assert len(str(error)) < 4096 + len(text), "the answer is bounded by the question"
    if isinstance(error, errors.BeliefError):
        assert len(str(error)) < 4096
        json.dumps(error.details)
    return error


def nested(depth: int, kind: str = "object") -> str:
    """An object of so many levels, itself the first."""
    openers = {"object": ('{"a": ', "}"), "array": ("[", "]")}
    opener, closer = openers[kind]
    inner = "1"
    return '{"a": ' + opener * (depth - 1) + inner + closer * (depth - 1) + "}"


def many(n: int, last: str) -> str:
    """A list of n ones and what comes last."""
    return '{"a": [' + "1," * n + last + "]}"


KEPT = {
    "empty": "{}",
    "empty with space": " { } ",
    "1e400": '{"a": 1e400, "b": -1e400}',
    "digits kept": '{"a": 1.10, "b": 1e2, "c": 0.0, "d": -0, "e": -0.00, "f": 1E-2, "g": 1.0e1}',
    "more than a float": '{"a": 0.1000000000000000055511151231257827, "b": 9007199254740993}',
    "1,000 digits left": f'{{"a": {"9" * 1000}, "b": -{"1" * 1000}}}',
    "1,000 digits right": '{"a": 0.%s1}' % ("0" * 999),
    "1,000 digits both": f'{{"a": {"8" * 1000}.{"7" * 1000}}}',
    "1,000 digits by exponent": '{"a": 1e999, "b": 1e-1000, "c": 0.1E+1000, "d": 1e0000000999}',
    "a long number in a string": '{"a": "%s", "1e131000": "1e131000"}' % ("9" * 5000),
    "128 levels": nested(128),
    "128 levels of arrays": nested(128, "array"),
    "scalars below 128 levels": nested(126).replace("1", '{"x": [], "y": "z"}', 1),
    "colons": '{"a:b": ":", ":": "\\u003a\\u003A", "\\u003a:": "::", "c": "\\\\u003a:"}',
    "backslashes": r'{"\\": "\\\\", "\\\\": "\\u003a", "\\\u003a": "\\\\\u003a", "\"": "\":\\\""}',
    "escapes": r'{"a\/b": "\b\f\n\r\t\u0001\u001f\u007f", "\u00e4": "\ud83d\ude00", "\u2028": 1}',
    "keys that look alike": '{"a": 1, "A": 2, "a ": 3, "\\u00e9": 4, "e\\u0301": 5, "": 6, " ": 7}',
    "repeats that are no keys": '{"a": {"a": {"a": "a"}}, "b": [{"a": 1}, {"a": 1}]}',
    "$redactable as a value": '{"a": "$redactable", "b": ["$redactable", "\\"$redactable\\": 1"]}',
    "$redactable as a part": '{"$redactable2": 1, "x$redactable": 2, "$REDACTABLE": 3, "$": {}}',
    "$redactable in a text": r'{"a": "{\"$redactable\": 1}", "b": "\\\"$redactable\": "}',
    "a text of a megabyte": '{"a": "%s"}' % ("x" * (MIB - 9)),
    "a key of a megabyte": '{"%s": 1}' % ("k" * (MIB - 7)),
    "a megabyte of two-byte letters": '{"a": "%s"}' % ("é" * ((MIB - 10) // 2)),
    "much space around little": '{"a":%s1}' % (" " * 4_000_000),
    "SQL": '{"a": "\'; drop table cmbs_store.session; --", "%s": "%1$s %I $1 %%"}',
    "our own members": '{"event_hash": "x", "record": "y", "v": 2, "payload": {"eliminated": []}}',
}

REFUSED: dict[str, tuple[str, tuple[str, int] | None]] = {
    "1e131000": ('{"a": 1e131000}', INVALID),
    "-1e131000": ('{"a": -1e131000}', INVALID),
    "1e131000 by the hundred": ('{"a": [%s1]}' % ("1e131000," * 100), INVALID),
    # Printed, it would be more than PostgreSQL lets a text be: class 54 would tell that it was.
    "1e131000 by the ten thousand": ('{"a": [%s1]}' % ("1e131000," * 10_000), INVALID),
    "1e-16000 by the hundred thousand": ('{"a": [%s1]}' % ("1e-16000," * 100_000), INVALID),
    "hidden behind many": (many(400_000, "1e131000" + ",1e131000" * 9_000), None),
    "hidden behind exactly": (many(399_999, "1e131000" + ",1e9" * 9_000), None),
    "many that print long": ('{"a": [%s1]}' % ("1e999," * 1100), TOO_LARGE),
    "one that fits no number": ('{"a": 1e131073}', INVALID),
    "an absurd exponent": ('{"a": 1e999999999999}', INVALID),
    "5,000 digits": ('{"a": %s}' % ("9" * 5000), INVALID),
    "5,000 digits deep down": ('{"a": [{"b": [[%s]]}]}' % ("9" * 5000), INVALID),
    "1,001 digits left": ('{"a": 1%s}' % ("0" * 1000), INVALID),
    "1,001 digits right": ('{"a": 0.%s1}' % ("0" * 1000), INVALID),
    "1,001 zeros right": ('{"a": 1.%s}' % ("0" * 1001), INVALID),
    "1,001 digits by exponent": ('{"a": 1e1000}', INVALID),
    "1,001 digits by a negative one": ('{"a": 1e-1001}', INVALID),
    "a zero of 2,000 digits": ('{"a": 0e-2000}', INVALID),
    "129 levels": (nested(129), INVALID),
    "129 levels of arrays": (nested(129, "array"), INVALID),
    "129 levels beside little": ('{"b": 1, "a": [1, ' + nested(127) + "]}", INVALID),
    "20,000 levels": (nested(20_000), INVALID),
    "a million levels": (nested(1_000_000, "array"), INVALID),
    "an open million": ('{"a": ' + "[" * 1_000_000, INVALID),
    "a key twice": ('{"a": 1, "a": 1}', INVALID),
    "a key twice in an object": ('{"x": {"a": 1, "b": 2, "a": 3}}', INVALID),
    "a key twice in a list": ('{"x": [1, [{"a": [], "a": []}]]}', INVALID),
    "a key twice, once escaped": (r'{"x": {"a": 1, "\u0061": 2}}', INVALID),
    "a colon twice": (r'{":": 1, "\u003a": 2}', INVALID),
    "a colon twice in other letters": (r'{"\u003A": 1, "\u003a": 2}', INVALID),
    "a backslash twice": (r'{"\\": 1, "\u005c": 2}', INVALID),
    "a slash twice": (r'{"a/b": 1, "a\/b": 2}', INVALID),
    "a quote twice": (r'{"\"": ":", "\u0022": "\u003a"}', INVALID),
    "the empty key twice": ('{"": {"b": 1}, "": {"b": 1}}', INVALID),
    "a pair twice": (r'{"\ud83d\ude00": 1, "😀": 2}', INVALID),
    "a twin that hides a twin": ('{"a": {"b": 1, "b": 2}, "a": 3}', INVALID),
    "NUL in a value": (r'{"a": "x\u0000y"}', INVALID),
    "NUL in a key": (r'{"a\u0000": 1}', INVALID),
    "half a pair": (r'{"a": "\ud83d"}', INVALID),
    "the other half": (r'{"a": "\ude00"}', INVALID),
    "a pair turned round": (r'{"a": "\ude00\ud83d"}', INVALID),
    "half a pair in a key": (r'{"\ud83dx": 1}', INVALID),
    "a MiB and a byte": ('{"a": "%s"}' % ("x" * (MIB - 8)), TOO_LARGE),
    "a MiB by escapes": ('{"a": "%s"}' % (r"\u0001" * (MIB // 6)), TOO_LARGE),
    "more than 4 MiB of little": ('{"a":%s1}' % (" " * 4 * MIB), TOO_LARGE),
    "$redactable": ('{"$redactable": 1}', INVALID),
    "$redactable below": ('{"a": {"b": {"$redactable": null}}}', INVALID),
    "$redactable in lists": ('{"a": [[[{"$redactable": {}}]]]}', INVALID),
    "$redactable escaped": (r'{"a": {"\u0024redactable": 1}}', INVALID),
    "$redactable beside its value": ('{"a": "$redactable", "b": {"$redactable": 1}}', INVALID),
    "a list": ("[]", INVALID),
    "a text": ('"x"', INVALID),
    "a number": ("1", INVALID),
    "a truth": ("true", INVALID),
    "nothing": ("", INVALID),
    "space": ("  ", INVALID),
    "half an object": ("{", INVALID),
    "a missing value": ('{"a":}', INVALID),
    "single quotes": ("{'a': 1}", INVALID),
    "NaN": ('{"a": NaN}', INVALID),
    "Infinity": ('{"a": -Infinity}', INVALID),
    "a leading zero": ('{"a": 01}', INVALID),
    "two objects": ("{}{}", INVALID),
    "a comma at the end": ('{"a": 1,}', INVALID),
    "a raw newline": ('{"a": "\n"}', INVALID),
    "a byte order mark": ("\ufeff{}", INVALID),
    "a long word": ('{"a": %s}' % ("w" * MIB), INVALID),
}
# What every place for a free object must answer like the first.
EVERYWHERE = [
    "1e131000 by the ten thousand",
    "1,001 digits left",
    "129 levels",
    "20,000 levels",
    "a key twice in a list",
    "a colon twice",
    "NUL in a value",
    "half a pair",
    "a MiB and a byte",
    "$redactable in lists",
    "a list",
]


@pytest.mark.parametrize("name", KEPT)
def test_kept(tx: Connection, name: str) -> None:
    session = prepared(tx)
    assert_kept(session, "justification", KEPT[name])
    assert session.is_whole()


@pytest.mark.parametrize("channel", CHANNELS[1:])
def test_kept_everywhere(tx: Connection, channel: str) -> None:
    session = prepared(tx)
    for text in KEPT.values():
        if len(text) < 100_000:
            assert_kept(session, channel, text)
    assert session.is_whole()


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tx: Connection, name: str) -> None:
    assert_refused(prepared(tx), "justification", *REFUSED[name])


@pytest.mark.parametrize("channel", CHANNELS[1:])
def test_refused_everywhere(tx: Connection, channel: str) -> None:
    session = prepared(tx)
    for name in EVERYWHERE:
        text, expected = REFUSED[name]
        assert_refused(session, channel, text, expected)


@pytest.mark.parametrize("name", ["1e131000 by the ten thousand", "hidden behind many"])
@pytest.mark.parametrize("channel", sampled(CHANNELS))
def test_large_numbers_are_measured_and_not_printed(
    tx: Connection, name: str, channel: str
) -> None:
    # PostgreSQL's own refusal of a text above a gigabyte would mean that it was being made.
    error = assert_refused(prepared(tx), channel, *REFUSED[name])
    assert isinstance(error, errors.InvalidRequest | errors.PayloadTooLarge)


@pytest.mark.parametrize("member", ["source_id", "observation_id", "eliminated", "notes", "other"])
@pytest.mark.parametrize("value", ["[%s1]" % ("1e131000," * 10_000), "1e131000"])
def test_large_numbers_elsewhere_in_a_batch(tx: Connection, member: str, value: str) -> None:
    session = Session(tx)
    sent = {"source_id": '"s"', "observation_id": '"o"', "eliminated": "[]", member: value}
    text = ", ".join(f'"{key}": {written}' for key, written in sent.items())
    error = session.refuses(errors.InvalidRequest, "eliminate_batch", messages=f"[{{{text}}}]")
    assert error.details["index"] == 0
    assert len(str(error)) < 4096


@pytest.mark.parametrize("argument", ["ontology", "policy"])
@pytest.mark.parametrize("name", [*EVERYWHERE, "a megabyte of keys", "a key of a megabyte"])
def test_refused_as_ontology_and_policy(tx: Connection, argument: str, name: str) -> None:
    keys = ", ".join(f'"{i:06}": 1' for i in range(MIB // 16))
    texts = {
        "a megabyte of keys": f"{{{keys}}}",
        "a key of a megabyte": KEPT["a key of a megabyte"],
    }
    text = texts.get(name) or REFUSED[name][0]
    sent: dict[str, Any] = {"session_id": "00000000-0000-4000-8000-000000000001"}
    bundle = '{"hypothesis_space_id": "s", "hypothesis_version": "1", "causal_graph_ref": "g", '
    sent |= {"ontology": bundle + '"causal_graph_version": "2"}', "hypotheses": ["a"]}
    error = refused(tx, psycopg.Error, "declare_session", **{**sent, argument: text})
    assert errors.classify(error) in (INVALID, TOO_LARGE)
    assert len(str(error)) < 100_000


class Number(str):
    """A number as it is written."""


def written(value: Any, draw: Any) -> str:
    """The value as JSON text, with spaces and escapes as it pleases the draw."""
    space = draw(st.sampled_from(["", "", " ", "\n\t"]))
    match value:
        case Number():
            return str(value)
        case dict():
            members = (f"{written(k, draw)}{space}:{written(v, draw)}" for k, v in value.items())
            return "{" + space + ",".join(members) + "}"
        case list():
            return "[" + ("," + space).join(written(item, draw) for item in value) + "]"
        case str():
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
    return json.dumps(value)


digits = st.text("0123456789", min_size=1, max_size=30)
numbers = st.builds(
    lambda sign, whole, part, exponent: Number(
        sign + (whole.lstrip("0") or "0") + (f".{part}" if part else "") + exponent
    ),
    st.sampled_from(["", "-"]),
    digits,
    st.one_of(st.just(""), digits),
    st.one_of(st.just(""), st.integers(-30, 30).map("e{}".format), st.just("E+05")),
)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
awkward = st.text(r":\"/{}[],$u03aA 1e", max_size=12)
keys = st.one_of(texts, awkward).filter(lambda key: key != "$redactable")
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts, awkward),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)


@st.composite
def objects(draw: Any) -> str:
    return written(draw(st.dictionaries(keys, values, max_size=5)), draw)


def exactly(text: str) -> Any:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


# No deadline: other suites may share the cores. 250 objects take about three seconds.
@settings(
    max_examples=size(80, 250),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=objects(), channel=st.sampled_from(["justification", "batch", "conclusion"]))
def test_any_object_is_kept(tx: Connection, text: str, channel: str) -> None:
    session = prepared(tx)
    assert_kept(session, channel, text)
    payload = exactly(newest_record(tx))["payload"]
    assert payload.get("justification", payload.get("context")) == exactly(text)
