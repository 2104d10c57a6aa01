"""The everyday tasks of docs/command-line.md: twenty, of four kinds of users."""

import re
import shlex

import pytest

from cmbs.cli.commands.completion import whole
from tests.support.servers import ROOT

PAGE = (ROOT / "docs" / "command-line.md").read_text()
ROWS = re.findall(r"^\| ([a-z ]+) \| (.+?) \| (`cmbs .+`) \|$", PAGE, re.MULTILINE)


def test_they_are_twenty_of_four_kinds() -> None:
    assert len(ROWS) == 20
    assert {who for who, _, _ in ROWS} == {"agent builder", "approver", "analyst", "operator"}


@pytest.mark.parametrize(("who", "task", "commands"), ROWS)
def test_each_is_at_most_two_commands_that_there_are(who: str, task: str, commands: str) -> None:
    listed = re.findall(r"`([^`]+)`", commands)
    assert 1 <= len(listed) <= 2
    for command in listed:
        program, *arguments = shlex.split(command)
        assert program == "cmbs"
        assert callable(whole().parse_args(arguments).run)
