"""The lines of the log, for programs and on a terminal."""

import json
import logging
import sys

import pytest

from cmbs.common.log import Lines, line

ODD = "a\x9b2J\u2028\u202e\n😀"


def record(name: str, text: str, error: BaseException | None = None) -> logging.LogRecord:
    about = (type(error), error, None) if error else None
    return logging.LogRecord(name, logging.WARNING, __file__, 1, text, (), about)


def test_a_line_is_one_object_and_can_be_printed() -> None:
    text = line("request", principal=ODD, status=200)
    assert text.isprintable()
    found = json.loads(text)
    assert found.pop("ts").endswith("Z")
    assert found == {"level": "info", "event": "request", "principal": ODD, "status": 200}


def test_lines_of_others_become_objects_without_what_an_exception_says() -> None:
    found = json.loads(Lines().format(record("asyncio", "it failed", ValueError("secret"))))
    assert (found["event"], found["level"], found["message"]) == ("asyncio", "warning", "it failed")
    assert found["error"] == "ValueError"
    assert "secret" not in str(found)


def test_a_terminal_gets_text_that_obeys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    said = Lines().format(record("cmbs.access", line("request", principal=ODD, verb=None)))
    assert said.isprintable()
    assert said.split(" ", 1)[1].startswith("info    request principal=a")
    assert "verb" not in said
