"""What every command has in common: what is mistyped, --json, --help, and how it ends."""

import re

import pytest

from cmbs.cli.commands import COMMANDS, GROUPS
from cmbs.cli.commands.completion import leaves, whole
from cmbs.common.failure import Status
from tests.support.beliefs import NOBODY, Connection, Session
from tests.support.commands import on, run_here

# What has no answer of its own: it runs until it is told to stop, passes on what another program
# prints, or writes what was asked for in a form of its own.
WITHOUT_JSON = {
    *("serve", "demo", "completion", "psql", "roles"),
    *("tee serve", "tee mirror run", "tee export", "tee show"),
}


LEAVES = dict(leaves(whole()))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("explian", "did you mean explain?"),
        ("session", "did you mean sessions?"),
        ("verfy", "did you mean verify?"),
        ("permits", "did you mean permit?"),
        ("policy aply", "did you mean apply?"),
        ("inbox aprove", "did you mean approve?"),
        ("inbox list --status pendng", "did you mean pending?"),
        ("mode last offline", "did you mean offline_safe?"),
        ("sessions --stat open", "did you mean --state?"),
        ("explain last --jsn", "did you mean --json?"),
        ("serve --prot=8000", "did you mean --port?"),
        ("frobnicate", "choose from serve, demo"),
        ("halt", "did you mean cmbs policy halt?"),
        ("stop", "did you mean cmbs policy halt or "),
        ("approve", "did you mean cmbs inbox approve?"),
        ("backup", "did you mean cmbs dump?"),
        ("inbox frobnicate", "choose from list, show, approve, decline, cancel"),
    ],
)
def test_what_was_probably_meant(typed: str, meant: str) -> None:
    done = run_here(*typed.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert meant in done.stderr
    # The usage is that of the command that was called.
    called = typed.split()[0]
    assert done.stderr.startswith(f"usage: cmbs {called if called in COMMANDS else 'COMMAND'} ")


def test_half_an_option_is_none() -> None:
    assert run_here("sessions", "--lim", "3").returncode == 2


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_that_answers_answers_programs(name: str) -> None:
    has_json = "--json" in LEAVES[name]._option_string_actions
    assert has_json is (name not in WITHOUT_JSON)


def test_the_help_of_every_command_is_complete(subtests: pytest.Subtests) -> None:
    for name, parser in LEAVES.items():
        with subtests.test(name):
            assert parser.description
            example = (parser.epilog or "").partition("example: ")[2]
            assert f"cmbs {name}" in example
            for action in parser._actions:
                assert action.help, action.dest


def test_all_commands_are_listed_under_what_they_are_for() -> None:
    said = run_here("--help").stdout
    for title, commands in GROUPS.items():
        part = said[said.index(f"{title}:\n") :].partition("\n\n")[0]
        for name, command in commands.items():
            assert re.search(rf"^  {name} +{re.escape(command.summary)}$", part, re.MULTILINE)


def test_help_names_every_status() -> None:
    said = run_here("--help").stdout
    told = {int(number) for number in re.findall(r"^  (\d)  [a-z]", said, re.MULTILINE)}
    assert told == {status for status in Status if status < 100}


def test_one_status_for_each_class_of_outcome(database: str, db: Connection) -> None:
    cmbs, away = on(database), on("postgresql://x@127.0.0.1:1/none")
    session = Session(db, "ab")
    id_ = str(session.id)
    assert cmbs("verify", id_).returncode == Status.DONE
    assert cmbs("explain", str(NOBODY)).returncode == Status.USAGE
    assert cmbs("explain").returncode == Status.USAGE
    proposal = '{"items": [{"kind": "tool_call", "tool_id": "x", "args": {}}]}'
    assert cmbs("propose", id_, "-", sent=proposal).returncode == Status.DECIDED_AGAINST
    assert cmbs("mode", id_, "eco", "--reason", "x" * 5000).returncode == Status.REFUSED
    assert away("explain", id_).returncode == Status.FAILED
    db.execute("alter table cmbs_store.session disable trigger all")
    db.execute("update cmbs_store.session set n_survivors = 1")
    assert cmbs("verify", id_).returncode == Status.WRONG
