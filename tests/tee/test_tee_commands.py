"""The commands about the causal graph: what they merge, write and show, and what they refuse."""

import json
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs.cli.commands import tee
from cmbs.database.calls import call
from tests.cli.test_arbitration import file
from tests.cli.test_identities import told
from tests.support.beliefs import Connection
from tests.support.callers import caller, principal
from tests.support.commands import Run, on
from tests.tee.graphs import begin, edge, merge, name, node, rule_out, seed

AT = "2026-11-18T07:49:06.123456Z"
SAID = {"source": "cmdb", "trigger": "import"}
ODD = ['"><script>', "tab\t, line\n, quote ' and %7C|", "\u202eback", "söme 名 🎉", "]]>&amp;", " "]
CREATED = "nodes      {} created, {} merged\nedges      {} created, {} merged\nconflicts  {}\n"


@pytest.fixture
def cmbs(database: str) -> Run:
    return on(database)


@pytest.fixture
def other(db: Connection, database: str) -> Any:
    """Runs a command on a second database, with its kernel and nothing in it."""
    info = psycopg.conninfo.conninfo_to_dict(database)
    copy = f"{info['dbname']}_copy"
    db.execute(f'create database "{copy}"'.encode())
    url = make_conninfo(database, dbname=copy)
    run = on(url)
    assert run("migrate").returncode == 0
    yield run
    db.execute(f'drop database "{copy}" with (force)'.encode())


def graph(db: Connection) -> Any:
    return call(db, "read_main_graph")


def reordered(told: Any) -> Any:
    """The graph without the order of its lists, which say nothing."""
    if isinstance(told, list):
        return sorted(map(reordered, told), key=lambda one: json.dumps(one, sort_keys=True))
    return {key: reordered(one) for key, one in told.items()} if isinstance(told, dict) else told


