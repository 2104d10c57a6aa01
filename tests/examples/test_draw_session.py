"""examples/draw_session.py draws what the views say."""

import re
import runpy
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cmbs.deploy.resources import examples_dir
from tests.support.analytics import Analyst
from tests.support.beliefs import Session, rich_session

# A development dependency; the program itself says what is missing.
pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed")
SCRIPT = examples_dir() / "draw_session.py"


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def session(db: psycopg.Connection[Any]) -> Session:
    return rich_session(db)[0]


@pytest.fixture
def address(session: Session) -> Iterator[str]:
    """An analyst's, with a password, as this program would be used."""
    analyst = Analyst(session.connection)
    info = session.connection.info
    where = {"host": info.host, "port": info.port, "dbname": info.dbname}
    yield psycopg.conninfo.make_conninfo(**where, user=analyst.name, password=analyst.password)
    analyst.remove()


def test_the_curves_are_those_of_the_log(
    session: Session, address: str, program: dict[str, Any]
) -> None:
    snapshots = [session.snapshot(as_of=event["event_id"]) for event in session.events()]
    steps = program["read"](address, session.id)
    figure = program["draw"](str(session.id), steps)
    try:
        counts, entropies = figure.axes
        (survivors,), (entropy,) = counts.get_lines(), entropies.get_lines()
        for line in (survivors, entropy):
            assert list(line.get_xdata()) == list(range(1, len(snapshots) + 1))
            assert line.get_drawstyle() == "steps-post"
        assert list(survivors.get_ydata()) == [one["n_survivors"] for one in snapshots]
        assert list(entropy.get_ydata()) == pytest.approx(
            [one["entropy_proxy"] for one in snapshots], rel=0, abs=1e-12
        )
        assert survivors.get_ydata()[0] == 10
        assert survivors.get_ydata()[-1] == 1
        assert counts.get_ylim()[0] == entropies.get_ylim()[0] == 0
        assert str(session.id) in counts.get_title()
        labels = [text.get_text() for text in counts.get_legend().get_texts()]
        assert labels == ["survivors", "entropy"]
    finally:
        pyplot.close(figure)


def test_its_cells_run_one_after_the_other(
    session: Session, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = re.split(r"^# %%(.*)\n", SCRIPT.read_text(), flags=re.MULTILINE)[1:]
    told, code = [], []
    for kind, cell in zip(cells[::2], cells[1::2], strict=True):
        (told if kind == " [markdown]" else code).append(cell)
    assert all(line.startswith("#") for cell in told for line in cell.strip().splitlines())
    assert len(told) == len(code) == 4
    notebook = {"__name__": "notebook"}
    for cell in code:
        exec(compile(cell, "cell", "exec"), notebook)
    output = tmp_path / "drawn.png"
    notebook["main"]([str(session.id), address, str(output)])
    assert capsys.readouterr().out == f"drew 21 events to {output}\n"
    assert output.read_bytes().startswith(b"\x89PNG")
    pyplot.close("all")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_writes_a_picture(session: Session, address: str, tmp_path: Path) -> None:
    output = tmp_path / "drawn.png"
    done = run(str(session.id), address, str(output))
    assert (done.returncode, done.stdout) == (0, f"drew 21 events to {output}\n"), done.stderr
    data = output.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (900, 500)
    assert data.endswith(b"IEND\xaeB`\x82")
    drawn = pyplot.imread(output)
    # Both curves are there: what is white or grey alone would be an empty frame.
    colours = {tuple(round(float(part), 1) for part in pixel[:3]) for row in drawn for pixel in row}
    assert {(0.1, 0.5, 0.7), (1.0, 0.5, 0.1)} <= colours


@pytest.mark.nightly
def test_what_cannot_be_drawn(session: Session, address: str, tmp_path: Path) -> None:
    nobody = "00000000-0000-0000-0000-000000000000"
    for arguments, said in (
        ((nobody, address, str(tmp_path / "x.png")), f"there is no session {nobody}"),
        (("x", address, str(tmp_path / "x.png")), "x is not the id of a session"),
        ((nobody, "host=/nowhere", str(tmp_path / "x.png")), "draw_session: connection "),
        ((nobody,), "usage: "),
        ((str(session.id), address, str(tmp_path / "no" / "x.png")), "No such file or directory"),
    ):
        done = run(*arguments)
        assert done.returncode == 1
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
