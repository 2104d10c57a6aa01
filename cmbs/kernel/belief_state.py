"""What is still believed of a provider's hypotheses."""

import math
from collections.abc import Container
from typing import Any

from cmbs.spi.hypothesis_provider import HypothesisProvider


def ruled_out(
    provider: HypothesisProvider, probe_id: str, response: Any, hypothesis_ids: Container[str]
) -> set[str]:
    """What a provider says that a response rules out; `ValueError` if it names other ids."""
    mask = provider.apply_probe(probe_id, response)
    if unknown := sorted((one for one in mask if one not in hypothesis_ids), key=str):
        raise ValueError(
            f"provider {provider.id()!r} answered probe {probe_id!r} with "
            f"{len(unknown)} unknown hypotheses: {unknown[:10]}"
        )
    return {hypothesis_id for hypothesis_id, is_gone in mask.items() if is_gone}


class BeliefState:
    """The hypotheses of a provider, of which answers to its probes eliminate some for good.

    The ids are read once, when the state is made. It keeps no log and takes no locks: one thread
    at a time.
    """

    def __init__(self, provider: HypothesisProvider) -> None:
        self._provider = provider
        self._hypothesis_ids = frozenset(provider.hypothesis_ids())
        self._survivors = set(self._hypothesis_ids)

    @property
    def survivors(self) -> set[str]:
        """A copy, the caller's to change."""
        return set(self._survivors)

    def apply_probe(self, probe_id: str, response: Any) -> set[str]:
        """Eliminate what the provider says that the response rules out; answer what is newly gone.

        The same again eliminates nothing. If the provider names a hypothesis that it did not have,
        nothing is applied: `ValueError`.
        """
        gone = ruled_out(self._provider, probe_id, response, self._hypothesis_ids)
        gone &= self._survivors
        self._survivors -= gone
        return gone

    def remaining_mass(self) -> float:
        """The part of the hypotheses that survives; 0 if there were none."""
        return len(self._survivors) / len(self._hypothesis_ids) if self._hypothesis_ids else 0.0

    def remaining_entropy(self) -> float:
        """log2 of the number of survivors; 0 for none or one."""
        return math.log2(len(self._survivors)) if len(self._survivors) > 1 else 0.0

    def is_singleton(self) -> bool:
        return len(self._survivors) == 1

    def is_empty(self) -> bool:
        return not self._survivors

    def active_map(self) -> dict[str, bool]:
        """Of every hypothesis, whether it survives."""
        return {
            hypothesis_id: hypothesis_id in self._survivors
            for hypothesis_id in self._hypothesis_ids
        }
