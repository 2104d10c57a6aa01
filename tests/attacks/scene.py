"""Where attacks take place: two tenants with secrets, and a login for whoever attacks."""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs.database import tokens
from cmbs.database.calls import call
from tests.sql.verdict.scene import (
    ALWAYS,
    CLAIMS,
    GRANT,
    allow,
    delta,
    deny,
    op,
    tool_call,
    value,
)
from tests.support.beliefs import ONTOLOGY, Connection
from tests.support.tables import TABLES
from tests.tee.scene import rich_tee, set_mirror

# What each login is granted, and the roles of the principal of alpha that it is.
LOGINS = {
    "agent": ("in role cmbs_agent", ["agent"]),
    "auditor": ("in role cmbs_auditor", ["auditor"]),
    "analyst": ("in role cmbs_analyst", ["auditor"]),
    "admin": ("in role cmbs_admin", ["admin"]),
    "owner": ("in role cmbs_owner", None),
    "createrole": ("createrole", None),
}
SECRET = "beta's secret"

_STATE = [
    *(f"select '{name}', md5(string_agg(t::text, '' order by t::text)) "
      f"from cmbs_store.{name} as t" for name in TABLES),
    "select 'classes', md5(string_agg(format('%s %s %s %s %s', c.oid, c.relname, c.relnamespace, "
    "c.relacl, c.reloptions), '' order by c.oid)) from pg_class as c "
    "where c.relnamespace <> 'pg_toast'::regnamespace",
    "select 'functions', md5(string_agg(p::text, '' order by p.oid)) from pg_proc as p",
    "select 'triggers', md5(string_agg(t::text, '' order by t.oid)) from pg_trigger as t",
    "select 'schemas', md5(string_agg(n::text, '' order by n.oid)) from pg_namespace as n "
    "where n.nspname !~ '^pg_(toast_)?temp'",
    "select 'roles', md5(string_agg(r::text, '' order by r.oid)) from pg_authid as r",
    "select 'members', md5(string_agg(m::text, '' order by m::text)) from pg_auth_members as m",
    "select 'settings', md5(string_agg(s::text, '' order by s::text)) from pg_db_role_setting as s",
    "select 'defaults', md5(string_agg(d::text, '' order by d::text)) from pg_default_acl as d",
    "select 'operators', count(*)::text from pg_operator",
    "select 'types', count(*)::text from pg_type",
    "select 'casts', count(*)::text from pg_cast",
    "select 'publications', count(*)::text from pg_publication",
    "select 'rules', count(*)::text from pg_rewrite",
]  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """A database, and what attacks name in it by `<…>`."""

    database: str
    names: dict[str, str]

    def fill(self, statement: str) -> str:
        for name, meant in self.names.items():
            statement = statement.replace(f"<{name}>", meant)
        return statement

    def address(self, actor: str) -> str:
        login = {"server": "cmbs_server", "token": "cmbs_server"}.get(actor, f"attacker_{actor}")
        return self.database if actor == "superuser" else make_conninfo(self.database, user=login)


def state(connection: Connection) -> dict[str, str | None]:
    """Every row of every table, and what the catalog says of all there is."""
    return dict(connection.execute(" union all ".join(_STATE).encode()).fetchall())


def make_logins(connection: Connection) -> None:
    for name, (granted, _) in LOGINS.items():
        connection.execute(f"create role attacker_{name} login {granted}".encode())
    # Whom a role was granted to is known to all; a login of beta's stands for its colleagues.
    connection.execute("create role bystander login in role cmbs_agent, cmbs_auditor")


def drop_logins(connection: Connection) -> None:
    for name in [*(f"attacker_{name}" for name in LOGINS), "bystander"]:
        found = connection.execute("select to_regrole(%s)", [name]).fetchone()
        if found and found[0]:
            role = sql.Identifier(name)
            connection.execute(sql.SQL("drop owned by {}").format(role))
            connection.execute(sql.SQL("drop role {}").format(role))


@contextlib.contextmanager
def logins(server: SimpleNamespace) -> Iterator[None]:
    """Roles belong to the cluster, so they outlast the databases of tests."""
    where = {"host": server.host, "port": server.port, "user": server.user}
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as admin:
        drop_logins(admin)
        make_logins(admin)
        yield
        drop_logins(admin)


def principal(
    connection: Connection, name: str, tenant: str, *roles: str, **more: object
) -> tokens.Token:
    """A principal of a tenant for any source, with a token."""
    sent = {"kind": "agent", "roles": list(roles), "source_prefixes": [""]} | more
    call(connection, "create_principal", name=name, tenant=tenant, **sent)
    token = tokens.new()
    made = {"name": name, "digest": token.digest, "prefix": token.prefix}
    call(connection, "create_token", tenant=tenant, **made)
    return token


