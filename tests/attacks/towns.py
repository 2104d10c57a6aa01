"""Two tenants that hold the same things, and whose every text says whose it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Json

from cmbs.database import tokens
from cmbs.database.calls import call
from tests.attacks.scene import arbitrate, pack_of, principal, session_of
from tests.sql.verdict.scene import ALWAYS, GRANT, allow, deny, op, tool_call, value
from tests.support.beliefs import Connection
from tests.support.tables import TABLES, of_kind
from tests.tee.scene import edge, names, node, rich_tee, said, set_mirror

MARKS = {"alpha": "ALPHA7Q", "beta": "BETA9Z"}
GRANTS = ("agent", "policy", "auditor", "analyst", "admin")
ROLES = {"analyst": "auditor"}
_NAMED_BY_MARK = (
    *("source_id", "observation_id", "obligation_id", "request_id", "without_source"),
    *("without_observation", "trigger", "notes", "reason", "comment"),
)
_IDS = (
    *("proposal_id", "claim_id", "confirmed_by_event_id", "capability_token", "value_digest"),
    *("approved_proposal_id", "permit_id", "begun_permit_id", "interrupt_id", "message_id"),
)
# How many versions of its pack a town has: the last of beta is one that alpha's does not have.
_VERSIONS = {"alpha": 1, "beta": 2}
EVERY_ROLE = ("agent", "encoder", "tool", "policy", "approver", "auditor", "admin")


@dataclass(frozen=True)
class Town:
    """A tenant: what calls name it by, its tokens by role, and its logins."""

    tenant: str
    mark: str
    tokens: dict[str, tokens.Token]
    logins: dict[str, str]
    # A value for every argument that names something, by the argument's name.
    values: dict[str, Any]


def login(tenant: str, role: str) -> str:
    return f"town_{tenant}_{role}"


def make_logins(connection: Connection) -> None:
    for tenant in MARKS:
        for role in GRANTS:
            made = sql.SQL("create role {} login in role {}").format(
                sql.Identifier(login(tenant, role)), sql.Identifier(f"cmbs_{role}")
            )
            connection.execute(made)


def drop_logins(connection: Connection) -> None:
    for tenant in MARKS:
        for role in GRANTS:
            name = sql.Identifier(login(tenant, role))
            connection.execute(sql.SQL("drop role if exists {}").format(name))


def build(connection: Connection, tenant: str) -> Town:
    mark = MARKS[tenant]
    made = {
        role: principal(
            connection, f"{mark} {role}", tenant, role, source_prefixes=["", f"{mark} prefix"]
        )
        for role in EVERY_ROLE
    }
    made["every"] = principal(connection, f"{mark} every", tenant, *EVERY_ROLE)
    for role in GRANTS:
        rights = {"roles": [ROLES.get(role, role)], "source_prefixes": ["", mark]}
        given = {"name": login(tenant, role), "kind": "human", "tenant": tenant}
        call(connection, "create_principal", **given, **rights, is_login=True)
    every = {"credential": made["every"].digest}
    session = session_of(connection, made["agent"], mark)
    space = {"hypothesis_space_id": f"{mark} space", "hypothesis_version": f"{mark} version"}
    call(connection, "register_space", **space, hypotheses=[f"{mark} a"], **every)
    call(connection, "set_policy_defaults", policy=Json({}), **every)
    context = {"context_id": f"{mark} context", **every}
    call(connection, "create_context", **context, hypotheses=[f"{mark} a", f"{mark} b"])
    told = {"source_id": mark, "trigger": mark}
    call(connection, "eliminate_in_context", **context, **told, eliminated=[f"{mark} a"])
    set_mirror(connection)
    rich_tee(connection, f"{mark} ", **every)
    set_mirror(connection, None)
    proposer = f"{mark} every", made["every"]
    arbitrated = arbitrate(connection, session, mark, tenant, proposer, **every)
    for no in range(1, _VERSIONS[tenant]):
        again = Json(pack_of(mark) | {"policy.more": value(f"{mark} {no}")})
        call(connection, "publish_policy", pack=f"{mark} pack", entries=again, **every)
    # What alpha does beta must not find halted, nor the other way round.
    halt = {"is_halted": tenant == "beta", "reason": f"{mark} halted"}
    call(connection, "halt_policy", **halt, **every)
    call(connection, "enter_obligation", session_id=session, obligation_id=mark,
         min_total_eliminations=1, request_id=mark, **every)  # fmt: skip
    trace = call(connection, "audit_trace", session_id=session, **every)["events"]
    listed = call(connection, "list_tokens", name=f"{mark} agent", **every)["tokens"]
    ((cursor,),) = connection.execute(
        "select cmbs_store.timestamp_v1(s.declared_at) || '_' || s.session_id "
        "from cmbs_store.session as s where s.session_id = %s",
        [session],
    ).fetchall()
    ((inbox,),) = connection.execute(
        "select format('%%s_%%s_%%s', cmbs_store.timestamp_v1(i.expires_at), i.session_id, "
        "i.interrupt_id) from cmbs_store.interrupt as i where i.interrupt_id = %s",
        [arbitrated["interrupt_id"]],
    ).fetchall()
    found = {"token_id": UUID(listed[0]["token_id"]), "parent_id": arbitrated["capability_id"]}
    found |= {"inbox_cursor": inbox}
    found |= {name: arbitrated[name] for name in _IDS}
    found |= {"version": _VERSIONS[tenant], "snapshot": trace[-1]["event_id"]}
    # What alpha proposes is new; what beta proposed was used there.
    found |= {"idempotency_key": f"{mark} {'new key' if tenant == 'alpha' else 'key 1'}"}
    values = named(mark, tenant, session, UUID(trace[1]["event_id"]), cursor, found)
    logins = {role: login(tenant, role) for role in GRANTS}
    return Town(tenant, mark, made, logins, values)


def nowhere(like: Town) -> dict[str, Any]:
    """Values like those of a town, of things that do not exist."""
    session, values = uuid4(), like.values
    cursor = f"{values['cursor'][:27]}_{session}"
    events = ("event_id", "proposal_id", "confirmed_by_event_id", "snapshot")
    event, *others = (UUID(f"{str(uuid4())[:24]}{str(values[name])[24:]}") for name in events)
    found: dict[str, Any] = dict(zip(events[1:], map(str, others), strict=True))
    found |= {"token_id": uuid4(), "parent_id": str(uuid4()), "claim_id": str(uuid4())}
    found |= {name: str(uuid4()) for name in ("permit_id", "begun_permit_id", "interrupt_id")}
    found |= {"message_id": str(uuid4()), "approved_proposal_id": found["proposal_id"]}
    found |= {"inbox_cursor": f"{values['inbox_cursor'][:27]}_{session}_{found['interrupt_id']}"}
    found |= {"capability_token": f"cmbs_cap_{uuid4().hex}{uuid4().hex}"}
    found |= {"value_digest": f"{uuid4().hex}{uuid4().hex}", "version": values["version"] + 1}
    return named("NOWHERE", "nowhere", session, event, cursor, found)


def named(
    mark: str, tenant: str, session: UUID, event: UUID, cursor: str, found: dict[str, Any]
) -> dict[str, Any]:
    ontology = {"hypothesis_space_id": f"{mark} space", "hypothesis_version": f"{mark} version"}
    graph = {"causal_graph_ref": mark, "causal_graph_version": mark}
    message = {"source_id": mark, "observation_id": mark, "eliminated": [f"{mark} b"]}
    values = {
        "session_id": session,
        "event_id": event,
        "cursor": cursor,
        **dict.fromkeys(("since_event_id", "as_of", "from_event_id", "to_event_id"), event),
        "expected_head": event,
        **ontology,
        "ontology": Json(ontology | graph),
        "messages": Json([message]),
        "tenant": tenant,
        "scope_tenant": tenant,
        "name": f"{mark} agent",
        "context_id": f"{mark} context",
        # What rich_tee made of it.
        "incident_id": f"{mark} all",
        "node_ids": [f"{mark} b", f"{mark} c"],
        "node_id": f"{mark} b",
        "endpoint": f"{mark}.example.org:1",
        "hypotheses": [f"{mark} a", f"{mark} b"],
        "eliminated": [f"{mark} a"],
        **dict.fromkeys(("hypothesis_id", "conclusion_id"), f"{mark} a"),
        **dict.fromkeys(_NAMED_BY_MARK, mark),
        **dict.fromkeys(("pack", "to_pack"), f"{mark} pack"),
        "to_version": found["version"],
        "tool_id": f"{mark} tool",
        "schema_id": f"{mark} schema",
        "url": f"https://example.org/{mark}",
        "secret": f"{mark} secret of a webhook",
        "error": f"{mark} error",
        "key": f"{mark} claimed",
        "claimed": f"{mark} value",
        "idempotency_key": f"{mark} key 1",
        **found,
        # Beside what arguments name, what members of documents do.
        "asked_tool": f"{mark} asked",
        "mark": mark,
        "authority": f"{mark} authority",
        "chunk": f"{mark} chunk",
        "holder": f"{mark} every",
        "property": f"{mark} n",
        "root": f"/{mark}",
        "source": f"{mark} source",
    }
    return values | {name: document(name, values) for name in MEMBERS}


# Arguments that are documents, and what of what they hold names something.
MEMBERS: dict[str, tuple[str, ...]] = {
    "nodes": ("node_id", "mark", "source"),
    "merged_edges": ("node_id", "source"),
    "edges": ("node_id",),
    "universe_from": ("incident_id",),
    "arbitration": ("pack", "version"),
    "shadow": ("pack", "version"),
    "items": ("asked_tool", "mark"),
    "claim": ("key", "claimed", "confirmed_by_event_id", "chunk"),
    "definition": ("schema_id", "authority"),
    "document": ("property",),
    "entries": ("tool_id", "schema_id", "authority"),
    "evidence": ("confirmed_by_event_id", "chunk"),
    "fixtures": ("tool_id", "schema_id"),
    "grant": ("holder", "tool_id", "authority", "root", "parent_id"),
    "proposal": (
        *("snapshot", "capability_token", "idempotency_key", "source"),
        *("tool_id", "asked_tool", "property", "root"),
    ),
}


def document(name: str, of: Mapping[str, Any]) -> Json:
    """A document that holds what it names of the values of a place."""
    return Json(_DOCUMENTS[name](of))


def _grant(of: Mapping[str, Any]) -> dict[str, Any]:
    tools = {"tools": [of["tool_id"]], "capabilities": [of["authority"]]}
    rest = {"resource_roots": [of["root"]], "budgets": {"max_calls": 1}, "expires_at": ALWAYS}
    # Only a part of a token is made of another; which, an argument says, too.
    parent = {"parent": of["parent_id"]} if "is_part" in of else {}
    return {"holder": of["holder"], **tools, **rest, **parent}


def _proposal(of: Mapping[str, Any]) -> dict[str, Any]:
    call_of = tool_call(of["tool_id"], {of["property"]: 1, "path": of["root"]})
    return {
        "state_snapshot_id": of["snapshot"],
        "provenance": {"source": of["source"]},
        "capability_token": of["capability_token"],
        "idempotency_key": of["idempotency_key"],
        "atomic": False,
        "items": [call_of, tool_call(of["asked_tool"])],
    }


def _edge(of: Mapping[str, Any]) -> tuple[str, str, str]:
    """One that is there: it is what rules it out that names an edge."""
    return f"{of['mark']} a", of["node_id"], "DEPENDS_ON"


_DOCUMENTS: dict[str, Any] = {
    "nodes": lambda of: [
        node(of["node_id"], label=of["mark"], by=said(of["source"], of["source_id"]))
    ],
    "merged_edges": lambda of: [edge(*_edge(of), by=said(of["source"], of["source_id"]))],
    "edges": lambda of: [names(_edge(of))],
    "universe_from": lambda of: {"tee_incident": of["incident_id"]},
    "arbitration": lambda of: {"pack": of["pack"], "version": of["version"]},
    "shadow": lambda of: {"pack": of["pack"], "version": of["version"]},
    # What is gone on with: as `arbitrate` proposed it.
    "items": lambda of: {
        "items": [tool_call(of["asked_tool"], artifacts={of["mark"]: of["mark"]})]
    },
    "claim": lambda of: {
        **{
            "kind": "fact",
            "key": of["key"],
            "value": of["claimed"],
            "source_chunk_ids": [of["chunk"]],
        },
        "confirmed_by_event_id": of["confirmed_by_event_id"],
    },
    "definition": lambda of: {"args_schema": of["schema_id"], "authorities": [of["authority"]]},
    "document": lambda of: {"type": "object", "properties": {of["property"]: {}}},
    "entries": lambda of: {
        **GRANT,
        "constraint.tool": allow(of["tool_id"], when=op("schema", of["schema_id"])),
        "constraint.not": deny(capability=of["authority"]),
    },
    "evidence": lambda of: {
        "confirmed_by_event_id": of["confirmed_by_event_id"],
        "source_chunk_ids": [of["chunk"]],
    },
    "fixtures": lambda of: [
        {
            "item": tool_call(of["tool_id"]),
            "tool": {"args_schema": of["schema_id"]},
            "expect": {"decision": "allow"},
        }
    ],
    "grant": _grant,
    "proposal": _proposal,
}


# Of beta everything, as its owner sees it; of what is shared, nothing.
_ROWS = """
select 'session', to_jsonb(s)::text from cmbs_store.session as s where s.tenant = %(tenant)s
union all select 'event', to_jsonb(e)::text from cmbs_store.audit_event as e
    inner join cmbs_store.session as s on s.session_id = e.session_id and s.tenant = %(tenant)s
