"""Policy packs: constraints and settings under a name, in versions that never change."""

import re
from typing import Any

from litestar import get, post, put
from litestar.params import FromPath
from msgspec.json import decode

from cmbs.api.rooms.policy import answers, requests
from cmbs.api.rooms.policy import answers as execution_answers
from cmbs.api.rooms.policy import requests as execution_requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.headers import HttpRequest, as_session_id, number_of, query, request_id
from cmbs.api.shell.reading import LARGE, read
from cmbs.api.shell.refusals import RequestRefused, invalid
from cmbs.api.shell.routes_common import (
    REFUSED,
    SESSION,
    as_sent,
    database,
    if_sent,
    of_tenant,
    path_id,
    segment,
    tell,
)

_POLICIES = "/v1/policies"
_VERSIONS = f"{_POLICIES}/{{pack:str}}/versions"
_VERSION = f"{_VERSIONS}/{{version:str}}"
_NO_PACK = ("POLICY_NOT_FOUND",)


@post(
    _VERSIONS,
    takes=requests.PublishPolicy,
    gives=answers.Published,
    query=("tenant",),
    errors=("CONFLICT of a policy pack",),
    creates=True,
)
async def publish_policy(request: HttpRequest, pack: FromPath[str]) -> Answer:
    """Publish the next version of a policy pack, for ever; for the policy role."""
    message = await read(request, requests.PublishPolicy, LARGE)
    name = path_id("pack", pack)
    text = await database(request).call(
        "publish_policy",
        pack=name,
        entries=as_sent(message.entries),
        fixtures=if_sent(message.fixtures),
        tenant=query(request).get("tenant"),
    )
    if text.endswith(b"true}"):
        return Answer(text)
    where = f"{_POLICIES}/{segment(name)}/versions/{decode(text)['version']}{of_tenant(request)}"
    return Answer(text, 201, [(b"location", where.encode())])


@get(_POLICIES, gives=answers.Policies, query=("tenant",))
async def list_policies(request: HttpRequest) -> Answer:
    """Every version of every policy pack that a tenant may use, and whether all is halted."""
    text = await database(request).call("list_policies", tenant=query(request).get("tenant"))
    return Answer(text)


@get(_VERSIONS, gives=answers.Policies, query=("tenant",), errors=_NO_PACK)
async def list_policy_versions(request: HttpRequest, pack: FromPath[str]) -> Answer:
    """The versions of one policy pack."""
    text = await database(request).call(
        "list_policy_versions", pack=path_id("pack", pack), tenant=query(request).get("tenant")
    )
    return Answer(text)


@get(_VERSION, gives=answers.PolicyVersion, query=("tenant",), errors=_NO_PACK)
async def read_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """A version of a policy pack with its entries and fixtures."""
    text = await database(request).call(
        "read_policy", **_named(pack, version), tenant=query(request).get("tenant")
    )
    return Answer(text)


@get(
    f"{_VERSION}/diff",
    gives=answers.PolicyDiff,
    query=("to", "to_pack", "tenant"),
    needs=("to",),
    means={"to": "to_version"},
    errors=_NO_PACK,
)
async def diff_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """What two versions of policy packs have differently."""
    named, asked = _named(pack, version), query(request)
    if "to" not in asked:
        raise invalid("to", "is missing")
    text = await database(request).call(
        "diff_policy",
        **named,
        to_version=number_of(asked, "to"),
        to_pack=asked.get("to_pack"),
        tenant=asked.get("tenant"),
    )
    return Answer(text)


@get(f"{_VERSION}/lint", gives=answers.Linted, query=("tenant",), errors=_NO_PACK)
async def lint_published_policy(
    request: HttpRequest, pack: FromPath[str], version: FromPath[str]
) -> Answer:
    """What is wrong in a version of a policy pack, or probably not meant."""
    text = await database(request).call(
        "lint_published_policy", **_named(pack, version), tenant=query(request).get("tenant")
    )
    return Answer(text)


