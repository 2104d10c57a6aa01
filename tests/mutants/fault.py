"""What a fault is: one text of one file, what stands there instead, and the tests that notice."""

import re
from pathlib import Path
from typing import NamedTuple

# What compares the text of the source, or a digest of it, would catch every edit.
BANNED = (
    "tests/golden",
    "tests/mutants",
    "tests/schema",
    "tests/deploy/test_doctor.py",
    "tests/house/test_imports.py",
    "tests/deploy/test_packaging.py",
)


class Fault(NamedTuple):
    name: str
    subject: str
    kind: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


def planted(fault: Fault, text: str) -> str | None:
    """The file with the fault in it; None where there is no one place for it."""
    return text.replace(fault.old, fault.new) if text.count(fault.old) == 1 else None


def is_there(target: str, root: Path) -> bool:
    """Whether a checkout has a test: the file, and in it the function that is named."""
    file, _, test = target.partition("::")
    if not (root / file).is_file():
        return False
    name = re.escape(test.partition("[")[0].rpartition("::")[2])
    pattern = rf"^ *(?:async )?def {name}\("
    return not test or re.search(pattern, (root / file).read_text(), re.MULTILINE) is not None
