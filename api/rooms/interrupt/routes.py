"""Questions that people are asked about actions: read, waited for, answered, and told of."""

from hashlib import sha256
from typing import NamedTuple

from litestar import get, post, put
from litestar.params import FromPath
from msgspec import Struct
from msgspec.json import Decoder, encode

from cmbs.api.rooms.interrupt import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read
from cmbs.api.shell.headers import (
    NO_EVENT,
    HttpRequest,
    as_session_id,
    as_uuid,
    number_of,
    query,
    request_id,
)
from cmbs.api.shell.routes_common import REFUSED, SESSION, database, tell
from cmbs.api.shell.waiting import seconds_of, until_news
from cmbs.database.pool import NULL

_INTERRUPTS = f"{SESSION}/interrupts"
_INTERRUPT = f"{_INTERRUPTS}/{{interrupt_id:str}}"
_LASTS = (
    "With `wait`, the answer comes as soon as there is news, and at the latest after that many "
    "seconds."
)


class _Seen(Struct):
    interrupt_id: str
    status: str


class _Page(Struct):
    interrupts: list[_Seen]
    next_cursor: str | None


_QUESTION, _PAGE = Decoder(_Seen), Decoder(_Page)


class Look(NamedTuple):
    """An answer that can be waited for: what it names itself by, and whether it is news to who has
    seen nothing yet."""

    text: bytes
    resume_id: str
    is_news: bool

    def answer(self) -> Answer:
        end = b', "resume_id": "%s"}' % self.resume_id.encode()
        return Answer(self.text.rstrip()[:-1] + end)


@get(
    _INTERRUPTS,
    gives=answers.Questions,
    query=("status", "limit", "before"),
    means={"status": "interrupt_status"},
    longest=1_000,
    errors=("SESSION_NOT_FOUND",),
    says="The newest come first.",
)
async def list_interrupts(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the questions of a session and what became of each."""
    asked = query(request)
    text = await database(request).call(
        "list_interrupts",
        session_id=as_session_id(session_id),
        status=asked.get("status"),
        limit=number_of(asked, "limit"),
        before=number_of(asked, "before"),
    )
    return Answer(text)


@get(
    _INTERRUPT,
    gives=answers.WatchedQuestion,
    query=("wait", "resume_id"),
    says=_LASTS,
    errors=("SESSION_NOT_FOUND", "INTERRUPT_NOT_FOUND"),
)
async def read_interrupt(
    request: HttpRequest, session_id: FromPath[str], interrupt_id: FromPath[str]
) -> Answer:
    """Read one question to people, or wait until it is answered."""
    asked, session = query(request), as_session_id(session_id)
    question = as_uuid(interrupt_id) or NO_EVENT

    async def look() -> Look:
        text = await database(request).call(
            "read_interrupt", session_id=session, interrupt_id=question
        )
        seen = _QUESTION.decode(text)
        return Look(text, _digest([seen]), seen.status != "pending")

    seconds = seconds_of(asked)
    return (await until_news(request, look, asked.get("resume_id"), seconds)).answer()


@get(
    "/v1/interrupts",
    gives=answers.Inbox,
    query=("status", "limit", "cursor", "wait", "resume_id"),
    means={"status": "interrupt_status"},
    longest=500,
    says=_LASTS,
)
async def list_inbox(request: HttpRequest) -> Answer:
    """List the pending questions of all sessions, the most urgent first."""
    asked = query(request)
    arguments = {
        "status": asked.get("status"),
        "limit": number_of(asked, "limit"),
        "cursor": asked.get("cursor"),
    }

    async def look() -> Look:
        text = await database(request).call("list_inbox", **arguments)
        page = _PAGE.decode(text)
        return Look(text, _digest(page.interrupts, page.next_cursor), bool(page.interrupts))

    seconds = seconds_of(asked)
    return (await until_news(request, look, asked.get("resume_id"), seconds)).answer()


@post(
    f"{_INTERRUPT}/resolve",
    verb="RESOLVE_INTERRUPT",
    takes=requests.ResolveInterrupt,
    gives=answers.Resolved,
    errors=(*REFUSED, "CONFLICT of a question", "INTERRUPT_NOT_FOUND"),
    says="For approvers, about what others propose.",
)
async def resolve_interrupt(
    request: HttpRequest, session_id: FromPath[str], interrupt_id: FromPath[str]
) -> Answer:
    """Approve or decline an action that you are asked about, or cancel it."""
    message = await read(request, requests.ResolveInterrupt)
    return await tell(
        request,
        "resolve_interrupt",
        session_id,
        message,
        interrupt_id=as_uuid(interrupt_id) or NO_EVENT,
        resolution=message.resolution,
        comment=message.comment,
        notes=message.notes,
        request_id=request_id(request),
    )


@put(
    "/v1/webhook",
    takes=requests.SetWebhook,
    gives=answers.WebhookSet,
    query=("tenant",),
    says="For administrators who see every tenant. The server keeps who set it.",
)
async def set_webhook(request: HttpRequest) -> Answer:
    """Choose the URL that is told of questions and answers, or none."""
    message = await read(request, requests.SetWebhook)
    text = await database(request).call(
        "set_webhook",
        url=NULL if message.url is None else message.url,
        secret=message.secret,
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


def _digest(seen: list[_Seen], *more: str | None) -> str:
    return sha256(encode([*more, seen])).hexdigest()[:32]
