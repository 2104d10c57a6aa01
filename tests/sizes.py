"""How far a search goes: some way with every push, the whole way at night."""

import os

IS_NIGHTLY = os.environ.get("CMBS_TEST_SIZE") == "nightly"


def size(push: int, nightly: int) -> int:
    """How many examples, kills or clients."""
    return nightly if IS_NIGHTLY else push
