"""What tests of sessions that are declared from incidents share."""

from typing import Any

from psycopg.types.json import Json

from tests.support.beliefs import Connection, Session
from tests.tee.graphs import ONTOLOGY


def request(incident_id: object = "i", edges: object = None, **more: object) -> dict[str, Any]:
    """The arguments of a declare from an incident."""
    asked = {"tee_incident": incident_id} | ({} if edges is None else {"edges": edges})
    return {"ontology": Json(ONTOLOGY), "universe_from": Json(asked)} | more


def session_of(
    connection: Connection, incident_id: str = "i", edges: object = None, **more: object
) -> Session:
    return Session(connection, None, **request(incident_id, edges, **more))


def survivors(session: Session) -> list[str]:
    found: list[str] = session.snapshot()["survivors"]
    return found
