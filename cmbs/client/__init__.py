"""The HTTP client: `Client`, and `AsyncClient` for asyncio.

Its methods are called like those of `cmbs.belief_server.BeliefServer`, take the same and answer the
same, so that a program runs on either; `minimal=` is theirs alone. What the server refuses arrives
as the class of `cmbs.errors` that callers in SQL get.
"""

from cmbs.client.aio import AsyncClient
from cmbs.client.chain import ChainBroken
from cmbs.client.found import (
    Alive,
    Caller,
    ChangedPrincipal,
    Conclusion,
    EliminatedBy,
    FirstBad,
    IdentityEvent,
    NewToken,
    Obligation,
    Principal,
    Ready,
    RegisteredSpace,
    RevokedToken,
    RotatedToken,
    Space,
    Token,
    Verified,
    VerifiedIdentities,
    VerifiedIdentity,
    Why,
)
from cmbs.client.looking_back import Diff, Explained, WhatIf
from cmbs.client.sync import Client

__all__ = [
    "Alive",
    "AsyncClient",
    "Caller",
    "ChainBroken",
    "ChangedPrincipal",
    "Client",
    "Conclusion",
    "Diff",
    "EliminatedBy",
    "Explained",
    "FirstBad",
    "IdentityEvent",
    "NewToken",
    "Obligation",
    "Principal",
    "Ready",
    "RegisteredSpace",
    "RevokedToken",
    "RotatedToken",
    "Space",
    "Token",
    "Verified",
    "VerifiedIdentities",
    "VerifiedIdentity",
    "WhatIf",
    "Why",
]
