"""How answers look: in a pipe, and on a terminal of so many columns."""

import contextlib
import io
import os
import pty
import re
import sys
from datetime import UTC, datetime, timedelta

import pytest
from rich.cells import cell_len

from cmbs.cli import page

NOW = datetime(2026, 3, 8, 12, 0, tzinfo=UTC)
ANSI = re.compile(r"\x1b\[[0-9;]*m")
IDS = [
    "9b2f6c1e-5a53-4c1b-9f6e-9a3f2a0d7c11",
    "9b2f6c1e-6a53-4c1b-9f6e-9a3f2a0d7c11",
    "0c1b6c1e-6a53-4c1b-9f6e-9a3f2a0d7c11",
]


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(), "now"),
        (timedelta(milliseconds=900), "now"),
        (timedelta(seconds=1), "1 s ago"),
        (timedelta(minutes=3, seconds=59), "3 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=9), "9 days ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(minutes=-119), "in 2 h"),
        (timedelta(days=-2), "in 2 days"),
    ],
)
def test_a_time_is_exact_and_relative(ago: timedelta, said: str) -> None:
    at = NOW - ago
    exact = f"{at:%Y-%m-%d %H:%M}"
    assert page.when(at, NOW) == f"{exact} ({said})"
    assert page.when(at.isoformat(), NOW) == f"{exact} ({said})"


def test_a_time_is_told_in_utc_and_none_is_never() -> None:
    assert page.when("2026-03-08T13:59:00.5+02:00", NOW) == "2026-03-08 11:59 (59 s ago)"
    assert page.when(None) == "never"


def piped(*parts: page.Part) -> str:
    out = io.StringIO()
    page.show(parts, out)
    return out.getvalue()


def test_in_a_pipe_all_is_plain_whole_and_in_columns() -> None:
    long = "x" * 300
    table = page.Table(
        ["id", "state", "text"],
        [(page.Id(IDS[0]), page.State("BROKEN"), long), (page.Id(IDS[1]), "ok", "[red]b[/red]")],
    )
    said = piped("a line :smile:", ("label", "one"), ("longer label", page.State("deny, x")), table)
    assert said.splitlines() == [
        "a line :smile:",
        "label         one",
        "longer label  deny, x",
        f"{'id':<36}  state   text",
        f"{IDS[0]}  BROKEN  {long}",
        f"{IDS[1]}  ok      [red]b[/red]",
    ]


def test_a_pipe_has_no_edge_and_counts_cells() -> None:
    long = "x" * 200_000
    said = piped(page.Table(["id", "text", "state"], [("障害", long, "ok"), ("a", "b", "c")]))
    header, first, second = said.splitlines()
    assert first == f"障害  {long}  ok"
    assert second == f"a     b{' ' * 199_999}  c"
    assert header.split() == ["id", "text", "state"]


@pytest.mark.parametrize("columns", [0, 1, 19])
def test_a_terminal_without_columns_gets_all_the_same(columns: int) -> None:
    assert "terminated" in ANSI.sub("", on_terminal(("state", "terminated"), columns=columns))


def test_colour_that_is_forced_changes_nothing_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    table = page.Table(["id"], [(page.Id(IDS[0]),)])
    assert piped(page.State("BROKEN"), table) == f"BROKEN\nid\n{IDS[0]}\n"


def test_fields_apart_have_columns_of_their_own() -> None:
    assert piped(("a", "1"), "line", ("longer", "2")) == "a  1\nline\nlonger  2\n"


def on_terminal(*parts: page.Part, columns: int = 80, **env: str) -> str:
    """What a terminal of these columns gets."""
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as terminal, pytest.MonkeyPatch.context() as patch:
        patch.delenv("NO_COLOR", raising=False)
        for name, value in {"COLUMNS": str(columns), "TERM": "xterm", **env}.items():
            patch.setenv(name, value)
        page.show(parts, terminal)
    shown = b""
    with os.fdopen(leader, "rb", buffering=0) as reader, contextlib.suppress(OSError):
        # The end of what was written to a terminal that nobody has open is an error.
        while part := reader.read(65536):
            shown += part
    return shown.decode().replace("\r\n", "\n")


def test_on_a_terminal_ids_are_as_long_as_tells_them_apart() -> None:
    said = ANSI.sub("", on_terminal(page.Table(["id"], [(page.Id(one),) for one in IDS])))
    assert said.split() == ["id", "9b2f6c1e-5", "9b2f6c1e-6", "0c1b6c1e-6"]
    alone = ANSI.sub("", on_terminal(page.Table(["id"], [(page.Id(IDS[0]),)])))
    assert alone.split() == ["id", "9b2f6c1e"]


def test_on_a_terminal_states_have_a_colour_and_other_texts_none() -> None:
    said = on_terminal(
        page.State("BROKEN  here"), page.State("ok  there"), "deny", ("x", page.State("deny, so"))
    )
    broken, ok, text, value = said.splitlines()
    assert broken == "\x1b[1;31mBROKEN\x1b[0m  here"
    assert ok == "\x1b[32mok\x1b[0m  there"
    assert text == "deny"
    assert "\x1b[1;31mdeny\x1b[0m, so" in value


def test_no_color_is_honoured() -> None:
    assert on_terminal(page.State("allow"), NO_COLOR="1") == "allow\n"


def test_a_narrow_terminal_wraps_cells_and_loses_nothing() -> None:
    words = [f"word{number}" for number in range(40)]
    table = page.Table(["id", "text"], [(page.Id(IDS[0]), " ".join(words))])
    said = ANSI.sub("", on_terminal(table, ("label", " ".join(words)), columns=50))
    assert max(map(len, said.splitlines())) <= 50
    for word in words:
        assert said.count(f"{word}\n") + said.count(f"{word} ") == 2, word


def test_no_word_is_lost_or_broken_at_any_width() -> None:
    rows = [
        (page.Id(one), page.State("terminated"), page.when(NOW, NOW + timedelta(days=257)), *texts)
        for one, texts in zip(
            IDS,
            (("a b c", '{"free": "40 %"}'), ("障害発生", "checkout-outage"), ("xyz uvw", "-")),
            strict=True,
        )
    ]
    table = page.Table(["session", "state", "last event", "obligation", "space"], rows)
    words = ["9b2f6c1e-5", "terminated", "257", "days", "xyz", "uvw", '{"free":', '"40', '%"}']
    words.append("障害発生")
    for columns in range(40, 140):
        said = ANSI.sub("", on_terminal(table, columns=columns)).replace("\u00a0", " ")
        assert max(map(cell_len, said.splitlines())) <= columns
        for word in (*words, "checkout-outage"):
            assert re.search(rf"(?<!\S){re.escape(word)}(?!\S)", said.replace("(", "")), columns
    assert "2026-03-08 12:00 (257 days ago)" in said


def test_a_line_on_a_terminal_can_be_copied_whole() -> None:
    line = "x" * 200
    assert on_terminal(line, columns=50) == f"{line}\n"


def test_what_is_printed_goes_where_standard_output_is_now(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page.show(["here"])
    page.show_line("there")
    page.note("beside")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("here\nthere\n", "cmbs: beside\n")
    assert sys.stdout is not sys.__stdout__
