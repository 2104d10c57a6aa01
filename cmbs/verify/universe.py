"""The hypotheses of a session, and masks of those that survive."""

import hashlib
from itertools import pairwise

from cmbs.verify.errors import Unreadable, sentence
from cmbs.verify.shapes import is_ids
from cmbs.verify.text import MOST_LISTED, canonical, parse


class Universe:
    """The hypotheses that a session starts from, as a sorted list or its canonical text."""

    def __init__(self, ids: list[str] | str) -> None:
        try:
            found = parse(ids, MOST_LISTED) if isinstance(ids, str) else ids
            text = canonical(found)
            raw = text.encode()
        except ValueError as error:
            raise Unreadable(f"the hypotheses cannot be read: {sentence(error)}") from None
        # A server inside a process may begin with nothing; what comes in a bundle never did.
        if not is_ids(found) or (isinstance(ids, str) and not found):
            raise Unreadable("the hypotheses are not a list of ids")
        if any(one >= other for one, other in pairwise(found)):
            raise Unreadable("the hypotheses are not sorted, each once")
        if isinstance(ids, str) and ids != text:
            raise Unreadable("the hypotheses are not in canonical text")
        self.ids: list[str] = found
        self.ranks = {hypothesis: rank for rank, hypothesis in enumerate(found)}
        self._digest = hashlib.sha256(raw).digest()
        self.digest = self._digest.hex()

    def full_mask(self) -> bytearray:
        mask = bytearray(b"\xff" * (len(self.ids) // 8))
        return mask + bytes([(1 << len(self.ids) % 8) - 1]) * (len(self.ids) % 8 > 0)

    def hash(self, mask: bytes | bytearray) -> str:
        return hashlib.sha256(self._digest + mask).hexdigest()

    def survivors(self, mask: bytearray) -> list[str]:
        return [one for no, one in enumerate(self.ids) if mask[no >> 3] >> (no & 7) & 1]

    def applied(self, mask: bytearray, ids: list[str], is_strict: bool) -> list[str] | None:
        """What of these ids survives; None if one is unknown and must not be."""
        ranks, applied = self.ranks, set()
        for one in ids:
            rank = ranks.get(one)
            if rank is not None:
                if mask[rank >> 3] >> (rank & 7) & 1:
                    applied.add(one)
            elif is_strict:
                return None
        return sorted(applied)

    def without(self, mask: bytearray, applied: list[str]) -> bytearray:
        mask = mask.copy()
        for one in applied:
            rank = self.ranks[one]
            mask[rank >> 3] &= ~(1 << (rank & 7))
        return mask
