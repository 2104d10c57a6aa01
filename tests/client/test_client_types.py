"""What a type checker and an interpreter see of the clients."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cmbs.client import AsyncClient, Client

ROOT = Path(__file__).resolve().parent.parent.parent
SNIPPET = """
from contextlib import aclosing, closing

from cmbs import BeliefServer, OntologyBundle
from cmbs.client import AsyncClient, Client

def either(server: BeliefServer | Client, about: OntologyBundle) -> bool:
    session, snapshot = server.declare_session(about, ["a"], policy={"stability_window": 1})
    head = snapshot.audit_head_event_id
    server.eliminate(session, "s", "o", ["a"], {"n": 1}, notes="n", expected_head=head)
    server.eliminate_batch(session, [{"source_id": "s", "observation_id": "p", "eliminated": []}])
    server.enter_obligation(session, "o", 1, request_id="r")
    return server.request_exit(session, "o").approved and bool(server.audit_trace(session, head))

async def look(waiting: Client, awaiting: AsyncClient) -> None:
    reveal_type(waiting.eliminate)
    reveal_type(awaiting.eliminate)
    reveal_type(waiting.eliminate("s", "a", "b", ["c"]))
    reveal_type(await awaiting.eliminate("s", "a", "b", ["c"]))
    reveal_type(waiting.declare_session)
    reveal_type((await awaiting.request_exit("s", "o")).approved)
    reveal_type([one async for one in awaiting.audit_stream("s")])
    reveal_type(waiting.list_sessions())
    reveal_type(waiting.explain("s")["termination"]["missing"])
    reveal_type(waiting.why("s", "h").eliminated_by)
    with closing(waiting.audit_stream("s")) as events:
        reveal_type(next(events))
    async with aclosing(awaiting.list_sessions()) as sessions:
        reveal_type(await anext(sessions))
"""
WRONG = """
from cmbs.client import AsyncClient, Client

async def look(waiting: Client, awaiting: AsyncClient) -> None:
    waiting.eliminate("s", "a", "b")
    await awaiting.eliminate("s", "a", 1, ["c"])
    waiting.request_exit("s", "o", {}, "request id")
    await awaiting.audit_trace("s", since=1)
    await awaiting.audit_stream("s")
    waiting.request_termination("s").granted
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the checker found out of the library, which takes most of its time."""
    return tmp_path_factory.mktemp("cache")


def checked(text: str, folder: Path) -> list[str]:
    (folder / "snippet.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder), "snippet.py"]
    done = subprocess.run(
        command,
        cwd=folder,
        env={"MYPYPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.mark.nightly
def test_a_type_checker_sees_exact_signatures(cache: Path) -> None:
    *lines, end = checked(SNIPPET, cache)
    assert end == "Success: no issues found in 1 source file"
    found = [re.sub(r'^.*Revealed type is "(.*)"$', r"\1", line) for line in lines]
    assert len(found) == 12
    waiting, awaiting, answer, awaited = found[:4]
    arguments = "session_id: str | uuid.UUID, source_id: str, observation_id: str, eliminated:"
    assert waiting.startswith(f"def ({arguments}")
    assert awaiting.startswith(f"def ({arguments}")
    assert answer == awaited
    assert "cmbs.kernel.answers.Eliminated" in answer
    assert f"-> {answer}" in waiting
    assert f"Coroutine[Any, Any, {answer}]" in awaiting
    assert found[5:8] == [
        "bool",
        "list[cmbs.kernel.answers.AuditEntry]",
        "typing.Generator[cmbs.kernel.answers.BeliefSnapshot, None, None]",
    ]
    assert found[8] == "list[TypedDict({'condition': str, 'missing': int | None})]"
    assert found[9] == "cmbs.client.found.EliminatedBy | None"
    assert found[10:] == ["cmbs.kernel.answers.AuditEntry", "cmbs.kernel.answers.BeliefSnapshot"]
    # Free objects and what a coroutine is sent may be anything; nothing else may.
    rest = re.sub(r"Mapping\[str, Any\]|Coroutine\[Any, Any, ", "", " ".join(found))
    assert "Any" not in rest


@pytest.mark.nightly
def test_a_type_checker_sees_what_is_wrong(cache: Path) -> None:
    *lines, end = checked(WRONG, cache)
    assert end.startswith("Found 6 errors")
    told = [int(line.split(":")[1]) for line in lines if " error: " in line]
    assert told == [5, 6, 7, 8, 9, 10]


@pytest.mark.nightly
def test_a_type_checker_accepts_the_page(cache: Path) -> None:
    page = (ROOT / "docs" / "client.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    *_, end = checked("\n".join(["URL: str", *blocks]), cache)
    assert end == "Success: no issues found in 1 source file"


def test_what_an_import_brings_along() -> None:
    script = (
        "import sys, cmbs; assert not {'httpx', 'psycopg'} & {*sys.modules}; import cmbs.client; "
        "print({'httpx', 'psycopg'} <= {*sys.modules}, {'litestar', 'uvicorn'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "set()"]


def test_every_method_says_what_it_does() -> None:
    for kind in (Client, AsyncClient):
        for name, method in vars(kind).items():
            if callable(method) and not name.startswith("_"):
                assert method.__doc__, name
                assert method.__name__ == name
