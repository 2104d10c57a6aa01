"""API tokens: random text that its holder keeps, and the digest of it that a verb takes."""

import hashlib
import secrets
from typing import NamedTuple

# So much of a token may be shown: enough to tell it from others, and 208 random bits remain.
_SHOWN = len("cmbs_") + 8


class Token(NamedTuple):
    """A new token: its text is shown to its holder once, and known to nobody else."""

    text: str
    digest: bytes
    prefix: str


def new() -> Token:
    text = "cmbs_" + secrets.token_urlsafe(32)
    return Token(text, digest(text), text[:_SHOWN])


def digest(text: str) -> bytes:
    """What a verb takes as p_credential."""
    return hashlib.sha256(text.encode()).digest()
