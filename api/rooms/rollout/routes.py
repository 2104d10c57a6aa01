"""Bringing a policy into force: publishing, trying, applying it, and the mode."""

from litestar import get, post
from litestar.params import FromPath
from msgspec.json import decode

from cmbs.api.rooms.policy.routes import NO_PACK, POLICIES, VERSION, VERSIONS, named_version
from cmbs.api.rooms.rollout import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import LARGE, read
from cmbs.api.shell.headers import HttpRequest, as_session_id, number_of, query, request_id
from cmbs.api.shell.refusals import invalid
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


@post(
    VERSIONS,
    takes=requests.PublishPolicy,
    gives=answers.Published,
    query=("tenant",),
    errors=("CONFLICT of a policy pack",),
    creates=True,
    says="For the policy role. A published version never changes.",
)
async def publish_policy(request: HttpRequest, pack: FromPath[str]) -> Answer:
    """Publish the next version of a policy pack."""
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
    where = f"{POLICIES}/{segment(name)}/versions/{decode(text)['version']}{of_tenant(request)}"
    return Answer(text, 201, [(b"location", where.encode())])


@post(
    f"{VERSION}/test",
    takes=requests.RunFixtures,
    gives=answers.Tested,
    query=("tenant",),
    says="They are its own fixtures, or those that you send.",
    errors=NO_PACK,
)
async def test_policy(request: HttpRequest, pack: FromPath[str], version: FromPath[str]) -> Answer:
    """Run test cases, called fixtures, against a version of a policy pack."""
    message = await read(request, requests.RunFixtures, LARGE)
    text = await database(request).call(
        "test_policy",
        **named_version(pack, version),
        fixtures=if_sent(message.fixtures),
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


@post(
    f"{SESSION}/arbitration",
    verb="POLICY_APPLY",
    takes=requests.ApplyPolicy,
    gives=answers.Applied,
    errors=(*REFUSED, "CONFLICT of a request id", "POLICY_NOT_FOUND"),
    says="For the policy role. It is denied if an invariant of the pack does not hold. A "
    "denial is an answer with status 200.",
)
async def apply_policy(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Put a version of a policy pack in force for a session."""
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
    takes=requests.SetMode,
    gives=answers.ModeSet,
    errors=(*REFUSED, "CONFLICT of a request id"),
    says="For the policy role.",
)
async def set_mode(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Set the mode of a session, which scales its soft budgets."""
    message = await read(request, requests.SetMode)
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
    says="Use it before you apply that version.",
)
async def replay_policy(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """See how another version of a policy would have decided the proposals."""
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
