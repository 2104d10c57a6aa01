"""What a program gets that imports the library: no database with it, and types that tell."""

import importlib
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import cmbs
from cmbs.belief_server import BeliefServer
from tests.support.servers import ROOT

HEAVY = ["psycopg", "psycopg_pool", "yaml", "grpc", "httpx", "sqlalchemy", "alembic", "litestar"]
HEAVY += ["msgspec", "uvicorn", "google"]
# What a program may do with nothing but the standard library.
PROGRAM = """
import sys, tempfile, pathlib
{path}
import cmbs
from cmbs.audit_log import FileAuditLog, restore_all
path = pathlib.Path(tempfile.mkdtemp()) / "log"
with FileAuditLog(path) as log:
    server = cmbs.BeliefServer(audit_log=log)
    bundle = cmbs.OntologyBundle("s", "1", "g", "1")
    session_id, snapshot = server.declare_session(bundle, ["a", "b"])
    applied, ignored, snapshot, event_id = server.eliminate(session_id, "s", "1", ["a", "x"])
    assert (applied, ignored, snapshot.survivors) == (["a"], ["x"], ["b"])
    again = cmbs.BeliefServer()
    assert restore_all(again, None, log) == [session_id]
    assert again.query_belief(session_id) == snapshot
assert cmbs.CMBSCore(["a"]).request_termination().permitted
print(*sorted(name for name in sys.modules if "." not in name))
"""


def loaded(*options: str, path: str = "") -> set[str]:
    command = [sys.executable, *options, "-c", PROGRAM.format(path=path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == 0
    return set(done.stdout.split())


def test_importing_it_needs_no_database() -> None:
    modules = loaded()
    assert {"cmbs", "json"} <= modules
    assert modules.isdisjoint(HEAVY)


def test_it_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "cmbs", tmp_path / "cmbs", ignore=shutil.ignore_patterns("api"))
    modules = loaded("-I", "-S", path=f"sys.path.append({str(tmp_path)!r})")
    assert modules - {"cmbs", "__main__"} <= {*sys.stdlib_module_names}
    program = "import psycopg"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True)
    assert b"ModuleNotFoundError" in done.stderr, "nothing else is there"


def test_everything_it_offers_is_there() -> None:
    assert len(set(cmbs.__all__)) == len(cmbs.__all__)
    for name in cmbs.__all__:
        assert getattr(cmbs, name).__module__.startswith("cmbs.")
    assert {"CMBSCore", "BeliefServer", "BeliefServerError", "BeliefSnapshot"} <= {*cmbs.__all__}


def test_the_contract_is_where_it_was() -> None:
    for module, names in {
        "cmbs.core": ["CMBSCore", "ProbeResult", "EliminationEvent"],
        "cmbs.belief_server": ["AuditEntry", "BeliefServer", "BeliefSnapshot", "OntologyBundle"],
        "cmbs.spi.elimination_store": ["EliminationStore", "RecoveredState"],
        "cmbs.spi.hypothesis_provider": ["HypothesisProvider"],
    }.items():
        for name in names:
            assert hasattr(importlib.import_module(module), name)


def test_the_arguments_of_a_server_are_those_of_the_contract() -> None:
    server = BeliefServer(False, None, None, actor="x", clock=None, new_id=None, audit_log=None)
    with pytest.raises(TypeError):
        BeliefServer(False, None, None, "x")  # type: ignore[misc]
    assert server.declare_session(cmbs.OntologyBundle("s", "1", "g", "1"), []).session_id


SNIPPET = """
from cmbs import BeliefServer, CMBSCore, OntologyBundle
from cmbs.audit_log import FileAuditLog, restore_all

server = BeliefServer(audit_log=FileAuditLog("x"))
declared = server.declare_session(OntologyBundle("s", "1", "g", "1"), ["a"])
session_id, snapshot = declared
reveal_type(session_id)
reveal_type(snapshot)
applied, ignored, after, event_id = server.eliminate(session_id, "s", "1", {{"a"}}, {{"k": 1}})
reveal_type((applied, ignored, after, event_id))
entered, entered_id = server.enter_obligation(session_id, "o", 1)
reveal_type((entered, entered_id))
approved, reason, decided, decided_id = server.request_exit(session_id, "o")
reveal_type((approved, reason, decided, decided_id))
reveal_type(server.waive_obligation(session_id, "o", "why"))
reveal_type(server.declare_conclusion(session_id, "c").approved)
reveal_type(server.request_termination(session_id, {{"force": True}}).reason)
batch = server.eliminate_batch(session_id, [{{"source_id": "s"}}])
reveal_type(batch.results[0].applied)
reveal_type(batch.duplicate)
reveal_type(server.apply_probe(session_id, "p", 1).ignored)
reveal_type(server.query_belief(session_id).survivors)
reveal_type(snapshot.active_obligation)
reveal_type(snapshot.policy)
reveal_type(snapshot.n_survivors)
reveal_type(server.audit_trace(session_id)[0].delta)
reveal_type(server.audit_trace(session_id)[0].notes)
reveal_type(restore_all(server, None, FileAuditLog("x")))
core = CMBSCore({{"a"}}, stability_window=1)
reveal_type(core.submit_probe_result("p", "o", ["a"]).accepted)
reveal_type(core.survivors)
reveal_type(core.request_termination().error)
reveal_type(core.get_elimination_history()[0].eliminated)
{mistake}
"""


def checked(folder: Path, mistake: str = "") -> list[str]:
    (folder / "snippet.py").write_text(SNIPPET.format(mistake=mistake))
    mypy = Path(sysconfig.get_path("scripts")) / "mypy"
    done = subprocess.run(
        [mypy, "--strict", "--no-incremental", "--config-file=", "snippet.py"],
        cwd=folder,
        env={"MYPYPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.nightly
def test_types_say_what_results_are(tmp_path: Path) -> None:
    *notes, summary = checked(tmp_path)
    assert summary == "Success: no issues found in 1 source file"
    assert len(notes) == 22
    assert [note for note in notes if "Any" in note or "note: Revealed" not in note] == []
    assert [note for note in notes if note.endswith('type is "list[str]"')]


MISTAKES = [
    "snapshot.survivor",
    "server.eliminate(session_id, 's', '1', 5)",
    "server.declare_session({}, ['a'])",
    "core.survivors.add(1)",
    "declared.snapshots",
    "BeliefServer(store=5)",
]


def test_types_find_every_mistake(tmp_path: Path) -> None:
    first = SNIPPET.format(mistake="").count("\n")
    found = checked(tmp_path, "\n".join(MISTAKES))
    lines = {int(one.split(":")[1]) for one in found if ": error: " in one}
    assert lines == {*range(first, first + len(MISTAKES))}
