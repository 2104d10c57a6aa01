"""Who may call: principals, their tokens, and the log of every change of them."""

from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import delete, get, patch, post
from litestar.params import FromPath

from cmbs.api.rooms.identity import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read
from cmbs.api.shell.headers import HttpRequest, as_time, as_uuid, number_of, query, sent, uuid_of
from cmbs.api.shell.refusals import RequestRefused, invalid
from cmbs.api.shell.routes_common import as_array, database, path_id, segment
from cmbs.database import tokens

_PRINCIPALS, _TOKENS = "/v1/principals", "/v1/tokens"
_CHANGES = "For administrators; the log of identities records it."
_ONCE = "The token is shown this once."
_READS = "For administrators and auditors."
_NAMED = ("PRINCIPAL_NOT_FOUND",)


@post(
    _PRINCIPALS,
    takes=requests.CreatePrincipal,
    gives=answers.PrincipalTold,
    says=_CHANGES,
    errors=("CONFLICT of a principal",),
    creates=True,
)
async def create_principal(request: HttpRequest) -> Answer:
    """Create a principal: a person or program that may call this server."""
    message = await read(request, requests.CreatePrincipal)
    text = await database(request).call(
        "create_principal",
        name=message.name,
        kind=message.kind,
        roles=as_array(message.roles),
        source_prefixes=as_array(message.source_prefixes),
        tenant=message.tenant,
    )
    made = msgspec.json.decode(text)
    if made["duplicate"]:
        return Answer(text)
    where = _where(request, message.name, made["tenant"])
    return Answer(text, 201, [(b"location", where.encode())])


@get(
    _PRINCIPALS,
    gives=answers.Principals,
    query=("limit", "after", "tenant"),
    longest=500,
    says=_READS,
)
async def list_principals(request: HttpRequest) -> Answer:
    """List the principals of a tenant by name."""
    asked = query(request)
    text = await database(request).call(
        "list_principals",
        limit=number_of(asked, "limit"),
        after=asked.get("after"),
        tenant=asked.get("tenant"),
    )
    return Answer(text)


@get(
    f"{_PRINCIPALS}/{{name:str}}",
    gives=answers.Principal,
    query=("tenant",),
    errors=_NAMED,
    says=_READS,
)
async def read_principal(request: HttpRequest, name: FromPath[str]) -> Answer:
    """Read a principal and what it may do."""
    text = await database(request).call(
        "read_principal", name=path_id("name", name), tenant=query(request).get("tenant")
    )
    return Answer(text)


@patch(
    f"{_PRINCIPALS}/{{name:str}}",
    takes=requests.ChangePrincipal,
    gives=answers.PrincipalTold,
    says=f"{_CHANGES} It counts from the next call; what you leave out stays.",
    errors=_NAMED,
)
async def change_principal(request: HttpRequest, name: FromPath[str]) -> Answer:
    """Change what a principal may do, or disable it."""
    message = await read(request, requests.ChangePrincipal)
    text = await database(request).call(
        "change_principal",
        name=path_id("name", name),
        roles=as_array(message.roles),
        source_prefixes=as_array(message.source_prefixes),
        is_enabled=message.is_enabled,
        tenant=message.tenant,
    )
    return Answer(text)


@post(
    f"{_PRINCIPALS}/{{name:str}}/tokens",
    takes=requests.CreateToken,
    gives=answers.NewToken,
    says=f"{_CHANGES} {_ONCE} A repeat makes another one, so an `Idempotency-Key` is refused.",
    errors=_NAMED,
    status=201,
)
async def create_token(request: HttpRequest, name: FromPath[str]) -> Answer:
    """Create a token for a principal, by which it is known."""
    _refuse_key(request)
    message = await read(request, requests.CreateToken)
    token = tokens.new()
    text = await database(request).call(
        "create_token",
        name=path_id("name", name),
        digest=token.digest,
        prefix=token.prefix,
        verbs=as_array(message.verbs),
        scope_tenant=message.scope_tenant,
        expires_at=_time(message.expires_at),
        tenant=message.tenant,
    )
    return _shown_once(text, token)


@get(_TOKENS, gives=answers.Tokens, query=("name", "limit", "after", "tenant"), longest=500,
     errors=("TOKEN_NOT_FOUND",), says=_READS)  # fmt: skip
