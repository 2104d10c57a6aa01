"""What a provider of hypotheses must do: it knows what may be the case, what can be asked, and
which hypotheses an answer rules out.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class HypothesisProvider(Protocol):
    def id(self) -> str: ...

    def version(self) -> str: ...

    def hypothesis_ids(self) -> Iterable[str]: ...

    def probe_ids(self) -> Iterable[str]: ...

    def apply_probe(self, probe_id: str, response: Any) -> Mapping[str, bool]:
        """By hypothesis: True eliminates it. One that is left out stays as it is."""
