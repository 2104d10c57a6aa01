"""What tests of the causal graph share: nodes and edges to send, and whole tables to compare."""

from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.support.beliefs import Connection

Sent = dict[str, Any]
Name = tuple[str, str, str]

ONTOLOGY = {"hypothesis_space_id": "s", "hypothesis_version": "1", "causal_graph_ref": "g"}
SAID = {"source": "cmdb", "trigger": "import"}
# What no text of PostgreSQL holds, and what only JSON can try to say.
UNSPEAKABLE = ['"\\u0000"', '"\\ud800"', '"a\\udc00"']


def node(node_id: object, **more: object) -> Sent:
    return {"id": node_id, "type": "SERVICE", "label": "a label", "provenance": [SAID]} | more


def name(source: object, target: object, kind: object = "DEPENDS_ON") -> Sent:
    """An edge as tombstones name it."""
    return {"source": source, "target": target, "type": kind}


def edge(source: object, target: object, kind: object = "DEPENDS_ON", **more: object) -> Sent:
    return name(source, target, kind) | {"provenance": [SAID]} | more


def edge_id(source: str, target: str, kind: str = "DEPENDS_ON") -> str:
    source, target = (end.replace("%", "%25").replace("|", "%7C") for end in (source, target))
    return f"edge:{source}|{target}|{kind}"


def merge(
    connection: Connection, nodes: list[Sent], edges: list[Sent] | None = None, **more: object
) -> Any:
    sent = {"nodes": Json(nodes), "edges": Json(edges or []), **more}
    return call(connection, "merge_hypothesis", **sent)


def seed(connection: Connection, ids: str = "abcd", edges: str = "ab bc cd") -> None:
    """Nodes of one letter, and edges of two."""
    merge(connection, [node(i) for i in ids], [edge(*ends) for ends in edges.split()])


def begin(connection: Connection, incident_id: str = "i", *node_ids: str, **more: object) -> Any:
    sent = {"node_ids": list(node_ids)} if node_ids else {}
    return call(connection, "create_incident", incident_id=incident_id, **sent | more)


def rule_out(connection: Connection, *ids: str, incident_id: str = "i", **more: object) -> Any:
    sent = {"incident_id": incident_id, "node_ids": list(ids), "source_id": "s", "trigger": "t"}
    return call(connection, "merge_node_tombstones", **sent | more)


def rule_out_edges(
    connection: Connection, *names: Sent, incident_id: str = "i", **more: object
) -> Any:
    sent = {"incident_id": incident_id, "edges": Json(list(names))}
    return call(
        connection,
        "merge_edge_tombstones",
        **sent | {"source_id": "s", "trigger": "t"} | more,
    )


def outcome(applied: str = "", already: str = "", unmatched: str = "") -> dict[str, list[str]]:
    """An answer about nodes of one letter."""
    return {
        "applied": list(applied),
        "already_tombstoned": list(already),
        "unmatched": list(unmatched),
    }


def live(connection: Connection, incident_id: str = "i") -> tuple[list[str], list[str]]:
    """The ids of nodes and of edges of a live view, sorted."""
    return ids_of(call(connection, "read_live_view", incident_id=incident_id))


def graph(connection: Connection) -> tuple[list[str], list[str]]:
    return ids_of(call(connection, "read_main_graph"))


def ids_of(found: Any) -> tuple[list[str], list[str]]:
    edges = (edge_id(e["source"], e["target"], e["type"]) for e in found["edges"])
    return sorted(n["id"] for n in found["nodes"]), sorted(edges)


def version(connection: Connection) -> int:
    row = connection.execute(
        "select coalesce(max(version), 0) from cmbs.graph_growth where tenant = 'default'"
    ).fetchone()
    assert row
    return int(row[0])


def tables(connection: Connection) -> dict[str, str]:
    """Every table of the kernel, as a digest of all that it holds."""
    found = connection.execute(
        "select relname from pg_class where relnamespace = 'cmbs_store'::regnamespace "
        "and relkind = 'r'"
    )
    parts = [
        sql.SQL(
            "select {}, md5(coalesce(string_agg(t::text, '#' order by t::text), '')) from {} as t"
        ).format(sql.Literal(table), sql.Identifier("cmbs_store", table))
        for (table,) in found
    ]
    return dict(connection.execute(sql.SQL(" union all ").join(parts)).fetchall())


def refused(
    connection: Connection, error: type[psycopg.Error], verb: str, **arguments: object
) -> Any:
    """The error that a call ends with; no row of any table may be another after it."""
    before = tables(connection)
    with pytest.raises(error) as caught, connection.transaction():
        call(connection, verb, **arguments)
    assert tables(connection) == before, "a refused call changed something"
    return caught.value