async def list_tokens(request: HttpRequest) -> Answer:
    """List the tokens of a tenant, newest first."""
    asked = query(request)
    text = await database(request).call(
        "list_tokens",
        name=asked.get("name"),
        limit=number_of(asked, "limit"),
        after=uuid_of(asked, "after", "a token"),
        tenant=asked.get("tenant"),
    )
    return Answer(text)


@get(
    f"{_TOKENS}/{{token_id:str}}",
    gives=answers.Token,
    errors=("TOKEN_NOT_FOUND",),
    says=_READS,
)
async def read_token(request: HttpRequest, token_id: FromPath[str]) -> Answer:
    """Read what is known of a token, without its text."""
    return Answer(await database(request).call("read_token", token_id=_token_id(token_id)))


@post(
    f"{_TOKENS}/{{token_id:str}}/rotate",
    takes=requests.RotateToken,
    gives=answers.RotatedToken,
    says=f"{_CHANGES} {_ONCE} A repeat is a conflict; an `Idempotency-Key` is refused.",
    errors=("TOKEN_NOT_FOUND", "CONFLICT of a token"),
    status=201,
)
async def rotate_token(request: HttpRequest, token_id: FromPath[str]) -> Answer:
    """Replace a token with a new one; the old one ends at once."""
    _refuse_key(request)
    message = await read(request, requests.RotateToken)
    token = tokens.new()
    text = await database(request).call(
        "rotate_token",
        token_id=_token_id(token_id),
        digest=token.digest,
        prefix=token.prefix,
        expires_at=_time(message.expires_at),
    )
    return _shown_once(text, token)


@delete(
    f"{_TOKENS}/{{token_id:str}}",
    gives=answers.RevokedToken,
    says=_CHANGES,
    errors=("TOKEN_NOT_FOUND",),
    status_code=200,
)
async def revoke_token(request: HttpRequest, token_id: FromPath[str]) -> Answer:
    """Revoke a token, so that the next call with it is refused."""
    return Answer(await database(request).call("revoke_token", token_id=_token_id(token_id)))


@get("/v1/whoami", gives=answers.Identified, says="Use it to check a token.")
async def identify(request: HttpRequest) -> Answer:
    """Find out who you are to this server, and what you may do."""
    return Answer(await database(request).call("identify"))


@get(
    "/v1/identities/audit",
    gives=answers.IdentityLog,
    says=f"{_READS} It is always JSON: `record` and `event_hash` are as in a session's log.",
    query=("since_seq", "limit", "tenant"),
    longest=500,
)
async def audit_identities(request: HttpRequest) -> Answer:
    """Read the log of who made or changed which principal and token."""
    asked = query(request)
    text = await database(request).call(
        "audit_identities",
        since_seq=number_of(asked, "since_seq"),
        limit=number_of(asked, "limit"),
        tenant=asked.get("tenant"),
    )
    return Answer(text)


@get(
    "/v1/identities/verify",
    gives=answers.IdentitiesVerified,
    says=_READS,
)
async def verify_identities(request: HttpRequest) -> Answer:
    """Check that the logs of principals and tokens are whole."""
    return Answer(await database(request).call("verify_identities"))


def _where(request: HttpRequest, name: str, tenant: str) -> str:
    """Where a principal is; its tenant needs no name where its maker is at home."""
    caller = request.scope["state"]["caller"]
    home = "default" if caller is None or caller.tenant == "*" else caller.tenant
    elsewhere = "" if tenant == home else f"?{urlencode({'tenant': tenant})}"
    return f"{_PRINCIPALS}/{segment(name)}{elsewhere}"


def _refuse_key(request: HttpRequest) -> None:
    if sent(request, b"idempotency-key"):
        raise invalid("Idempotency-Key", "cannot be kept where a token is made; send none")


def _shown_once(text: bytes, token: tokens.Token) -> Answer:
    where = f"{_TOKENS}/{msgspec.json.decode(text)['token_id']}"
    answer = text[:-1] + b', "token": "%s"}' % token.text.encode()
    return Answer(answer, 201, [(b"location", where.encode())])


def _token_id(written: str) -> Any:
    """The token of a path; what no token can have for its id is not found."""
    found = as_uuid(written)
    if found is None:
        raise RequestRefused("TOKEN_NOT_FOUND", 404, {"token_id": written[:512]})
    return found


def _time(written: str | None) -> Any:
    if written is None:
        return None
    moment = as_time(written)
    if moment is None:
        raise invalid("expires_at", "must be a time such as 2027-01-31T00:00:00Z")
    return moment