def session_of(connection: Connection, token: tokens.Token, text: str) -> UUID:
    """A session whose every text holds a given one."""
    session_id = uuid4()
    shown: dict[str, Any] = {"session_id": session_id, "credential": token.digest}
    ontology = {name: f"{text} {name}" for name in ONTOLOGY}
    call(
        connection,
        "declare_session",
        **shown,
        ontology=Json(ontology),
        hypotheses=[f"{text} a", f"{text} b", f"{text} c"],
        metadata=Json({text: text}),
        notes=text,
    )
    seen = {"source_id": text, "observation_id": text, "justification": Json({text: text})}
    call(connection, "eliminate", **shown, **seen, eliminated=[f"{text} a"], notes=text)
    call(connection, "enter_obligation", **shown, obligation_id=text, min_total_eliminations=0)
    call(connection, "request_exit", **shown, obligation_id=text, context=Json({text: text}))
    call(connection, "declare_conclusion", **shown, conclusion_id=f"{text} b")
    return session_id


def pack_of(text: str) -> dict[str, Any]:
    """The entries of a policy, of which one stands against something and one against nothing."""
    return {
        **GRANT,
        **CLAIMS,
        "policy.pack": value(f"{text} pack"),
        "constraint.asked": deny(f"{text} asked", on_fail="ask", reason=f"{text} reason"),
        "constraint.waits": deny(
            f"{text} waits", when=op("missing", "fact.never"), on_fail="defer"
        ),
        "constraint.never": deny(f"{text} never"),
        "constraint.tool": allow(f"{text} tool", when=op("schema", f"{text} schema")),
    }


def arbitrate(
    connection: Connection,
    session_id: UUID,
    text: str,
    tenant: str,
    proposer: tuple[str, tokens.Token],
    **by: object,
) -> dict[str, Any]:
    """One of all that arbitration knows, whose every text holds a given one; and how to name it."""
    name, token = proposer
    own = {"tenant": tenant, **by}
    at = {"session_id": session_id, **by}
    told = {"session_id": session_id, "credential": token.digest}
    root = f"/{text.replace(' ', '-')}"
    schema = {"type": "object", "properties": {f"{text} n": {}}}
    call(connection, "register_schema", schema_id=f"{text} schema", document=Json(schema), **own)
    definition = {"version": text, "authorities": [f"{text} authority"]}
    webhook = {"url": f"https://example.org{root}", "secret": f"{text} secret of a webhook"}
    call(connection, "set_webhook", **webhook, tenant=tenant)
    for tool in ("tool", "asked", "waits"):
        more = {"args_schema": f"{text} schema"} if tool == "tool" else {}
        sent = {"tool_id": f"{text} {tool}", "definition": Json(definition | more)}
        call(connection, "register_tool", **sent, **own)
    call(connection, "publish_policy", pack=f"{text} pack", entries=Json(pack_of(text)), **own)
    shadow = Json({"pack": "observe-only", "version": 1})
    applied = {"pack": f"{text} pack", "version": 1, "shadow": shadow, "notes": text}
    call(connection, "apply_policy", **applied, **at)
    call(connection, "set_mode", mode="eco", reason=text, **at)
    grant = {
        "holder": name,
        "tools": [f"{text} tool", f"{text} asked", f"{text} waits"],
        "state_prefixes": ["fact.", "goal."],
        "capabilities": ["state.write.core", f"{text} authority"],
        "resource_roots": [root],
        "budgets": {"max_calls": 1000, f"{text} unit": 9},
        "expires_at": ALWAYS,
    }
    given = call(connection, "issue_capability", grant=Json(grant), **at)
    narrow = Json({"holder": name, "tools": [f"{text} tool"], "resource_roots": [root]})
    child = call(connection, "narrow_capability", parent_id=given["token_id"], grant=narrow, **told)
    call(connection, "revoke_capability", token_id=child["token_id"], **told)
    answers = []
    asked = tool_call(f"{text} asked", artifacts={text: text})
    called = tool_call(f"{text} tool", {f"{text} n": text}, intent_summary=text)
    changed = delta({"goal.known": value(f"{text} value")}, s_core=[0.5])
    waiting = tool_call(f"{text} waits", {text: text})
    for no, item in enumerate((changed, called, asked, called, called, waiting, asked, asked)):
        head = call(connection, "query_belief", **told)["audit_head_event_id"]
        proposal = {
            "state_snapshot_id": head,
            "provenance": {"source": text},
            "capability_token": given["secret"],
            "idempotency_key": f"{text} key {no}",
            "items": [item],
        }
        answers.append(call(connection, "propose", proposal=Json(proposal), **told))
    execute = "execute"
    told_of = [one["disposition"] for one in answers]
    assert told_of == [*(execute, execute, "ask", execute, execute, "defer"), "ask", "ask"]
    permits = [one["items"][0].get("permit_id") for one in answers]
    questions = [one["items"][0].get("interrupt_id") for one in answers]
    for permit in permits[3:5]:
        call(connection, "begin_execution", permit_id=permit, notes=text, **told)
    ended = {"outcome": "ok", "result": Json({text: text}), "usage": Json({f"{text} unit": 1})}
    call(connection, "complete_execution", permit_id=permits[3], **ended, **told)
    answerer = principal(connection, f"{text} answerer", tenant, "approver").digest
    for question, resolution in ((questions[6], "approve"), (questions[7], "approve")):
        answer = {"interrupt_id": question, "resolution": resolution, "comment": text}
        call(connection, "resolve_interrupt", session_id=session_id, credential=answerer, **answer)
    items = Json({"items": [asked]})
    gone_on = call(
        connection, "resume", proposal_id=answers[6]["proposal_id"], proposal=items, **told
    )
    assert gone_on["decision"] == "allow", gone_on["reasons"]
    ((message,),) = connection.execute(
        "select min(m.message_id::text) from cmbs_store.webhook_message as m "
        "where m.session_id = %s",
        [session_id],
    ).fetchall()
    digest = hashlib.sha256(json.dumps(f"{text} value").encode()).hexdigest()
    about = {"key": f"{text} claimed", "value_digest": digest, "comment": text}
    confirmed = call(connection, "confirm_claim", **about, **at)["audit_event_id"]
    claims = []
    kinds: list[dict[str, Any]] = [{"kind": "hypothesis", "ttl_ms": 10**10}]
    for more in (*kinds, {"kind": "fact", "confirmed_by_event_id": confirmed}):
        claim: dict[str, Any] = {
            "key": f"{text} claimed",
            "value": f"{text} value",
            "source_chunk_ids": [text],
        }
        answer = call(connection, "record_claim", claim=Json(claim | more), **told)
        assert answer["claim_id"], answer
        claims.append(answer["claim_id"])
    return {
        "capability_id": given["token_id"],
        "capability_token": given["secret"],
        "proposal_id": answers[2]["proposal_id"],
        "approved_proposal_id": answers[7]["proposal_id"],
        "permit_id": permits[1],
        "begun_permit_id": permits[4],
        "interrupt_id": questions[2],
        "message_id": message,
        "claim_id": claims[0],
        "confirmed_by_event_id": confirmed,
        "value_digest": digest,
    }


