"""What the gRPC shell refuses, and how it tells whatever a call ended with."""

import re
from typing import Any

import grpc
import psycopg
from google.protobuf.message import DecodeError

from cmbs.database import tokens
from cmbs.database.pool import Busy
from cmbs.errors import BeliefError, classify
from cmbs.tee.convert import NoTime

_LONGEST_DETAILS = 1000
_MOST_NODES, _MOST_PROVENANCE = 100_000, 1000
_MOST = {
    "tee.NodeTombstoneRequest.node_ids": 10_000,
    "tee.EdgeTombstoneRequest.entries": 10_000,
    "tee.CreateIncidentRequest.node_ids": 1_000_000,
    "tee.CreateIncidentRequest.edge_entries": 1_000_000,
}
_EDGES = {"MergeEdgeTombstones": "entries", "CreateIncident": "edge_entries"}
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)
_CODES = {
    "INVALID_REQUEST": grpc.StatusCode.INVALID_ARGUMENT,
    "PAYLOAD_TOO_LARGE": grpc.StatusCode.INVALID_ARGUMENT,
    "INCIDENT_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "CONFLICT": grpc.StatusCode.ALREADY_EXISTS,
    "UNAUTHENTICATED": grpc.StatusCode.UNAUTHENTICATED,
    "FORBIDDEN": grpc.StatusCode.PERMISSION_DENIED,
    "UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
}


class Refused(Exception):
    """A message that no verb is asked about."""


class Unknown(Exception):
    """Who calls does not say so in a way that could be read."""


def bounded(request: Any) -> Any:
    """The request, before anything is made of it that takes long: verbs look again."""
    for field, value in request.ListFields():
        most = _MOST.get(field.full_name, _MOST_NODES)
        if field.is_repeated and len(value) > most:
            raise Refused(f"{field.name}: at most {most}")
    for part in (*getattr(request, "nodes", ()), *getattr(request, "edges", ())):
        if len(part.provenance) > _MOST_PROVENANCE:
            raise Refused(f"provenance: at most {_MOST_PROVENANCE} of one node or edge")
    return request


def credential(metadata: Any) -> bytes | None:
    """The digest of the token that the call shows; None if it shows none."""
    shown = [value for key, value in metadata or () if key == "authorization"]
    if not shown:
        return None
    found = _BEARER.fullmatch(shown[0]) if len(shown) == 1 else None
    if not found:
        raise Unknown("the metadata authorization must be one Bearer token")
    return tokens.digest(found[1])


def status_of(error: Exception, name: str) -> tuple[grpc.StatusCode, str]:
    if isinstance(error, DecodeError):
        return grpc.StatusCode.INVALID_ARGUMENT, "the bytes are no such message, or not UTF-8"
    if isinstance(error, Refused | NoTime):
        return grpc.StatusCode.INVALID_ARGUMENT, str(error)
    if isinstance(error, Unknown):
        return grpc.StatusCode.UNAUTHENTICATED, str(error)
    if isinstance(error, Busy):
        return grpc.StatusCode.RESOURCE_EXHAUSTED, "too much is asked at once; try again"
    if not isinstance(error, psycopg.Error):
        return grpc.StatusCode.INTERNAL, "the server failed; its log says more"
    api_code, _ = classify(error)
    code = _CODES.get(api_code, grpc.StatusCode.INTERNAL)
    if isinstance(error, BeliefError) and code != grpc.StatusCode.INTERNAL:
        return code, _sentence(error, _EDGES.get(name, "edges"))[:_LONGEST_DETAILS]
    # In the words of PostgreSQL it would tell of the server; of values it only knows that much.
    return code, {
        grpc.StatusCode.INVALID_ARGUMENT: "holds a value that cannot be stored",
        grpc.StatusCode.UNAVAILABLE: "the database cannot answer now; try again",
        grpc.StatusCode.PERMISSION_DENIED: "the server's login may not do this",
    }.get(code, "the server failed; its log says more")


def _sentence(error: BeliefError, edges: str) -> str:
    """In the names of the wire."""
    details = error.details
    if member := details.get("member"):
        named = {"source_id": "provenance.source", "trigger": "provenance.trigger"}
        details["member"] = named.get(member, re.sub("^edges", edges, member))
    if error.api_code == "INCIDENT_NOT_FOUND":
        return f"incident not found: {details['incident_id']}"
    if "problem" in details:
        sentence = f"{details['member']} {details['problem']}" if "member" in details else None
        sentence = sentence or str(details["problem"])
        if unknown := details.get("unknown"):
            sentence += f"; not there: {', '.join(unknown)}"
        return sentence
    if "limit" in details:
        return f"{details['member']}: at most {details['limit']}"
    reason = details.get("reason")
    return f"{error.message} {reason}" if isinstance(reason, str) else error.message
