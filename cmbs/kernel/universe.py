"""The set a session starts from, and the hash of any part of it."""

from collections.abc import Iterable
from hashlib import sha256
from itertools import compress

from cmbs.kernel.canonical import canonical

_AS_NUMBERS = bytes.maketrans(b"01", b"\0\1")


class Universe:
    """Sorted ids, each once; an id's rank is its bit in every mask. Never changed."""

    def __init__(self, hypothesis_ids: Iterable[str]) -> None:
        # Python orders text by code point, which is the order of its bytes in UTF-8.
        self.ids = sorted(set(hypothesis_ids))
        self._ranks = {one: rank for rank, one in enumerate(self.ids)}
        self._digest = sha256(canonical(self.ids).encode()).digest()

    def __contains__(self, hypothesis_id: object) -> bool:
        return hypothesis_id in self._ranks

    @property
    def digest(self) -> str:
        return self._digest.hex()

    @property
    def no_mask(self) -> bytes:
        return bytes((len(self.ids) + 7) // 8)

    @property
    def full_mask(self) -> bytes:
        return ((1 << len(self.ids)) - 1).to_bytes((len(self.ids) + 7) // 8, "little")

    def survives(self, mask: bytes, hypothesis_id: str) -> bool:
        rank = self._ranks.get(hypothesis_id)
        return rank is not None and bool(mask[rank >> 3] >> (rank & 7) & 1)

    def without(self, mask: bytes, eliminated: Iterable[str]) -> bytes:
        """The mask with the bits of these ids cleared: a copy of n / 8 bytes, and k changes."""
        changed = bytearray(mask)
        for one in eliminated:
            rank = self._ranks[one]
            changed[rank >> 3] &= ~(1 << (rank & 7))
        return bytes(changed)

    def members(self, mask: bytes) -> list[str]:
        """The sorted ids whose bits are set."""
        bits = f"{int.from_bytes(mask, 'little'):b}"[::-1].encode()
        return [*compress(self.ids, bits.translate(_AS_NUMBERS))]

    def survivors_hash(self, mask: bytes) -> str:
        return sha256(self._digest + mask).hexdigest()
