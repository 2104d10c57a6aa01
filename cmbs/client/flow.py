"""What a client does, without doing it: flows yield what is to be sent, and are told the answers.

So the client that waits and the one that awaits share every decision: what is sent again and when,
which error an answer is, what is fetched to check it.
"""

import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol, TypeVar, cast

import httpx

from cmbs.client.chain import Ledger
from cmbs.client.request import Request, invalid
from cmbs.errors import BeliefError, Unavailable, of_answer
from cmbs.kernel.canonical import parse

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_AGAIN = (429, 500, 502, 503, 504)
_FIRST_PAUSE, _LONGEST_PAUSE, _LONGEST_RETRY_AFTER = 0.1, 5.0, 30.0
# Seconds after the first attempt; later than that no other begins.
_PATIENCE = 60.0


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Send:
    """To be answered with a Reply; of a stream that succeeds, without its body."""

    request: Request[Any]
    is_stream: bool = False


@dataclass(frozen=True)
class Read:
    """To be answered with the next bytes of the stream, or none at its end."""


@dataclass(frozen=True)
class Pause:
    seconds: float


Step = Send | Read | Pause
Flow = Generator[Step, Any, T]


class Source(Protocol[T_co]):
    """Many answers, one at a time; None after the last."""

    def next(self) -> Flow[T_co | None]: ...


class Tries:
    """How often, and for how long, something is tried."""

    def __init__(self, retries: int) -> None:
        self._left, self._n = retries, 0
        self._end = time.monotonic() + _PATIENCE

    def pause(self, failure: BeliefError, retry_after: str = "") -> Flow[None]:
        """Wait for the next attempt; raises the failure if there is to be none."""
        # Not all that failed together come again together.
        backoff = min(_FIRST_PAUSE * 2**self._n, _LONGEST_PAUSE) * random.uniform(0.75, 1.25)
        seconds = backoff + min(max(_asked_to_wait(retry_after), 0), _LONGEST_RETRY_AFTER)
        if self._left <= 0 or time.monotonic() + seconds > self._end:
            raise failure
        self._left, self._n = self._left - 1, self._n + 1
        yield Pause(seconds)


def _asked_to_wait(retry_after: str) -> float:
    """The seconds that a Retry-After asks for, itself or by a date."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        moment = parsedate_to_datetime(retry_after)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0.0


@dataclass(frozen=True)
class Conversation:
    """What the flows of one client share."""

    retries: int
    # None: answers are taken as they come.
    ledger: Ledger | None

    def ask(self, request: Request[T]) -> Flow[tuple[T, Any]]:
        """The answer, and its members as they were told."""
        reply = yield from self.reply(request, Tries(0 if request.once else self.retries))
        try:
            members = parse(reply.body)
            if not isinstance(members, dict):
                raise TypeError("an answer is an object")
            return request.read(members), members
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise _foreign(reply) from None

    def reply(self, request: Request[Any], tries: Tries, *, is_stream: bool = False) -> Flow[Reply]:
        """The reply that succeeds; a failure that may pass is waited out."""
        while True:
            try:
                reply = cast(Reply, (yield Send(request, is_stream)))
            except httpx.InvalidURL:
                raise invalid("path", "is longer than an address may be") from None
            except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as error:
                raise unreachable(error) from error
            except httpx.RequestError as error:
                yield from tries.pause(unreachable(error))
                continue
            if reply.status in (200, 201):
                return reply
            failure = _refusal(reply)
            if reply.status not in _AGAIN:
                raise failure
            yield from tries.pause(failure, reply.headers.get("retry-after", ""))


# Many answers, once there is somebody to ask for them.
Listing = Callable[[Conversation], Source[T]]


def unreachable(error: httpx.HTTPError) -> BeliefError:
    problem = f"{type(error).__name__}: {error}".removesuffix(": ")
    unavailable = Unavailable.answered(
        "The server cannot be reached, or was lost before it had answered. Check that it runs and "
        "that this is its address; repeating a message with an identity is safe.",
        {"problem": problem},
    )
    # What is below httpx says the same again, and at length.
    unavailable.__cause__, error.__cause__ = error, None
    return unavailable


def foreign_line(line: bytes) -> BeliefError:
    return _foreign(Reply(200, {}, line))


def _refusal(reply: Reply) -> BeliefError:
    try:
        error = parse(reply.body)["error"]
        known = of_answer(error["code"], reply.status, error["message"], error["details"])
    except (ValueError, KeyError, TypeError, RecursionError):
        known = None
    return known or _foreign(reply)


def _foreign(reply: Reply) -> BeliefError:
    return Unavailable.answered(
        "What answered does not speak the belief protocol. Check the address, and what stands "
        "between the client and the server.",
        {"status": reply.status, "begins": reply.body[:200].decode(errors="replace")},
    )