union all select 'tombstone', to_jsonb(e)::text from cmbs_store.tombstone as e
    inner join cmbs_store.session as s on s.session_id = e.session_id and s.tenant = %(tenant)s
union all select 'context', to_jsonb(c)::text from cmbs_store.context as c
    where c.tenant = %(tenant)s
union all select 'context_tombstone', to_jsonb(e)::text from cmbs_store.context_tombstone as e
    inner join cmbs_store.context as c on c.context_id = e.context_id and c.tenant = %(tenant)s
union all select 'space', to_jsonb(h)::text from cmbs_store.hypothesis_space as h
    where h.tenant = %(tenant)s
union all select 'default', to_jsonb(d)::text from cmbs_store.policy_default as d
    where d.tenant = %(tenant)s
union all select 'principal', to_jsonb(p)::text from cmbs_store.principal as p
    where p.tenant = %(tenant)s
union all select 'token', to_jsonb(t)::text from cmbs_store.api_token as t
    where t.tenant = %(tenant)s
union all select 'use', to_jsonb(u)::text from cmbs_store.api_token_use as u
    inner join cmbs_store.api_token as t on t.token_id = u.token_id and t.tenant = %(tenant)s
union all select 'identity', to_jsonb(i)::text from cmbs_store.identity_event as i
    where i.tenant = %(tenant)s
