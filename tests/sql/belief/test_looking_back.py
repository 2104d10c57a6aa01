"""`cmbs explain`, `diff` and `whatif`: what they print."""

import json
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Json

from cmbs import cli
from cmbs.common import words
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session


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
    entered, bad, good = session.events()[2:5]
    said = out.splitlines()
    assert said[:2] == [
        f"session       {session.id}",
        "believes      3 survivors, entropy 1.58, of 6 declared",
    ]
    assert said[2:] == [
        "conclusion    would be approved",
        "  last        c, 1 of 2 in a row",
        "termination   would be denied (termination requires a singleton survivor)",
        "  lacking     a singleton survivor: 2 to go",
        "  lacking     a stable conclusion: 1 to go",
        "  with force  denied (force not allowed by policy)",
        "eliminated    3 hypotheses by 2 events of 2 sources",
        "  bad: 2 by 1 event",
        "  good: 1 by 1 event",
        f"  {good['ts']}  good, observation 2  (by postgres, event {good['event_id']})",
        "    gone: c",
        f"  {bad['ts']}  bad, o  (by postgres, event {bad['event_id']})",
        "    gone: a, b",
        '    because: {"n": 1.10}',
    ]
    assert entered["verb"] == "ENTER_OBLIGATION"


def test_explain_a_hypothesis(session: Session, command: Commands) -> None:
    for hypothesis, fate in (("a", "was eliminated"), ("f", "survives")):
        _, out, _ = command("explain", session.id, hypothesis)
        assert f"hypothesis    {hypothesis} {fate}\n" in out
        assert ("by 1 event of 1 source" in out) is (fate == "was eliminated")
        assert ("  bad, o  " in out) is (hypothesis == "a")


def test_explain_an_obligation_and_a_session_that_is_over(
    db: Connection, command: Commands
) -> None:
    session = Session(db, "a", policy=Json({"allow_forced_termination": True}))
    session.enter("o", 2)
    _, out, _ = command("explain", session.id)
    assert "obligation    o with 0 of 2 eliminations, which can never be met, since 2" in out
    assert "  lacking     no active obligation: out of reach\n" in out
    session.waive("o")
    session.terminate()
    _, out, _ = command("explain", session.id)
    assert "believes      1 survivor, entropy 0.00, terminated, of 1 declared\n" in out
    assert "termination   would be refused (SESSION_TERMINATED)\n" in out


def test_diff(session: Session, command: Commands) -> None:
    events = session.events()
    first, last = events[2]["event_id"], events[-1]["event_id"]
    status, out, err = command("diff", session.id, last, first)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"session     {session.id}",
        f"from        event 3, {events[2]['ts']}: 6 survivors, entropy 2.58, "
        "obligation look with 0 of 3 eliminations",
        f"to          event 6, {events[5]['ts']}: 3 survivors, entropy 1.58",
        "between     3 events: 2 ELIMINATE, 1 REQUEST_EXIT",
        "eliminated  3 hypotheses",
        f"  {events[3]['ts']}  a  (bad, o)",
        f"  {events[3]['ts']}  b  (bad, o)",
        f"  {events[4]['ts']}  c  (good, observation 2)",
        "gates       1 message",
        f"  {events[5]['ts']}  REQUEST_EXIT look: approved",
    ]
    _, out, _ = command("diff", session.id, first, last, "--limit", 1)
    assert "  and 2 hypotheses more; see --limit\n" in out
    _, out, _ = command("diff", session.id, first, first)
    assert "between     0 events\n" in out


def test_whatif(session: Session, command: Commands) -> None:
    status, out, err = command("whatif", session.id, "--without-source", "bad")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"session    {session.id}",
        "without    source bad: 1 message",
        "recorded   3 survivors, entropy 1.58",
        "instead    4 survivors, entropy 2.00, obligation look with 2 of 3 eliminations",
        "returning  1 hypothesis",
        "  b",
        "gates      1 of 3 would have said otherwise",
        "  event 6  REQUEST_EXIT: approved -> denied (minimum eliminations not met)",
    ]
    session.enter("look", 1)
    _, out, _ = command("whatif", session.id, "--without-observation", "o")
    assert "without    observation o: 1 message\n" in out
    assert "refused    1 message that the session took\n" in out
    assert "  event 7  ENTER_OBLIGATION: taken -> refused (CONFLICT)\n" in out


def test_a_justification_keeps_its_digits_and_the_terminal(
    db: Connection, command: Commands
) -> None:
    session = Session(db, "ab")
    written = '{"n": 1.50, "big": 1%s, "text": "\\u001b \\u202e ä", "in": [{"x": 0.10}]}' % (
        "0" * 40
    )
    session.eliminate("a", justification=written)
    _, out, _ = command("explain", session.id)
    (line,) = [line for line in out.splitlines() if "because" in line]
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
    assert (status, out) == (1, "")
    assert err.startswith(f"cmbs: {sentence}")
    assert err.count("\n") == 1


def test_a_hypothesis_that_is_none(session: Session, command: Commands) -> None:
    status, out, err = command("explain", session.id, "nonsense")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "CONTEXT" not in err
    assert '"invalid": ["nonsense"]' in err, "a sentence that promises details has them"


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
