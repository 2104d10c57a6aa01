"""The Python of docs/writing-an-adapter.md runs as it stands, in order."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ROOT
from tests.web import Client

PAGE = ROOT / "docs" / "writing-an-adapter.md"


def test_the_blocks_of_the_page_run_in_order(
    web: Client, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    found: dict[str, Any] = {"URL": str(web.base_url), "ADDRESS": database}
    for block in re.finditer(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        # As many lines before it as on the page, so that an error names the line there.
        before = "\n" * page.count("\n", 0, block.start(1))
        exec(compile(before + block[1], str(PAGE), "exec"), found)
    assert found["legacy"].core.survivors == {"bad_deploy", "dns"}, "the last block was run"
