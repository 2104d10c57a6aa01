"""Two tenants that hold the same things, and whose every text says whose it is."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Json

from cmbs import tokens
from cmbs.calls import call
from tests.attacks.scene import principal, session_of
from tests.beliefs import Connection

MARKS = {"alpha": "ALPHA7Q", "beta": "BETA9Z"}
GRANTS = ("agent", "policy", "auditor", "analyst", "admin")
ROLES = {"analyst": "auditor"}
_NAMED_BY_MARK = (
    *("source_id", "observation_id", "obligation_id", "request_id", "without_source"),
    *("without_observation", "trigger", "notes", "reason"),
)
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
    call(connection, "enter_obligation", session_id=session, obligation_id=mark,
         min_total_eliminations=1, request_id=mark, **every)  # fmt: skip
    trace = call(connection, "audit_trace", session_id=session, **every)["events"]
    listed = call(connection, "list_tokens", name=f"{mark} agent", **every)["tokens"]
    ((cursor,),) = connection.execute(
        "select cmbs_store.timestamp_v1(s.declared_at) || '_' || s.session_id "
        "from cmbs_store.session as s where s.session_id = %s",
        [session],
    ).fetchall()
    values = named(mark, tenant, session, UUID(trace[1]["event_id"]), cursor)
    token_id = UUID(listed[0]["token_id"])
    logins = {role: login(tenant, role) for role in GRANTS}
    return Town(tenant, mark, made, logins, values | {"token_id": token_id})


def nowhere(like: Town) -> dict[str, Any]:
    """Values like those of a town, of things that do not exist."""
    session, event = uuid4(), UUID(f"{str(uuid4())[:24]}{str(like.values['event_id'])[24:]}")
    cursor = f"{like.values['cursor'][:27]}_{session}"
    return named("NOWHERE", "nowhere", session, event, cursor) | {"token_id": uuid4()}


def named(mark: str, tenant: str, session: UUID, event: UUID, cursor: str) -> dict[str, Any]:
    ontology = {"hypothesis_space_id": f"{mark} space", "hypothesis_version": f"{mark} version"}
    graph = {"causal_graph_ref": mark, "causal_graph_version": mark}
    message = {"source_id": mark, "observation_id": mark, "eliminated": [f"{mark} b"]}
    return {
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
        "hypotheses": [f"{mark} a", f"{mark} b"],
        "eliminated": [f"{mark} a"],
        **dict.fromkeys(("hypothesis_id", "conclusion_id"), f"{mark} a"),
        **dict.fromkeys(_NAMED_BY_MARK, mark),
    }


# Of beta everything, as its owner sees it; of what is shared, nothing.
_OWN = """
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
order by 1, 2
"""


def owned(connection: Connection, tenant: str) -> list[Any]:
    """Every row of a tenant."""
    return connection.execute(_OWN.encode(), {"tenant": tenant}).fetchall()


def as_login(connection: psycopg.Connection[Any], name: str) -> None:
    """What a fresh connection of this login would be."""
    statement = sql.SQL("set local session authorization {}").format(sql.Identifier(name))
    connection.execute(statement)
