"""The HTTP client: `Client`, and `AsyncClient` for asyncio.

Its methods are called like those of `cmbs.belief_server.BeliefServer`, take the same and answer the
same, so that a program runs on either; `minimal=` is theirs alone. What the server refuses arrives
as the class of `cmbs.errors` that callers in SQL get.
"""

from cmbs.client.aio import AsyncClient
from cmbs.client.chain import ChainBroken
from cmbs.client.found import (
    Alive,
    Conclusion,
    EliminatedBy,
    FirstBad,
    Obligation,
    Ready,
    RegisteredSpace,
    Space,
    Verified,
    Why,
)
from cmbs.client.looking_back import Diff, Explained, WhatIf
from cmbs.client.sync import Client

__all__ = [
    "Alive",
    "AsyncClient",
    "ChainBroken",
    "Client",
    "Conclusion",
    "Diff",
    "EliminatedBy",
    "Explained",
    "FirstBad",
    "Obligation",
    "Ready",
    "RegisteredSpace",
    "Space",
    "Verified",
    "WhatIf",
    "Why",
]
