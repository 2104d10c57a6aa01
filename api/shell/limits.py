"""How much each caller may still send."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

# Of callers and of addresses that are remembered; who is forgotten is asked again.
_MOST = 10_000


class Buckets:
    """How much each may still send: up to as much at once as in a second."""

    def __init__(self, rate: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> bool:
        """Whether there was something left; after a second there is something again."""
        left = self._left_of(key)
        is_enough = left >= 1
        self._keep(key, left - is_enough)
        return is_enough

    def is_empty(self, key: Hashable) -> bool:
        return self._left_of(key) < 1

    def charge(self, key: Hashable) -> None:
        """For what was done already, of which there may have been more at once than was left."""
        self._keep(key, max(self._left_of(key) - 1, 1 - self._rate))

    def _left_of(self, key: Hashable) -> float:
        left, at = self._left.get(key, (self._rate, 0.0))
        return min(self._rate, left + (self._clock() - at) * self._rate)

    def _keep(self, key: Hashable, left: float) -> None:
        self._left[key] = (left, self._clock())
        self._left.move_to_end(key)
        shorten(self._left)


def shorten(kept: OrderedDict[Any, Any]) -> None:
    if len(kept) > _MOST:
        kept.popitem(last=False)
