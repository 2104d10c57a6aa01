"""What hatchling runs when it builds the wheel, which carries the verifier as one file, too."""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class OneFileVerifier(BuildHookInterface[Any]):
    """Builds `cmbs/_verify.py`, which whoever has nothing but the wheel can take out of it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        build = runpy.run_path(str(Path(self.root, "cmbs", "verify", "build.py")))
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name, "verify.py")
        path.write_text(build["one_file"](), encoding="utf-8", newline="\n")
        build_data["force_include"][str(path)] = "cmbs/_verify.py"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._folder.cleanup()
