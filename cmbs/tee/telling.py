"""Telling a Tee what a message of the outbox says."""

import os
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from cmbs.tee import convert, wire
from cmbs.tee.endpoint import AUTHORITY, LARGE, TOKEN, Endpoint, parse
from cmbs.tee.mirror import Message

_DEADLINE, _PER_SECOND = 10.0, 2**20
# What a Tee that answers so will never take; anything else is tried again.
_REFUSALS = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.OUT_OF_RANGE,
)


class NotTold(Exception):
    """A Tee was not told: it never will take it, or it is away, or it may take it another time."""

    def __init__(self, problem: str, *, is_refused: bool = False, is_away: bool = False) -> None:
        super().__init__(problem)
        self.is_refused, self.is_away = is_refused, is_away


class Teller:
    """The way to one Tee. What opens it is read from the environment."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._endpoint: Endpoint | None = None
        self._channel: grpc.aio.Channel | None = None

    async def tell(self, message: Message) -> None:
        """Tell all of a message; raises `NotTold`."""
        try:
            await self._send(message)
        except grpc.aio.AioRpcError as error:
            problem = f"{error.code().name}: {error.details() or 'without a word'}"
            code = error.code()
            is_refused = code in _REFUSALS
            raise NotTold(
                problem, is_refused=is_refused, is_away=code == grpc.StatusCode.UNAVAILABLE
            ) from None
        except (OSError, ValueError) as error:
            # An address, or a file of certificates, that is none.
            raise NotTold(f"the Tee cannot be called: {error}", is_away=True) from None

    async def close(self) -> None:
        if self._channel is not None:
            await self._channel.close()

    async def _send(self, message: Message) -> None:
        if message.seq == 1:
            # What only looks like an edge goes as a node, for the Tee to refuse.
            edges = convert.edges_of(message.universe or [])
            nodes = [one for one in message.universe or [] if one not in edges]
            request = convert.incident_request(
                message.incident_id, nodes, edges.values(), is_exact=bool(edges)
            )
            await self._rpc("CreateIncident", request)
            return
        said = wire.message("Provenance")(source=message.source_id, trigger=message.observation_id)
        convert.fill_time(said.timestamp, message.recorded_at)
        edges = convert.edges_of(message.eliminated)
        nodes = [one for one in message.eliminated if one not in edges]
        for name, request in convert.tombstone_requests(message.incident_id, nodes, edges, said):
            await self._rpc(name, request)

    async def _rpc(self, name: str, request: Any) -> None:
        if self._endpoint is None or self._channel is None:
            authority = os.environ.get(AUTHORITY) if self.address.startswith("https://") else None
            self._endpoint = parse(self.address, os.environ.get(TOKEN) or None, authority)
            self._channel = self._endpoint.channel(grpc.aio)
        method = wire.METHODS[name]
        rpc: Any = self._channel.unary_unary(method.path)
        sent = request.SerializeToString()
        deadline = _DEADLINE + len(sent) / _PER_SECOND
        try:
            raw = await rpc(sent, timeout=deadline, metadata=self._endpoint.metadata)
        except grpc.aio.AioRpcError as error:
            if error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED and len(sent) > LARGE:
                raise NotTold(
                    f"{name} of {len(sent)} bytes is too large: {error.details()}", is_refused=True
                ) from None
            raise
        try:
            # Read here: what cannot be read gRPC would give as nothing, without a word.
            method.answer.FromString(raw)
        except DecodeError:
            raise NotTold(f"the answer to {name} is no message of tee.proto") from None
