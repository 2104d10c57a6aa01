"""Both tenants with all they have, and calls of one of them, of which nothing is kept."""

import functools
import json
import re
from collections import ChainMap
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.types.json import Json

from cmbs.database.calls import statement
from tests.attacks import towns
from tests.attacks.towns import GRANTS, MEMBERS, Town, document, nowhere, owned
from tests.support.beliefs import Connection

# Arguments that name nothing that a tenant has.
NAMELESS = {
    *("credential", "limit", "minimal", "terminated", "metadata", "policy", "context", "digest"),
    *("justification", "prefix", "verbs", "expires_at", "kind", "roles", "source_prefixes"),
    *("is_enabled", "is_login", "min_total_eliminations", "since_seq", "records", "verifier"),
    *("as_of_time", "policy_as_sent", "declared_by"),
    *("before", "decision", "history", "include_policy", "is_halted", "content"),
    *("resolution", "outcome", "result", "usage", "mode", "status", "is_gone"),
    *("occurred_at", "seq", "is_refused", "first_seq"),
}
# What a call has to say anyway.
NEEDED: dict[str, Any] = {
    "digest": b"d" * 32,
    "prefix": "cmbs_x",
    "kind": "agent",
    "roles": ["agent"],
    "min_total_eliminations": 0,
    "policy": Json({}),
    "records": "{}",
    "is_halted": False,
    "content": "{}",
    "resolution": "approve",
    "outcome": "ok",
    "mode": "boost",
    "seq": 0,
}
# Where an argument is called like that of another verb, and names something else.
OTHERWISE = {
    ("revoke_capability", "token_id"): "parent_id",
    ("complete_execution", "permit_id"): "begun_permit_id",
    ("resume", "proposal_id"): "approved_proposal_id",
    ("list_inbox", "cursor"): "inbox_cursor",
    ("resume", "proposal"): "items",
    ("merge_hypothesis", "edges"): "merged_edges",
    ("take_mirror", "after"): "session_id",
}
# What a call may leave out, and does little without.
FILLED = {
    "merge_hypothesis": ["nodes", "edges"],
    "promote_claim": ["evidence"],
    "set_webhook": ["secret"],
}
# An id that another tenant uses is taken.
TAKEN = {("declare_session", "session_id"), ("create_context", "context_id")}
TAKEN |= {("create_incident", "incident_id")}
ARGUMENTS = """
select p.proname, substr(a.name, 3), a.no <= p.pronargs - p.pronargdefaults
from pg_proc as p
cross join lateral unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as a (name, type, no)
where p.pronamespace = 'cmbs'::regnamespace and a.type is not null
    and not p.proname = any(array['add_analyst', 'remove_analyst', 'list_analysts'])
order by 1, a.no
"""
PLACES = ("alpha", "beta", "nowhere")


