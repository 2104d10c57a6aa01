"""What the head of a request says, beside its path: preconditions, preferences, query, identity."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import parse_qsl
from uuid import UUID

from litestar import Request

from cmbs.api.shell.refusals import RequestRefused, invalid

HttpRequest = Request[Any, Any, Any]

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# A tag without its quotes is taken for what it means.
_TAG = re.compile(r'\s*(?:(?P<weak>W/)?(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s",]+)))?\s*(?:,|$)')
# A comma in quotes parts nothing.
_PREFERENCE = re.compile(r'(?:[^",]|"[^"]*"?)+')
_ANY = [("", "*")]
_TIME = re.compile(
    r"(?P<minute>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:)(?P<second>\d\d)(?:\.(?P<part>\d{1,100}))?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)",
    re.ASCII | re.IGNORECASE,
)
# No event has it: the low 48 bits of an event id are its seq. Nor has what has a random id.
NO_EVENT = UUID(int=0)


def as_uuid(text: str) -> UUID | None:
    return UUID(text) if _UUID.fullmatch(text) else None


def as_session_id(text: str) -> UUID:
    """The session of a path; what no session can have for its id is not found."""
    found = as_uuid(text)
    if found is None:
        raise RequestRefused("SESSION_NOT_FOUND", 404, {"session_id": text[:512]})
    return found


def sent(request: HttpRequest, name: bytes) -> list[bytes]:
    """The values of a header, in order: a lookup without the copy that Litestar would make."""
    return [value for key, value in request.scope["headers"] if key == name]


def expected_heads(request: HttpRequest) -> list[UUID] | None:
    """The heads that If-Match takes; None if any will do."""
    if not sent(request, b"if-match"):
        return None
    tags = _tags(request, b"if-match")
    if tags == _ANY:
        return None
    # A weak tag never matches here.
    strong = [tag for weak, tag in tags if not weak]
    known = [head for tag in strong if (head := as_uuid(tag))]
    if strong and not known:
        raise invalid("If-Match", "must name the head of a session, which is the id of an event")
    return known or [NO_EVENT]


def is_known(request: HttpRequest, head: str) -> bool:
    """Whether the caller has this head already (If-None-Match)."""
    tags = _tags(request, b"if-none-match")
    return tags == _ANY or any(tag == head for _, tag in tags)


def _tags(request: HttpRequest, name: bytes) -> list[tuple[str, str]]:
    """The tags of a header, each with what marks it as weak; a star stands alone."""
    listed = b",".join(sent(request, name)).decode("latin-1")
    found, at = [], 0
    while at < len(listed):
        match = _TAG.match(listed, at)
        if not match:
            raise invalid(name.decode().title(), "must be * or a list of tags in quotes")
        if match["quoted"] == "*":
            # In quotes a star is a tag like others, and nothing has it.
            found.append((match["weak"] or "", '"*"'))
        elif match["quoted"] is not None or match["bare"]:
            found.append((match["weak"] or "", match["bare"] or match["quoted"]))
        at = match.end()
    if _ANY[0] in found and found != _ANY:
        raise invalid(name.decode().title(), "must be * or a list of tags in quotes")
    return found


def wanted_return(request: HttpRequest) -> Literal["", "minimal", "none"]:
    """What of a snapshot may be left out (Prefer): the survivors, or all but the head."""
    asked = b",".join(sent(request, b"prefer")).decode("latin-1")
    for part in _PREFERENCE.findall(asked):
        preference: str = part.split(";")[0].replace('"', "").replace(" ", "").lower()
        if preference.startswith("return="):
            wanted = preference.removeprefix("return=")
            return "minimal" if wanted == "minimal" else "none" if wanted == "none" else ""
    return ""


def request_id(request: HttpRequest) -> str | None:
    """The identity of a message that has none in its body (Idempotency-Key)."""
    keys = sent(request, b"idempotency-key")
    if len(keys) > 1:
        raise invalid("Idempotency-Key", "may be sent once")
    try:
        return keys[0].decode() if keys else None
    except UnicodeError:
        raise invalid("Idempotency-Key", "must be UTF-8") from None


def query(request: HttpRequest) -> dict[str, str]:
    """The parameters of the query, which the route knows and which are there once."""
    known = request.route_handler.opt.get("query", ())
    try:
        listed = parse_qsl(
            request.scope["query_string"].decode(),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=100,
        )
    except ValueError:
        raise invalid("query", "must be UTF-8 and hold at most 100 parameters") from None
    parameters = dict(listed)
    if unknown := sorted(parameters.keys() - known):
        raise RequestRefused("INVALID_REQUEST", 400, {"unknown": [name[:512] for name in unknown]})
    if len(parameters) < len(listed):
        raise invalid("query", "a parameter may appear once")
    return parameters


def uuid_of(parameters: dict[str, str], name: str, of: str = "an event") -> UUID | None:
    if (written := parameters.get(name)) is None:
        return None
    found = as_uuid(written)
    if found is None:
        raise invalid(name, f"must be the id of {of}")
    return found


def as_of(parameters: dict[str, str]) -> dict[str, UUID | datetime]:
    """The argument of the verb for an event or for a time, if the query names one."""
    if (written := parameters.get("as_of")) is None:
        return {}
    if event := as_uuid(written):
        return {"as_of": event}
    if moment := as_time(written):
        return {"as_of_time": moment}
    if as_time("+".join(written.rsplit(" ", 1))):
        raise invalid("as_of", "has a space for a plus sign, which a query writes as %2B")
    raise invalid("as_of", "must be the id of an event, or a time such as 2026-11-18T07:49:06Z")


def as_time(text: str) -> datetime | None:
    """A time of RFC 3339; what is finer than a microsecond is cut, as no event lies in between."""
    if not (parts := _TIME.fullmatch(text)):
        return None
    is_leap = parts["second"] == "60"
    second, part = "59" if is_leap else parts["second"], (parts["part"] or "0")[:6]
    try:
        found = datetime.fromisoformat(
            f"{parts['minute']}{second}.{part:0<6}{parts['zone']}".upper()
        )
        return found.astimezone(UTC) + timedelta(seconds=is_leap)
    except (ValueError, OverflowError):
        return None


def number_of(parameters: dict[str, str], name: str) -> int | None:
    if (written := parameters.get(name)) is None:
        return None
    # More digits than any limit has; the kernel says what the limit is.
    if not re.fullmatch(r"[0-9]{1,9}", written, re.ASCII):
        raise invalid(name, "must be a whole number")
    return int(written)


def truth_of(parameters: dict[str, str], name: str) -> bool | None:
    if (written := parameters.get(name)) is None:
        return None
    if written not in ("true", "false"):
        raise invalid(name, "must be true or false")
    return written == "true"
