"""docs/security.md names tests that are there, and all that try what is harmless."""

import inspect
import re
from pathlib import Path

from tests.attacks import test_harmless
from tests.attacks.detected import BY_CREATEROLE, DETECTED
from tests.attacks.refused import REFUSED

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text()


def rows_under(heading: str) -> list[str]:
    """The rows of the table under a heading, without its head."""
    _, _, rest = PAGE.partition(f"\n## {heading}\n")
    assert rest, heading
    section, _, _ = rest.partition("\n## ")
    return [line for line in section.splitlines() if line.startswith("|")][2:]


def test_what_everybody_may_do() -> None:
    tried = {
        name for name, _ in inspect.getmembers(test_harmless, inspect.isfunction)
        if name.startswith("test_")
    }  # fmt: skip
    rows = rows_under("What everybody may do")
    assert {re.findall(r"`(test_\w+)`", row)[-1] for row in rows} == tried


def test_every_threat_names_tests_that_are_there() -> None:
    rows = rows_under("Threats")
    named = [name for row in rows for name in re.findall(r"`(tests/[\w/.]+)`", row)]
    assert len(named) >= len(rows) > 10
    assert all((ROOT / name).exists() for name in named)


def test_keys_are_told_apart() -> None:
    keys = [attack.key for attack in (*REFUSED, *DETECTED, *BY_CREATEROLE)]
    assert len(keys) == len(set(keys))
