"""The mirror: tells a Tee what sessions eliminated, as the outbox says, in the order of each.

It tells again what it may have told before: whatever dies in between, and however long a Tee is
away, nothing is left out. All that has to be known stands in the database.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from cmbs.tee.telling import Teller

# Sessions that are told of at a time.
_SESSIONS = 20
# After so many seconds no further message is begun: soon others may take the session.
_LEASE = 15.0
# For so long others wait for the first answer before they are looked for.
_WAIT = 0.5


class Message(Struct):
    """An event: the first says that there is an incident, others what they eliminated."""

    seq: int
    incident_id: str
    recorded_at: str
    source_id: str | None
    observation_id: str | None
    eliminated: list[str]
    universe: list[str] | None


class _Session(Struct):
    session_id: UUID
    messages: list[Message]


class _Taken(Struct):
    endpoint: str | None
    sessions: list[_Session]


_TAKEN = msgspec.json.Decoder(_Taken)


class TeeAway(Exception):
    """The Tee could not be reached."""


class Mirror:
    """What one process tells. `call` calls a verb and gives its answer as text."""

    def __init__(self, call: Callable[..., Awaitable[bytes]]) -> None:
        self._call = call
        self._after: UUID | None = None
        self._teller: Teller | None = None
        self._telling: set[asyncio.Task[str | None]] = set()
        # Of each session the last of them.
        self._last: dict[UUID, asyncio.Task[str | None]] = {}
        self.address: str | None = None

    async def once(self) -> bool:
        """Begin to tell what is to be told; whether there may be more. A session that takes long
        keeps others waiting only where there are too many of its like.
        """
        if len(self._telling) == _SESSIONS:
            await self._ended()
        free = _SESSIONS - len(self._telling)
        text = await self._call("take_mirror", after=self._after, limit=free)
        taken = _TAKEN.decode(text)
        self.address = taken.endpoint
        if not taken.endpoint or not taken.sessions:
            is_whole_round = self._after is None
            self._after = None
            if is_whole_round and self._telling:
                await self._ended()
                return True
            return not is_whole_round
        self._after = taken.sessions[-1].session_id
        teller = await self._opened(taken.endpoint)
        taken_at = time.monotonic()
        for session in taken.sessions:
            before = self._last.get(session.session_id)
            task = asyncio.create_task(self._tell(teller, session, taken_at, before))
            self._last[session.session_id] = task
            self._telling.add(task)
        await self._ended()
        return True

    async def close(self) -> None:
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)
        self._telling.clear()
        self._last.clear()
        if self._teller is not None:
            await self._teller.close()
            self._teller = None

    async def _ended(self) -> None:
        """Wait until something was told, but not for long; raises if the Tee is away."""
        done, self._telling = await asyncio.wait(
            self._telling, timeout=_WAIT, return_when=asyncio.FIRST_COMPLETED
        )
        self._last = {one: task for one, task in self._last.items() if not task.done()}
        away = [task.result() for task in done]
        # One session that cannot be told of is tried again by and by, and no reason to wait.
        if away and all(away):
            raise TeeAway(away[0])

    async def _opened(self, address: str) -> "Teller":
        # A server that mirrors nothing needs no gRPC, and one that does not what that has to say.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        from cmbs.tee.telling import Teller

        if self._teller is None or self._teller.address != address:
            await self.close()
            self._teller = Teller(address)
        return self._teller

    async def _tell(
        self,
        teller: "Teller",
        session: _Session,
        taken_at: float,
        before: asyncio.Task[str | None] | None,
    ) -> str | None:
        """How the Tee is away, if it is."""
        from cmbs.tee.telling import NotTold

        if before:
            # It is about to end, or takes so long that its time with the session was over.
            await asyncio.wait({before})
        last_seq, problem, is_refused, is_away = 0, None, False, False
        for message in session.messages:
            if last_seq and time.monotonic() - taken_at > _LEASE:
                break
            try:
                await teller.tell(message)
            except NotTold as error:
                problem = str(error)
                is_refused, is_away = error.is_refused, error.is_away
                break
            last_seq = message.seq
        await self._call(
            "settle_mirror",
            session_id=session.session_id,
            first_seq=session.messages[0].seq,
            seq=last_seq,
            error=problem,
            is_refused=is_refused,
        )
        return problem if is_away else None
