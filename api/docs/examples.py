"""The examples of the documentation; `python -m tests.support.examples` records them."""

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "examples.json"
_RECORDED: dict[str, Any] = json.loads(FILE.read_text())

REQUESTS: dict[str, Any] = _RECORDED["requests"]
ANSWERS: dict[str, Any] = _RECORDED["answers"]
ERRORS: dict[str, Any] = _RECORDED["errors"]
LINES: str = _RECORDED["lines"]
METRICS: str = _RECORDED["metrics"]
