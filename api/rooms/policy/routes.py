"""Policy packs: constraints and settings under a name, in versions that never change."""

import re
from typing import Any

from litestar import get, post, put
from litestar.params import FromPath

from cmbs.api.rooms.policy import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import LARGE, read
from cmbs.api.shell.headers import HttpRequest, number_of, query
from cmbs.api.shell.refusals import RequestRefused, invalid
from cmbs.api.shell.routes_common import (
    as_sent,
    database,
    path_id,
)

POLICIES = "/v1/policies"
VERSIONS = f"{POLICIES}/{{pack:str}}/versions"
VERSION = f"{VERSIONS}/{{version:str}}"
NO_PACK = ("POLICY_NOT_FOUND",)


@get(
    POLICIES,
    gives=answers.Policies,
    query=("tenant",),
    says="It also says whether all sessions are halted.",
)
async def list_policies(request: HttpRequest) -> Answer:
    """List the policy packs of a tenant with their versions."""
    text = await database(request).call("list_policies", tenant=query(request).get("tenant"))
    return Answer(text)


@get(VERSIONS, gives=answers.Policies, query=("tenant",), errors=NO_PACK)
async def list_policy_versions(request: HttpRequest, pack: FromPath[str]) -> Answer:
    """List the versions of one policy pack."""
    text = await database(request).call(
        "list_policy_versions", pack=path_id("pack", pack), tenant=query(request).get("tenant")
    )
    return Answer(text)


@get(VERSION, gives=answers.PolicyVersion, query=("tenant",), errors=NO_PACK)
async def read_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """Read a version of a policy pack with its entries and fixtures."""
    text = await database(request).call(
        "read_policy", **named_version(pack, version), tenant=query(request).get("tenant")
    )
    return Answer(text)


@get(
    f"{VERSION}/diff",
    gives=answers.PolicyDiff,
    query=("to", "to_pack", "tenant"),
    needs=("to",),
    means={"to": "to_version"},
    errors=NO_PACK,
)
async def diff_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """Compare two versions of policy packs."""
    named, asked = named_version(pack, version), query(request)
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


@get(
    f"{VERSION}/lint",
    gives=answers.Linted,
    query=("tenant",),
    errors=NO_PACK,
    says="It names what is wrong, and what is probably not meant.",
)
async def lint_published_policy(
    request: HttpRequest, pack: FromPath[str], version: FromPath[str]
) -> Answer:
    """Check a published version of a policy pack for mistakes."""
    text = await database(request).call(
        "lint_published_policy", **named_version(pack, version), tenant=query(request).get("tenant")
    )
    return Answer(text)


@post(
    f"{POLICIES}/lint",
    takes=requests.LintPolicy,
    gives=answers.Linted,
    query=("tenant",),
    says="It names what is wrong, and what is probably not meant.",
)
async def lint_policy(request: HttpRequest) -> Answer:
    """Check policy entries for mistakes before you publish them."""
    message = await read(request, requests.LintPolicy, LARGE)
    text = await database(request).call(
        "lint_policy", entries=as_sent(message.entries), tenant=query(request).get("tenant")
    )
    return Answer(text)


@put(
    f"{POLICIES}/halt",
    takes=requests.HaltPolicy,
    gives=answers.Halted,
    query=("tenant",),
    says="For the policy role. While it is on, every proposal and claim is denied. Each "
    "change is kept with who made it and why.",
)
async def halt_policy(request: HttpRequest) -> Answer:
    """Halt all sessions of a tenant in an emergency, or let them go on."""
    message = await read(request, requests.HaltPolicy)
    text = await database(request).call(
        "halt_policy",
        is_halted=message.is_halted,
        reason=message.reason,
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


def named_version(pack: str, version: str) -> dict[str, Any]:
    """The version of a path; what no version can have for its number is not found."""
    name = path_id("pack", pack)
    if not re.fullmatch(r"[0-9]{1,9}", version, re.ASCII):
        raise RequestRefused(
            "POLICY_NOT_FOUND", 404, {"pack": name[:512], "version": version[:512]}
        )
    return {"pack": name, "version": int(version)}
