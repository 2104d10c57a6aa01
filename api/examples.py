"""The examples of the documentation, recorded from a server by `python -m tests.examples`."""

import json
from pathlib import Path
from typing import Any

_RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("examples.json").read_text())

REQUESTS: dict[str, Any] = _RECORDED["requests"]
ANSWERS: dict[str, Any] = _RECORDED["answers"]
ERRORS: dict[str, Any] = _RECORDED["errors"]
LINES: str = _RECORDED["lines"]
METRICS: str = _RECORDED["metrics"]