class Land:
    """Both towns, and a connection of a superuser that can be anybody."""

    def __init__(self, admin: Connection, alpha: Town, beta: Town) -> None:
        self.admin, self.alpha, self.beta = admin, alpha, beta
        self.values = {"alpha": alpha.values, "beta": beta.values, "nowhere": nowhere(beta)}
        self.verbs: dict[str, dict[str, bool]] = {}
        for verb, argument, is_needed in admin.execute(ARGUMENTS.encode()).fetchall():
            self.verbs.setdefault(verb, {})[argument] = is_needed

    @property
    def actors(self) -> list[str]:
        return [*(f"token {role}" for role in self.alpha.tokens), *GRANTS]

    def value(self, verb: str, argument: str, place: str) -> Any:
        """Of a place, what an argument names; the same name may mean one thing or another.

        Of a document, a member of it may be told after a dot: the rest is alpha's then.
        """
        values = self.values[place]
        argument, _, member = argument.partition(".")
        argument = OTHERWISE.get((verb, argument), argument)
        if argument in MEMBERS:
            part = {"is_part": True} if verb == "narrow_capability" or member == "parent_id" else {}
            only = {member: values[member]} if member else values
            return document(argument, ChainMap(part, only, self.values["alpha"]))
        if argument == "after":
            return values["token_id" if verb == "list_tokens" else "name"]
        if argument == "login":
            return values["name"]
        return values[argument]

    def names(self, verb: str) -> list[str]:
        """The arguments of a verb that name something, and the members of its documents."""
        listed = []
        for argument in self.verbs[verb]:
            if argument not in NAMELESS:
                of = MEMBERS.get(OTHERWISE.get((verb, argument), argument), ())
                listed += [argument, *(f"{argument}.{one}" for one in of)]
        return listed

    def base(self, verb: str) -> dict[str, Any]:
        """Alpha's own, and no more than is needed."""
        needed = [argument for argument, is_needed in self.verbs[verb].items() if is_needed]
        sent = {
            argument: NEEDED[argument]
            if argument in NEEDED
            else self.value(verb, argument, "alpha")
            for argument in needed
        }
        if verb == "whatif":
            sent["without_source"] = self.value(verb, "without_source", "alpha")
        if verb == "declare_session":
            sent["session_id"] = uuid4()
        for name in FILLED.get(verb, []):
            sent[name] = self.value(verb, name, "alpha")
        return sent

    def ask(self, actor: str, verb: str, sent: dict[str, Any]) -> tuple[str, str]:
        """How a call of alpha's ends: its code, and all that it tells.

        Nothing of it is kept but a note of the rows of alpha's that it made.
        """
        own = self.own
        self.kept: list[Any] = []
        self.admin.execute("begin")
        try:
            if actor.startswith("token "):
                credential = self.alpha.tokens[actor[6:]].digest
                sent = sent | {"credential": credential}
                towns.as_login(self.admin, "cmbs_server")
            else:
                towns.as_login(self.admin, self.alpha.logins[actor])
            try:
                with self.admin.transaction():
                    rows = self.admin.execute(statement(verb, tuple(sent)), [*sent.values()])
                    found = "00000", json.dumps(rows.fetchall(), default=str)
            except psycopg.Error as error:
                diag = error.diag
                told = (diag.message_primary, diag.message_detail, diag.message_hint)
                found = str(error.sqlstate), json.dumps(told)
            self.admin.execute("reset session authorization")
            assert owned(self.admin, "beta") == self.before
            if found[0] == "00000":
                self.kept = [row for row in owned(self.admin, "alpha") if row not in own]
            return found
        finally:
            self.admin.execute("rollback")

    @functools.cached_property
    def own(self) -> set[Any]:
        return set(owned(self.admin, "alpha"))

    @property
    def before(self) -> list[Any]:
        if not hasattr(self, "_before"):
            self._before = owned(self.admin, "beta")
        return self._before


def without(text: str, sent: dict[str, Any]) -> str:
    """An answer without what was sent, which may come back, and without what is by chance."""
    values = [value.obj if isinstance(value, Json) else value
              for value in sent.values()]  # fmt: skip
    said = [leaf for value in values for leaf in texts(value)]
    numbers = [sent[name] for name in ("version", "to_version") if name in sent]
    pinned = [name for name in ("arbitration", "shadow") if name in sent]
    numbers += [sent[name].obj["version"] for name in pinned]
    for number in numbers:
        # Wherever else it is it means something else.
        text = re.sub(rf"(version\W+){number}\b", r"\1~", text)
    for leaf in sorted(set(said), key=len, reverse=True):
        for written in (leaf, json.dumps(leaf)[1:-1], json.dumps(json.dumps(leaf)[1:-1])[1:-1]):
            text = text.replace(written, "~")
    return text


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            # Names of members are known, but for those that are made of ours.
            if " " in name:
                yield name
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif value is not None and not isinstance(value, (int, bytes)):
        yield str(value)


def shape(text: str) -> str:
    """What two answers have to have in common: all but ids, hashes and times."""
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "U", text)
    text = re.sub(r"[0-9a-f]{64}", "H", text)
    return re.sub(r"\d{4}-\d\d-\d\d[T ][0-9:.]+(Z|\+[0-9:]+)?", "T", text)
