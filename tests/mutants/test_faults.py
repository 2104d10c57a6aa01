"""Faults do not rot: each still has its place in the source, and its tests are still there."""

from collections import Counter

import pytest

from tests.mutants.fault import BANNED, is_there, planted
from tests.mutants.faults import FAULTS
from tests.mutants.run import Ran, judged
from tests.support.servers import ROOT


def test_there_are_enough_of_either_language() -> None:
    suffixes = Counter(fault.path.rpartition(".")[2] for fault in FAULTS)
    assert suffixes["sql"] >= 45
    assert suffixes["py"] >= 20
    assert len(FAULTS) >= 68


def test_names_are_unique() -> None:
    assert [name for name, n in Counter(fault.name for fault in FAULTS).items() if n > 1] == []


def test_a_fault_has_its_place_and_its_tests(subtests: pytest.Subtests) -> None:
    for fault in FAULTS:
        with subtests.test(fault.name):
            text = (ROOT / fault.path).read_text()
            assert text.count(fault.old) == 1
            assert planted(fault, text) not in (None, text)
            assert fault.tests
            assert [target for target in fault.tests if not is_there(target, ROOT)] == []
            assert not [target for target in fault.tests if target.startswith(BANNED)]


FAILED = "FAILED tests/x.py::test_y - assert 1 == 2\n"
NOT_DEPLOYED = (
    "tests/conftest.py:90: in _load\n    migrate(...)\nERROR tests/x.py::test_y - Failed\n"
)
NO_COLUMN = f"E   psycopg.errors.UndefinedColumn: column s.x does not exist\n{FAILED}"


@pytest.mark.parametrize(
    ("ran", "verdict"),
    [
        (Ran(0, "3 passed"), "SURVIVED"),
        (Ran(1, FAILED), "caught"),
        (Ran(None, ""), "caught"),
        (Ran(1, "ERROR tests/x.py::test_y - RuntimeError\n"), "caught"),
        (Ran(1, "ERROR tests/x.py - SyntaxError\n"), "BAD FAULT"),
        (Ran(1, NOT_DEPLOYED), "BAD FAULT"),
        (Ran(1, NO_COLUMN), "BAD FAULT"),
        (Ran(2, FAILED), "BAD FAULT"),
        (Ran(4, "ERROR: not found: tests/x.py::test_z\n"), "BAD FAULT"),
        (Ran(5, "no tests ran"), "BAD FAULT"),
    ],
)
def test_what_pytest_says_is_judged(ran: Ran, verdict: str) -> None:
    assert judged(ran, 1.0).verdict == verdict
