"""Calling a Tee from a program that waits for the answer."""

import random
import threading
import time
from typing import Any

import grpc

from cmbs.tee import wire
from cmbs.tee.endpoint import LARGE, Endpoint

# What ends so did nothing, or nothing that it may not do again.
_PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    # Of a server that is about to stop, for a call that it did not take any more.
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)
_AWAY = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0


class TeeError(Exception):
    """A Tee refused a call, or failed; `code` is the name of gRPC's status."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class TeeUnavailable(TeeError, ConnectionError):
    """A Tee could not be reached, or did not answer in time. Whether it did what it was asked is
    not known; everything may be asked again.
    """


class Client:
    """One Tee. Safe to call from many threads."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint, self._timeout = endpoint, timeout
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None
        self._is_closed = False

    def send(self, name: str, request: Any) -> Any:
        """Call a method, again while the Tee is away, until patience is at its end."""
        method = wire.METHODS[name]
        deadline, pause = time.monotonic() + self._timeout, _FIRST_PAUSE
        while True:
            rpc = self._opened().unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.answer.FromString,
            )
            left = max(deadline - time.monotonic(), 0.001)
            try:
                return rpc(request, timeout=left, metadata=self._endpoint.metadata)
            except ValueError:
                # Of a channel that was closed in the meantime.
                self._opened()
                raise
            except grpc.RpcError as error:
                code, details = error.code(), error.details() or ""
                left = deadline - time.monotonic()
                is_hopeless = (
                    code == grpc.StatusCode.RESOURCE_EXHAUSTED and request.ByteSize() > LARGE
                )
                if code not in _PASSING or is_hopeless or left <= pause:
                    raise self._failure(name, code, details) from None
            # Those who were cut off together need not come back together.
            time.sleep(pause * (0.5 + random.random() / 2))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._channel is not None:
                self._channel.close()

    def _opened(self) -> grpc.Channel:
        with self._lock:
            if self._is_closed:
                raise TeeError("CANCELLED", "the store was closed; make another")
            if self._channel is None:
                self._channel = self._endpoint.channel(grpc)
            return self._channel

    def _failure(self, name: str, code: grpc.StatusCode, details: str) -> TeeError:
        if code in _AWAY:
            return TeeUnavailable(
                code.name,
                f"the Tee at {self._endpoint.target} did not answer {name} within "
                f"{self._timeout:g} seconds: {details or code.name}; ask again when it is back",
            )
        return TeeError(code.name, details or code.name)