def test_a_file_is_merged_and_may_be_again(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    dns = {"id": "dns", "type": "NODE_TYPE_SERVICE", "label": "Names"}
    sent = {
        "nodes": [dns, {"id": "shop", "type": "SERVICE", "label": "Shop", "hypothetical": True}],
        "edges": [{"source": "shop", "target": "dns", "type": "DEPENDS_ON"}],
    }
    path = file(tmp_path, sent, "services.json")
    assert told(cmbs("tee", "import", path)) == CREATED.format(2, 0, 1, 0, 0)
    assert told(cmbs("tee", "import", path)) == CREATED.format(0, 2, 0, 1, 0)
    said = {"source": "cmbs tee import", "trigger": "services.json"}
    assert graph(db)["nodes"] == [
        {**dns, "type": "SERVICE", "hypothetical": False, "provenance": [said]},
        {**sent["nodes"][1], "provenance": [said]},
    ]
    assert graph(db)["edges"] == [{**sent["edges"][0], "provenance": [said]}]
    again = {"nodes": [{**dns, "type": "MECHANISM", "label": "\x1b[31mDNS"}]}
    done = cmbs("tee", "import", "-", "--source", "ann", sent=json.dumps(again))
    assert told(done) == CREATED.format(0, 0, 0, 0, 2) + (
        '  dns  its label stays Names, not "\\u001b[31mDNS"\n'
        "  dns  its type stays SERVICE, not MECHANISM\n"
    )
    assert graph(db)["nodes"][0]["provenance"] == [said]
    more = {"source": "ann", "trigger": "standard input"}
    cmbs("tee", "import", "-", "--source", "ann", sent=json.dumps({"nodes": [dns]}))
    assert graph(db)["nodes"][0]["provenance"] == [said, more]


def test_of_many_conflicts_the_first_are_told(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    merge(db, [node(f"n{no:02}") for no in range(25)])
    sent = {"nodes": [node(f"n{no:02}", label="another") for no in range(25)]}
    lines = told(cmbs("tee", "import", file(tmp_path, sent))).splitlines()
    assert lines[2:4] == ["conflicts  25", "  n00  its label stays a label, not another"]
    assert (len(lines), lines[-1]) == (24, "  and 5 more")


def test_formats_are_told_apart(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    text = '\n<graphml><graph edgedefault="directed"><node id="{}"/></graph></graphml>'
    for no, (ending, more) in enumerate(
        [(".graphml", []), (".XML", []), ("", []), (".json", ["--format", "graphml"])]
    ):
        path = file(tmp_path, text.format(no), f"g{ending}")
        told(cmbs("tee", "import", path, "--trigger", "t", *more))
    assert [one["id"] for one in graph(db)["nodes"]] == ["0", "1", "2", "3"]
    path = file(tmp_path, "{}", "another.graphml")
    assert told(cmbs("tee", "import", path), 2) == (
        f"cmbs: {path} is no XML: not well-formed (invalid token): line 1, column 0\n"
    )


def test_nothing_is_merged_of_a_file_with_a_fault(
    cmbs: Run, db: Connection, tmp_path: Path
) -> None:
    sent = {"nodes": [node(f"n{no}") for no in range(tee._MOST_ITEMS + 1)], "edges": [edge("a", 7)]}
    path = file(tmp_path, sent)
    problem = "target must be text of 1 to 512 bytes, without NUL"
    assert told(cmbs("tee", "import", path), 2) == (
        f"cmbs: {path} is no graph: edges[0] {problem}\n"
    )
    assert graph(db) == {"nodes": [], "edges": []}
    (tmp_path / "latin").write_bytes(b'<?xml version="1.0" encoding="latin-1"?><\xe9/>')
    path = str(tmp_path / "latin")
    assert told(cmbs("tee", "import", path), 2) == f"cmbs: {path} must be UTF-8\n"
    assert "cannot be read" in told(cmbs("tee", "import", str(tmp_path / "none")), 2)


def test_a_long_file_is_merged_in_parts(
    cmbs: Run, db: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [f"n{no}" for no in range(10)]
    sent = {"nodes": [*map(node, ids)], "edges": [edge(a, b) for a, b in pairwise(ids)]}
    path = file(tmp_path, sent)
    monkeypatch.setattr(tee, "_MOST_ITEMS", 4)
    assert told(cmbs("tee", "import", path)) == CREATED.format(10, 0, 9, 0, 0)
    assert versions(db) == [(4, 0), (4, 0), (2, 0), (0, 4), (0, 4), (0, 1)]
    monkeypatch.setattr(tee, "_MOST_LETTERS", 300)
    sent["nodes"] = [node(f"m{no}", label="x" * 200) for no in range(3)]
    assert told(cmbs("tee", "import", file(tmp_path, sent))) == CREATED.format(3, 0, 0, 9, 0)
    assert versions(db)[6:] == [(1, 0), (1, 0), (1, 0)]


def versions(db: Connection) -> list[Any]:
    query = "select n_new_nodes, n_new_edges from cmbs.graph_growth order by version"
    return db.execute(query).fetchall()


def test_an_import_that_broke_off_may_be_run_again(
    cmbs: Run, db: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file(tmp_path, {"nodes": [node("a"), node("b")], "edges": [edge("a", "b")]})
    db.execute(
        "create function public.refuse() returns trigger language plpgsql as "
        "$$begin raise 'the disk is full'; end$$"
    )
    db.execute(
        "create trigger broken before insert on cmbs_store.graph_edge "
        "for each statement execute function public.refuse()"
    )
    broken = cmbs("tee", "import", path)
    assert (broken.returncode, broken.stdout) == (5, "")
    first, second, *_ = broken.stderr.splitlines()
    assert first == (
        "cmbs: 2 of 3 items were merged for certain; the same import may be run again, as what is "
        "there already changes nothing"
    )
    assert second.startswith("cmbs: the disk is full")
    db.execute("drop trigger broken on cmbs_store.graph_edge")
    assert told(cmbs("tee", "import", path)) == CREATED.format(0, 2, 1, 0, 0)


def odd_graph(db: Connection) -> None:
    types = ["SERVICE", "DEPENDENCY", "INFRASTRUCTURE", "MECHANISM"]
    said = [SAID, {"source": "z\x1b", "trigger": '"\n'}, {**SAID, "trigger": "x", "timestamp": AT}]
    merge(
        db,
        [
            node(id_, type=types[no % 4], label=id_ * 2, hypothetical=no % 2 == 0, provenance=said)
            for no, id_ in enumerate(ODD)
        ],
        [edge(ODD[0], ODD[1], "PROPAGATES_TO", provenance=said[::-1])],
    )
    # A second voice, and an end that is no node.
    merge(db, [node(ODD[0], provenance=[{"source": "ann", "trigger": "later"}])])
    merge(db, [], [edge(ODD[0], ODD[1], "MANIFESTS_AS"), edge(ODD[2], "nowhere", "DEPENDS_ON")])


@pytest.mark.parametrize("form", ["json", "graphml"])
def test_what_is_exported_is_the_same_graph_elsewhere(
    cmbs: Run, other: Run, db: Connection, tmp_path: Path, form: str
) -> None:
    odd_graph(db)
    path, copy = (str(tmp_path / f"{name}.{form}") for name in ("graph", "copy"))
    assert told(cmbs("tee", "export", "-o", path)) == ""
    assert told(other("tee", "import", path)) == CREATED.format(6, 0, 3, 0, 0)
    assert told(other("tee", "export", "-o", copy)) == ""
    assert Path(copy).read_bytes() == Path(path).read_bytes()
    there = json.loads(told(other("tee", "export")))
    here = graph(db)
    for items, prefix in ((here["nodes"], "NODE_TYPE_"), (here["edges"], "EDGE_TYPE_")):
        for item in items:
            item["type"] = prefix + item["type"]
    assert reordered(there) == reordered(here)
    assert told(cmbs("tee", "import", path)) == CREATED.format(0, 6, 0, 3, 0)


def test_what_goes_out_moves_no_cursor(cmbs: Run, db: Connection) -> None:
    odd_graph(db)
    for form in ("json", "graphml"):
        text = told(cmbs("tee", "export", "--format", form))
        assert text.replace("\n", "").isprintable()
        assert text == told(cmbs("tee", "export", "-o", "-", "--format", form))


def test_graphml_refuses_what_it_cannot_hold(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    merge(db, [node("a\x1b")])
    path = tmp_path / "graph.graphml"
    problem = 'GraphML cannot hold U+001B, which is in "a\\u001b": use --format json'
    assert told(cmbs("tee", "export", "-o", str(path)), 2) == f"cmbs: {problem}\n"
    assert not path.exists()
    assert json.loads(told(cmbs("tee", "export")))["nodes"][0]["id"] == "a\x1b"


def test_a_file_that_is_there_is_not_replaced(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    seed(db)
    begin(db)
    path = tmp_path / "mine"
    for command in (["export"], ["show", "i"]):
        path.write_text("mine")
        refused = told(cmbs("tee", *command, "-o", str(path)), 2)
        assert refused == f"cmbs: {path} is already there; choose another name, or --force\n"
        assert path.read_text() == "mine"
        assert told(cmbs("tee", *command, "-o", str(path), "--force")) == ""
        assert path.read_text() == told(cmbs("tee", *command))


def test_of_an_incident_what_lives_is_exported(cmbs: Run, db: Connection) -> None:
    seed(db, "abc", "ab bc")
    begin(db)
    rule_out(db, "c")
    merge(db, [node("later")])
    found = json.loads(told(cmbs("tee", "export", "--incident", "i")))
    assert [one["id"] for one in found["nodes"]] == ["a", "b"]
    assert [(one["source"], one["target"]) for one in found["edges"]] == [("a", "b")]
    unknown = told(cmbs("tee", "export", "--incident", "none"), 2)
    assert "There is no such incident" in unknown


def incident(db: Connection) -> None:
    """Of five nodes four are of it; one is ruled out, and an edge, and what is not of it."""
    seed(db, "abcd", "ab bc cd")
    merge(db, [node("x")], [edge("a", "x"), edge("a", "d", "MANIFESTS_AS")])
    begin(db, "i", *"abcd")
    merge(db, [node("later")], [edge("a", "c"), edge("later", "a")])
    rule_out(db, "d", "ghost")
    edges = Json([name("a", "b")])
    more = {"source_id": "tool://trace", "trigger": "t2", "occurred_at": AT}
    call(db, "merge_edge_tombstones", incident_id="i", edges=edges, **more)


def test_an_incident_is_shown(cmbs: Run, db: Connection) -> None:
    incident(db)
    lines = told(cmbs("tee", "show", "i")).splitlines()
    by = lines[-1].removeprefix("  ghost  ")
    assert by.startswith("by s on t, 2")
    assert by.endswith(" (recorded by postgres)")
    (began,) = [line for line in lines if line.startswith("began ")]
    assert began.endswith(", pinned to v2")
    assert [line for line in lines if line != began] == [
        "incident   i",
        "universe   4 nodes, 4 edges",
        "lives      3 nodes, 1 edge",
        "ruled out  1 node, 1 edge",
        "cut off    2 edges, of which an end is ruled out",
        "",
        "lives",
        "  a  SERVICE  a label",
        "  b  SERVICE  a label",
        "    DEPENDS_ON c",
        "  c  SERVICE  a label",
        "",
        "ruled out",
        f"  d  SERVICE  a label  {by}",
        "  a DEPENDS_ON b  by tool://trace on t2, 2026-11-18 07:49 (recorded by postgres)",
        "",
        "cut off",
        "  a MANIFESTS_AS d",
        "  c DEPENDS_ON d",
        "",
        "ruled out, and not of its universe",
        f"  ghost  {by}",
    ]
    assert "There is no such incident" in told(cmbs("tee", "show", "none"), 2)


def test_whoever_sees_no_views_is_shown_what_verbs_tell(
    db: Connection, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    incident(db)
    db.execute("drop role if exists teeshower")
    db.execute("create role teeshower login in role cmbs_agent")
    try:
        principal(db, "teeshower", "agent", is_login=True)
        cmbs = on(make_conninfo(database, user="teeshower"))
        done = cmbs("tee", "show", "i")
        assert done.returncode == 0
        assert done.stderr.startswith("cmbs: who ruled out what, and edges of which an end is ")
        lines = done.stdout.splitlines()
        assert lines[2:6] == [
            "universe   4 nodes, 2 edges",
            "lives      3 nodes, 1 edge",
            "ruled out  1 node, 1 edge",
            "",
        ]
        assert lines[11:] == [
            *("", "ruled out", "  d  SERVICE  a label", "  a DEPENDS_ON b"),
            *("", "ruled out, and not of its universe", "  ghost"),
        ]
    finally:
        db.execute("drop role teeshower")


def test_of_another_tenant_its_own_graph_is_shown(
    cmbs: Run, db: Connection, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner of the database sees all tenants, and has a graph of its own as well."""
    seed(db, "a", "")
    acme = {"credential": caller(db, "ann", "agent", tenant="acme")}
    merge(db, [node("a", label="of acme"), node("b")], [edge("a", "b")], **acme)
    begin(db, "j", **acme)
    rule_out(db, "a", incident_id="j", **acme)
    text = told(cmbs("tee", "show", "j"))
    assert "universe   2 nodes, 1 edge\n" in text
    assert "\nruled out\n  a  SERVICE  of acme  by s on t, " in text
    db.execute("drop role if exists teewatcher")
    db.execute("create role teewatcher login in role cmbs_auditor")
    try:
        principal(db, "teewatcher", "auditor", is_login=True)
        watcher = on(make_conninfo(database, user="teewatcher"))
        assert "There is no such incident" in told(watcher("tee", "show", "j"), 2)
    finally:
        db.execute("drop role teewatcher")


@pytest.mark.parametrize(("listed", "n_edges"), [(["ab"], 1), ([], 0), (None, 3)])
def test_edges_that_an_incident_left_out_are_not_shown(
    cmbs: Run, db: Connection, listed: list[str] | None, n_edges: int
) -> None:
    seed(db)
    edges = None if listed is None else Json([name(*ends) for ends in listed])
    begin(db, "i", *"abcd", edges=edges)
    text = told(cmbs("tee", "show", "i"))
    assert f"universe   4 nodes, {n_edges} edge{'s' * (n_edges != 1)}\n" in text


def test_an_incident_is_drawn(cmbs: Run, db: Connection, tmp_path: Path) -> None:
    incident(db)
    dot = told(cmbs("tee", "show", "i", "--format", "dot")).splitlines()
    assert (dot[0], dot[-1]) == ("digraph {", "}")
    assert sum(" -> " in line for line in dot) == 4
    path = tmp_path / "i.svg"
    assert told(cmbs("tee", "show", "i", "-o", str(path))) == ""
    drawn = ET.parse(path).getroot()
    assert len([one for one in drawn.iter() if one.get("class") == "gone"]) == 1
    assert len([one for one in drawn.iter() if one.get("class") == "cut"]) == 3


def test_ids_that_mean_harm_are_drawn(cmbs: Run, db: Connection) -> None:
    odd_graph(db)
    begin(db, ODD[0])
    rule_out(db, ODD[1], ODD[5], incident_id=ODD[0], trigger=ODD[2], source_id=ODD[3])
    for form in ("text", "dot", "svg"):
        text = told(cmbs("tee", "show", ODD[0], "--format", form))
        assert text.replace("\n", "").isprintable()
        assert form != "svg" or ET.fromstring(text).tag.endswith("svg")


def test_too_many_nodes_are_not_drawn(
    cmbs: Run, db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(db)
    begin(db)
    monkeypatch.setattr("cmbs.tee.svg.MOST_NODES", 3)
    assert told(cmbs("tee", "show", "i", "--format", "svg"), 2) == (
        "cmbs: 4 nodes and 3 edges are too many for a picture; --format dot can be drawn by "
        "Graphviz, and --format text be read\n"
    )
    assert told(cmbs("tee", "show", "i", "--format", "dot")).count(" -> ") == 3


@pytest.mark.parametrize("action", ["import", "export", "show", "serve", "mirror"])
def test_every_action_has_help_with_an_example(cmbs: Run, action: str) -> None:
    done = cmbs("tee", action, "--help")
    assert done.returncode == 0
    assert f"example: cmbs tee {action}" in " ".join(done.stdout.split())
