"""How the bodies of requests are read, without losing a digit."""

import heapq
import re
import zlib
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct

from cmbs.api.shell import body_limits
from cmbs.api.shell.headers import HttpRequest, sent
from cmbs.api.shell.refusals import RequestRefused, invalid, too_large

SMALL, LARGE = 8 * 2**20, 64 * 2**20
# Each costs a copy of what follows it.
_MEMBERS_OF_GZIP = 16

Kind = TypeVar("Kind", bound=Struct)
_MEMBERS = msgspec.json.Decoder(dict[str, Raw])
# Where the decoder says that it stopped.
_BYTE = re.compile(r"\(byte (\d+)\)")


_PROBLEMS = {
    "session_id": "must be a uuid",
    "hypotheses": "must be a list of ids",
    "eliminated": "must be a list of ids",
    "min_total_eliminations": "must be a whole number of at least 0",
    "roles": "must be a list of roles",
    "source_prefixes": "must be a list of texts",
    "verbs": "must be a list of names of verbs",
    "is_enabled": "must be true or false",
    "is_halted": "must be true or false",
    "version": "must be the number of a version",
    "parent": "must be the id of a capability token",
}


async def read(request: HttpRequest, kind: type[Kind], limit: int = SMALL) -> Kind:
    """The body of a request."""
    return (await read_as_sent(request, kind, limit))[0]


async def read_as_sent(
    request: HttpRequest, kind: type[Kind], limit: int = SMALL
) -> tuple[Kind, str | None]:
    """The body of a request, and its text as it came; None if there is none."""
    body = await _body(request, limit)
    if body:
        _check_media_type(request)
        return decode(kind, body), body.decode()
    if is_needed(kind):
        raise invalid("body", "must be a JSON object")
    return kind(), None


def is_needed(kind: type[Struct]) -> bool:
    """Whether there must be a body; where any member will do, nothing is not what was meant."""
    return not kind.__struct_config__.forbid_unknown_fields or any(
        info.required for info in _fields(kind).values()
    )


def decode(kind: type[Kind], body: bytes) -> Kind:
    """The message in a JSON text, whose members are all known and there once."""
    try:
        return _decoded(kind, body)
    except RecursionError:
        raise invalid("body", "is nested too deep") from None


def _decoded(kind: type[Kind], body: bytes) -> Kind:
    try:
        # Inside of raw members nobody else looks for bytes that are no text.
        body.decode()
        members = _MEMBERS.decode(body)
        unknown = heapq.nsmallest(100, members.keys() - _fields(kind).keys())
        if unknown and kind.__struct_config__.forbid_unknown_fields:
            raise RequestRefused(
                "INVALID_REQUEST", 400, {"unknown": [name[:512] for name in unknown]}
            )
        # The decoder keeps the last of two equal keys; a colon of the other is then missing.
        if body.count(b":") != sum(bytes(raw).count(b":") + 1 for raw in members.values()):
            raise invalid("body", "a key may appear once in an object")
        message: Kind = _decoder(kind).decode(body)
        return message
    except msgspec.ValidationError:
        raise _wrong_member(kind, body) from None
    except UnicodeDecodeError as error:
        raise invalid("body", f"must be UTF-8{_at(body, error.start)}") from None
    except msgspec.MsgspecError as error:
        found = _BYTE.search(str(error))
        where = _at(body, int(found[1])) if found else ""
        if "truncated" in str(error):
            where = f"; it ends too early{_at(body, len(body))}"
        raise invalid("body", f"must be a JSON text{where}") from None


def _at(body: bytes, offset: int) -> str:
    before = body[:offset]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="ignore")) + 1
    return f", at line {line}, column {column}"


@cache
def _fields(kind: type[Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {info.name: info for info in msgspec.structs.fields(kind)}


@cache
def _decoder(kind: type[Kind]) -> msgspec.json.Decoder[Kind]:
    return msgspec.json.Decoder(kind)


def _wrong_member(kind: type[Struct], body: bytes) -> RequestRefused:
    try:
        members = _MEMBERS.decode(body)
    except msgspec.ValidationError:
        return invalid("body", "must be a JSON object")
    for name, info in _fields(kind).items():
        if name not in members:
            if info.required:
                return invalid(name, "is missing")
            continue
        try:
            msgspec.json.decode(members[name], type=info.type)
        except (msgspec.MsgspecError, UnicodeError):
            return invalid(name, _PROBLEMS.get(name, "must be a text"))
    raise AssertionError("every member can be read, and their object cannot")


async def _body(request: HttpRequest, limit: int) -> bytes:
    room: body_limits.Memory = request.app.state.room
    request.scope["state"]["room"] = await room.take(body_limits.memory_for(request, limit))
    body = await body_limits.read(request, limit)
    encoding = b",".join(sent(request, b"content-encoding")).decode("latin-1").strip().lower()
    if encoding in ("gzip", "x-gzip"):
        return _unzipped(body, limit)
    if encoding not in ("", "identity"):
        raise RequestRefused("UNSUPPORTED_MEDIA_TYPE", 415, {"content_encoding": encoding[:100]})
    return body


def _unzipped(packed: bytes, limit: int) -> bytes:
    """Never more than the limit, however much the sender has packed."""
    if not packed:
        return packed
    unpacked = b""
    for _ in range(_MEMBERS_OF_GZIP):
        member = zlib.decompressobj(wbits=31)
        try:
            unpacked += member.decompress(packed, limit + 1 - len(unpacked))
        except zlib.error:
            raise invalid("body", "must be packed with gzip as its Content-Encoding says") from None
        if len(unpacked) > limit:
            raise too_large(limit)
        if not member.eof:
            raise invalid("body", "was cut off before its gzip end")
        packed = member.unused_data
        if not packed:
            return unpacked
    raise invalid("body", f"may have {_MEMBERS_OF_GZIP} gzip members")


def _check_media_type(request: HttpRequest) -> None:
    sent_as = b",".join(sent(request, b"content-type"))
    if sent_as == b"application/json":
        return
    kind, *parameters = (part.strip() for part in sent_as.decode("latin-1").lower().split(";"))
    if kind == "application/json" and set(parameters) <= {"", "charset=utf-8", 'charset="utf-8"'}:
        return
    raise RequestRefused(
        "UNSUPPORTED_MEDIA_TYPE", 415, {"content_type": sent_as.decode("latin-1")[:100]}
    )