@post(
    f"{_VERSION}/test",
    takes=requests.RunFixtures,
    gives=answers.Tested,
    query=("tenant",),
    says="Reads; no event is recorded.",
    errors=_NO_PACK,
)
async def test_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """Run fixtures against a version of a policy pack: its own, or those that are sent."""
    message = await read(request, requests.RunFixtures, LARGE)
    text = await database(request).call(
        "test_policy",
        **_named(pack, version),
        fixtures=if_sent(message.fixtures),
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


@post(
    f"{_POLICIES}/lint",
    takes=requests.LintPolicy,
    gives=answers.Linted,
    query=("tenant",),
    says="Reads; no event is recorded.",
)
async def lint_policy(request: HttpRequest) -> Answer:
    """What would be wrong with entries, or probably not meant, if they were published."""
    message = await read(request, requests.LintPolicy, LARGE)
    text = await database(request).call(
        "lint_policy", entries=as_sent(message.entries), tenant=query(request).get("tenant")
    )
    return Answer(text)


@put(
    f"{_POLICIES}/halt",
    takes=requests.HaltPolicy,
    gives=answers.Halted,
    query=("tenant",),
    says="The kill switch: while it is on, every proposal and claim is denied. Each change is kept "
    "with who made it and why.",
)
async def halt_policy(request: HttpRequest) -> Answer:
    """Halt every session of a tenant, or let all go on; for the policy role."""
    message = await read(request, requests.HaltPolicy)
    text = await database(request).call(
        "halt_policy",
        is_halted=message.is_halted,
        reason=message.reason,
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


def _named(pack: str, version: str) -> dict[str, Any]:
    """The version of a path; what no version can have for its number is not found."""
    name = path_id("pack", pack)
    if not re.fullmatch(r"[0-9]{1,9}", version, re.ASCII):
        raise RequestRefused(
            "POLICY_NOT_FOUND", 404, {"pack": name[:512], "version": version[:512]}
        )
    return {"pack": name, "version": int(version)}


@post(
    f"{SESSION}/arbitration",
    verb="POLICY_APPLY",
    takes=requests.ApplyPolicy,
    gives=answers.Applied,
    errors=(*REFUSED, "CONFLICT of a request id", "POLICY_NOT_FOUND"),
)
async def apply_policy(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Let a version of a policy pack decide from now on; for the policy role."""
    message = await read(request, requests.ApplyPolicy)
    return await tell(
        request,
        "apply_policy",
        session_id,
        message,
        pack=message.pack,
        version=message.version,
        shadow=if_sent(message.shadow),
        notes=message.notes,
        request_id=request_id(request),
    )


@post(
    f"{SESSION}/mode",
    verb="SET_MODE",
    takes=execution_requests.SetMode,
    gives=execution_answers.ModeSet,
    errors=(*REFUSED, "CONFLICT of a request id"),
)
async def set_mode(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Set the mode of a session, which scales soft budgets; for the policy role."""
    message = await read(request, execution_requests.SetMode)
    return await tell(
        request,
        "set_mode",
        session_id,
        message,
        mode=message.mode,
        reason=message.reason,
        notes=message.notes,
        request_id=request_id(request),
    )


@get(
    f"{SESSION}/policy-replay",
    gives=answers.Replayed,
    query=("pack", "version", "limit"),
    needs=("pack",),
    longest=1_000,
    errors=("SESSION_NOT_FOUND", "POLICY_NOT_FOUND"),
)
async def replay_policy(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """What another version of a policy would have said to the proposals of a session."""
    session, asked = as_session_id(session_id), query(request)
    if "pack" not in asked:
        raise invalid("pack", "is missing")
    text = await database(request).call(
        "replay_policy",
        session_id=session,
        pack=asked["pack"],
        version=number_of(asked, "version"),
        limit=number_of(asked, "limit"),
    )
    return Answer(text)