union all select 'head', to_jsonb(h)::text from cmbs_store.identity_head as h
    where h.tenant = %(tenant)s
union all select 'pack', to_jsonb(v)::text from cmbs_store.policy_version as v
    where v.tenant = %(tenant)s
union all select 'entry', to_jsonb(e)::text from cmbs_store.policy_entry as e
    where exists (
        select from cmbs_store.policy_version as v
        where v.policy_hash = e.policy_hash and v.tenant = %(tenant)s
    )
union all select 'halt', to_jsonb(h)::text from cmbs_store.policy_halt as h
    where h.tenant = %(tenant)s
union all select 'schema', to_jsonb(j)::text from cmbs_store.json_schema as j
    where j.tenant = %(tenant)s
union all select 'webhook', to_jsonb(w)::text from cmbs_store.webhook as w
    where w.tenant = %(tenant)s
{graphs}
union all select 'tool', to_jsonb(r)::text from cmbs_store.tool_registration as r
    where r.tenant = %(tenant)s
{sessions}
order by 1, 2
"""
# Of a tenant, and of its incidents.
_OF_TENANTS = [*(table for table in TABLES if table.startswith("graph_")), "incident"]
_OF_A_TENANT = """union all select '{0}', to_jsonb(o)::text from cmbs_store.{0} as o
    where o.tenant = %(tenant)s"""
_OF_AN_INCIDENT = """union all select '{0}', to_jsonb(o)::text from cmbs_store.{0} as o
    inner join cmbs_store.incident as i
        on i.incident_id = o.incident_id and i.tenant = %(tenant)s"""
_OF_A_SESSION = """union all select '{0}', to_jsonb(o)::text from cmbs_store.{0} as o
    inner join cmbs_store.session as s on s.session_id = o.session_id and s.tenant = %(tenant)s"""
_GRAPHS = [_OF_A_TENANT.format(table) for table in _OF_TENANTS]
_GRAPHS += [_OF_AN_INCIDENT.format(table) for table in of_kind("incident")]
_OWN = _ROWS.format(
    graphs="\n".join(_GRAPHS),
    sessions="\n".join(_OF_A_SESSION.format(table) for table in of_kind("session")),
)


def owned(connection: Connection, tenant: str) -> list[Any]:
    """Every row of a tenant."""
    return connection.execute(_OWN.encode(), {"tenant": tenant}).fetchall()


def as_login(connection: psycopg.Connection[Any], name: str) -> None:
    """What a fresh connection of this login would be."""
    statement = sql.SQL("set local session authorization {}").format(sql.Identifier(name))
    connection.execute(statement)
