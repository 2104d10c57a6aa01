"""`cmbs explain`, `diff` and `whatif`: what they print."""

import json
import re
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Json

from cmbs import cli
from cmbs.common import words
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session
from tests.support.commands import fields


def timeless(out: str) -> str:
    """What was printed, without times and the space that they take."""
    time = r"\d{4}-\d\d-\d\d \d\d:\d\d \((now|\d+ \w+ ago)\)"
    return re.sub(r"(?m)^(\S+ +)time +", r"\1time  ", re.sub(time, "TIME", out))


class Commands:
    def __init__(self, database: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._database, self._capsys = database, capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        status = cli.main([*map(str, arguments), "--database-url", self._database])
        printed = self._capsys.readouterr()
        return status, printed.out, printed.err


@pytest.fixture
def command(database: str, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(database, capsys)


@pytest.fixture
def session(db: Connection) -> Session:
    session = Session(db, "abcdef", policy=Json({"stability_window": 2}))
    session.conclude("c")
    session.enter("look", 3)
    session.eliminate("a", "b", source_id="bad", observation_id="o", justification='{"n": 1.10}')
    session.eliminate("a", "c", source_id="good")
    session.exit("look")
    return session


def test_explain(session: Session, command: Commands) -> None:
    (status, out, err) = command("explain", session.id)
    assert (status, err) == (0, "")
    assert timeless(out).splitlines() == [
        f"session       {session.id}",
        "survivors     3 of 6 hypotheses, entropy 1.58",
        "  which       d, e, f",
        "a conclusion  would be approved",
        "  the last    c, 1 of 2 in a row",
        "termination   would be denied (termination requires a singleton survivor)",
        "  needs       a singleton survivor: 2 more hypotheses to rule out",
        "  needs       a stable conclusion: 1 more equal conclusion",
        "  with force  would be denied (force not allowed by policy)",
        "eliminated    3 hypotheses, by 2 events of 2 sources",
        "",
        "source  eliminated  events",
        "bad     2           1",
        "good    1           1",
        "",
        "event  time  source  observation    actor     eliminated  because",
        "5      TIME  good    observation 2  postgres  c           -",
        '4      TIME  bad     o              postgres  a, b        {"n": 1.10}',
    ]


def test_explain_a_hypothesis(session: Session, command: Commands) -> None:
    for hypothesis, fate in (("a", "is eliminated"), ("f", "survives")):
        _, out, _ = command("explain", session.id, hypothesis)
        assert re.search(rf"\nhypothesis +{hypothesis} {fate}\n", out)
        assert ("by 1 event of 1 source" in out) is (fate == "is eliminated")
        assert (re.search(r"\n4 .+ bad +o  ", out) is not None) is (hypothesis == "a")


def test_explain_an_obligation_and_a_session_that_is_over(
    db: Connection, command: Commands
) -> None:
    session = Session(db, "a", policy=Json({"allow_forced_termination": True}))
    session.enter("o", 2)
    said = fields(timeless(command("explain", session.id)[1]))
    assert said["obligation"] == "o, 0 of 2 eliminations, which is out of reach, since TIME"
    assert (
        "  needs       no active obligation, which is out of reach\n"
        in (command("explain", session.id)[1])
    )
    session.waive("o")
    session.terminate()
    said = fields(command("explain", session.id)[1])
    assert said["survivors"] == "1 of 1 hypothesis, entropy 0.00"
    assert said["state"] == "terminated"
    assert said["termination"] == "would be refused (SESSION_TERMINATED)"


def test_many_survivors_are_counted_and_not_named(db: Connection, command: Commands) -> None:
    assert "\n  which " in command("explain", Session(db, range_of(20)).id)[1]
    assert "\n  which " not in command("explain", Session(db, range_of(21)).id)[1]


def range_of(number: int) -> list[str]:
    return [f"h{n:02}" for n in range(number)]


def test_diff(session: Session, command: Commands) -> None:
    events = session.events()
    first, last = events[2]["event_id"], events[-1]["event_id"]
    status, out, err = command("diff", session.id, last, first)
    assert (status, err) == (0, "")
    assert timeless(out).splitlines() == [
        f"session       {session.id}",
        "from          event 3, TIME",
        "  survivors   6, entropy 2.58",
        "  obligation  look, 0 of 3 eliminations",
        "to            event 6, TIME",
        "  survivors   3, entropy 1.58",
        "between       3 events: 2 ELIMINATE, 1 REQUEST_EXIT",
        "eliminated    3 hypotheses",
        "gates         1 message",
        "",
        "eliminated  time  source  observation",
        "a           TIME  bad     o",
        "b           TIME  bad     o",
        "c           TIME  good    observation 2",
        "",
        "gate          time  of    answer",
        "REQUEST_EXIT  TIME  look  approved",
    ]
    _, out, _ = command("diff", session.id, first, last, "--limit", 1)
    assert "\nand 2 hypotheses more; see --limit\n" in out
    assert fields(command("diff", session.id, 3, 3)[1])["between"] == "0 events"


def test_whatif(session: Session, command: Commands) -> None:
    status, out, err = command("whatif", session.id, "--without-source", "bad")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"session       {session.id}",
        "without       source bad: 1 message",
        "as recorded",
        "  survivors   3, entropy 1.58",
        "without them",
        "  survivors   4, entropy 2.00",
        "  obligation  look, 2 of 3 eliminations",
        "would return  1 hypothesis",
        "gates         1 of 3 would answer otherwise",
        "",
        "would return",
        "b",
        "",
        "event  gate          answered  would answer",
        "6      REQUEST_EXIT  approved  denied (minimum eliminations not met)",
    ]
    session.enter("look", 1)
    _, out, _ = command("whatif", session.id, "--without-observation", "o")
    assert fields(out)["without"] == "observation o: 1 message"
    assert fields(out)["would be refused"] == "1 message that the session took"
    assert re.search(r"\n7 +ENTER_OBLIGATION  taken +refused \(CONFLICT\)\n", out)


def test_a_justification_keeps_its_digits_and_the_terminal(
    db: Connection, command: Commands
) -> None:
    session = Session(db, "ab")
    written = '{"n": 1.50, "big": 1%s, "text": "\\u001b \\u202e ä", "in": [{"x": 0.10}]}' % (
        "0" * 40
    )
    session.eliminate("a", justification=written)
    _, out, _ = command("explain", session.id)
    line = out.splitlines()[-1]
    assert line.isprintable()
    for kept in ("1.50", "1" + "0" * 40, "\\u001b \\u202e ä", "0.10"):
        assert kept in line


@pytest.mark.parametrize("odd", ["\x1b[2J", "a\nb", " a", "\u202etxt", "", "\t", "a\u200db"])
def test_no_id_can_play_with_the_terminal(odd: str) -> None:
    assert words.shown(odd).isascii()
    assert words.shown(odd).isprintable()
    assert json.loads(words.shown(odd)) == odd if odd else words.shown(odd) == ""


_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
_HEART_ON_FIRE = "\u2764\ufe0f\u200d\U0001f525"


@pytest.mark.parametrize(
    "plain", ["dns", "tool://df -h", "ä/b", "\U0001f600", _FAMILY, _HEART_ON_FIRE]
)
def test_an_id_that_can_be_read_is_shown_as_it_is(plain: str) -> None:
    assert words.shown(plain) == plain


def asked(session: Session) -> dict[str, tuple[dict[str, Any], list[object]]]:
    first, *_, last = (event["event_id"] for event in session.events())
    return {
        "explain": ({"hypothesis_id": "a"}, ["a"]),
        "diff": ({"from_event_id": first, "to_event_id": last}, [first, last]),
        "whatif": ({"without_source": "bad"}, ["--without-source", "bad"]),
    }


def test_json_does_not_move_the_cursor(db: Connection, command: Commands) -> None:
    session = Session(db, ["a", "\x9b2J\u202e\u2028"])
    session.eliminate("\x9b2J\u202e\u2028", source_id="\x1b[2J")
    _, out, _ = command("explain", session.id, "--json")
    assert out.removesuffix("\n").isprintable()
    assert json.loads(out) == session("explain")


@pytest.mark.parametrize("verb", ["explain", "diff", "whatif"])
def test_json_is_the_answer_of_the_verb(session: Session, command: Commands, verb: str) -> None:
    arguments, typed = asked(session)[verb]
    status, out, err = command(verb, session.id, *typed, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == session(verb, **arguments)
    assert ('"n": 1.10' in out) is (verb == "explain"), "digits are kept"


WRONG: dict[str, list[Any]] = {
    "There is no such session.": ["explain", NOBODY],
    "There is no such event in this session.": ["diff", None, NO_EVENT, NO_EVENT],
    "The session has no such message.": ["whatif", None, "--without-source", "nobody"],
    "name what to leave out: --without-source, --without-observation": ["whatif", None],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_in_one_line(session: Session, command: Commands, sentence: str) -> None:
    typed = [session.id if word is None else word for word in WRONG[sentence]]
    status, out, err = command(*typed)
    assert (status, out) == (2, "")
    assert err.startswith(f"cmbs: {sentence}")
    assert err.count("\n") == 1


def test_a_hypothesis_that_is_none(session: Session, command: Commands) -> None:
    session = Session(session.connection, ["disk_full", "dns"])
    for typed, near in (("nonsense", ""), ("disk_ful", "; did you mean disk_full?")):
        status, out, err = command("explain", session.id, typed)
        assert (status, out) == (2, "")
        assert err == f"cmbs: the session has no hypothesis {typed}{near}\n"


@pytest.mark.parametrize(
    "typed",
    [
        ["explain"],
        ["explain", "x"],
        ["diff", UUID(int=1)],
        ["whatif", UUID(int=1), "--limit", "0"],
        # As a shell hands over bytes that are not UTF-8.
        ["explain", UUID(int=1), "\udcff"],
        ["whatif", UUID(int=1), "--without-source", "\udcff"],
        ["whatif", UUID(int=1), "--without-observation", "\udcff"],
    ],
    ids=lambda typed: ascii(" ".join(map(str, typed))),
)
def test_usage(command: Commands, typed: list[object]) -> None:
    with pytest.raises(SystemExit) as ended:
        command(*typed)
    assert ended.value.code == 2
