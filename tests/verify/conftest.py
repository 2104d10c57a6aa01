"""What the tests of the offline verifier share."""

from pathlib import Path

import pytest

from cmbs.verify.build import one_file


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one file that is shipped."""
    path = tmp_path_factory.mktemp("verifier") / "verify.py"
    path.write_text(one_file(), encoding="utf-8")
    return path