def set_up(database: str) -> Scene:
    """Two tenants, of which every attacker but the owner and the superuser belongs to alpha."""
    with psycopg.connect(database, autocommit=True) as connection:
        agent = principal(connection, "agent", "alpha", "agent", source_prefixes=["tool://"])
        admin = principal(connection, "admin", "alpha", "admin")
        auditor = principal(connection, "auditor", "alpha", "auditor")
        writer = principal(connection, "writer", "alpha", "agent")
        policy = principal(connection, "policy", "alpha", "policy")
        approver = principal(connection, "approver", "alpha", "approver")
        foreign = principal(connection, "agent", "beta", "agent")
        revoked = principal(connection, "former", "alpha", "agent")
        for name, (_, roles) in LOGINS.items():
            if roles:
                login = {"name": f"attacker_{name}", "kind": "human", "roles": roles}
                login |= {"source_prefixes": [""]}
                call(connection, "create_principal", **login, tenant="alpha", is_login=True)
        ((revoked_id,),) = connection.execute(
            "select t.token_id from cmbs.api_token as t where t.name = 'former'"
        ).fetchall()
        call(connection, "revoke_token", token_id=revoked_id)
        set_mirror(connection)
        tees = [
            rich_tee(connection, f"{text} ", credential=token.digest).session.id
            for text, token in (("alpha's own", writer), (SECRET, foreign))
        ]
        own = session_of(connection, writer, "alpha's own")
        other = session_of(connection, foreign, SECRET)
        mine = arbitrate(connection, own, "alpha's own", "alpha", ("writer", writer))
        theirs = arbitrate(connection, other, SECRET, "beta", ("agent", foreign))
        ((stored, foreign_token),) = connection.execute(
            "select encode(t.credential_hash, 'hex'), t.token_id::text "
            "from cmbs_store.api_token as t where t.tenant = 'beta' and t.name = 'agent'"
        ).fetchall()
        ((event,),) = connection.execute(
            "select audit_head_event_id::text from cmbs.session where session_id = %s", [other]
        ).fetchall()
    return Scene(
        database,
        {
            "own": str(own),
            "foreign": str(other),
            "own_tee": str(tees[0]),
            "foreign_tee": str(tees[1]),
            "foreign_event": event,
            "foreign_token": foreign_token,
            "revoked_token": str(revoked_id),
            **{f"own_{name}": found for name, found in mine.items()},
            **{f"foreign_{name}": found for name, found in theirs.items()},
            "stored_hash": f"'\\x{stored}'",
            "text_of_token": f"'\\x{agent.text.encode().hex()}'",
            "agent": f"'\\x{agent.digest.hex()}'",
            "writer": f"'\\x{writer.digest.hex()}'",
            "admin": f"'\\x{admin.digest.hex()}'",
            "auditor": f"'\\x{auditor.digest.hex()}'",
            "policy": f"'\\x{policy.digest.hex()}'",
            "approver": f"'\\x{approver.digest.hex()}'",
            "revoked": f"'\\x{revoked.digest.hex()}'",
            "ontology": "'" + str(Json(ONTOLOGY).obj).replace("'", '"') + "'",
        },
    )
