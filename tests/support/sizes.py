"""How far a search goes: some way with every push, the whole way at night."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

IS_NIGHTLY = os.environ.get("CMBS_TEST_SIZE") == "nightly"


def size(push: int, nightly: int) -> int:
    """How many examples, kills or clients."""
    return nightly if IS_NIGHTLY else push


def sampled(cases: Iterable[Any], share: int = 2) -> list[Any]:
    """For a test that takes each of many cases: one of so many with every push, all at night."""
    return [
        pytest.param(
            *(one if type(one) is tuple else [one]),
            marks=pytest.mark.nightly if no % share else (),
        )
        for no, one in enumerate(cases)
    ]
