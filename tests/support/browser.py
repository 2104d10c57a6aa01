"""Chromium for tests: messages of JSON, each with a NUL at its end, on its descriptors 3 and 4."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import until

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    "--remote-debugging-pipe",
    # Nothing but this machine can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# Whatever a page complains about: its policy, its script, what it could not load.
COMPLAINTS = {"Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"}


class Browser:
    """One tab."""

    def __init__(self, told: Any, heard: Any) -> None:
        self._told, self._heard, self._calls = told, heard, 0
        self._session: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")
        attached = self.call("Target.attachToTarget", flatten=True, **target)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._calls += 1
        message = {"id": self._calls, "method": method, "params": parameters, **self._session}
        self._told.write(json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._calls:
            self.events.append(answer)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _next(self) -> Any:
        heard = bytearray()
        while (byte := self._heard.read(1)) != b"\0":
            assert byte, "the browser is gone"
            heard += byte
        return json.loads(heard)

    def open(self, address: str) -> None:
        # From elsewhere, because another hash alone loads nothing.
        for url in ("about:blank", address):
            self.events.clear()
            self.call("Page.navigate", url=url)
            until(lambda: self.ask("document.readyState") == "complete")

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page, waited for if it is a promise."""
        how = {"awaitPromise": True, "returnByValue": True}
        answer = self.call("Runtime.evaluate", expression=expression, **how)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """With the mouse, so that what is covered or out of sight is not clicked."""
        # A link may still have to scroll to its target, which it does with the next frame.
        self.ask("new Promise((of) => requestAnimationFrame(() => requestAnimationFrame(of)))")
        found = f"document.querySelector({json.dumps(selector)})"
        self.ask(f"{found}.scrollIntoView({{block: 'center'}})")
        box = self.ask(f"{found}.getBoundingClientRect().toJSON()")
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        at |= {"button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, **at)

    def write(self, selector: str, text: str) -> None:
        """In place of what a field holds."""
        self.click(selector)
        self.ask("document.activeElement.select()")
        self.call("Input.insertText", text=text)

    def press(self, key: str, code: int, text: str = "") -> None:
        for kind in ({"type": "keyDown", "text": text}, {"type": "keyUp"}):
            self.call("Input.dispatchKeyEvent", key=key, windowsVirtualKeyCode=code, **kind)

    def complaints(self) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events if event["method"] in COMPLAINTS]


@contextmanager
def browsing() -> Iterator[Browser]:
    if not (chromium := shutil.which("chromium")):
        pytest.skip("no chromium on the PATH")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        for pipe in (pipes := (folder / "in", folder / "out")):
            os.mkfifo(pipe)
        piped = ["sh", "-c", 'exec "$@" 3<"$0/in" 4>"$0/out"', str(folder)]
        command = [*piped, chromium, *FLAGS, f"--user-data-dir={folder}/profile"]
        started = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        stack.callback(_end, started)
        told = stack.enter_context(pipes[0].open("wb", buffering=0))
        yield Browser(told, stack.enter_context(pipes[1].open("rb")))


def _end(started: subprocess.Popen[bytes]) -> None:
    """It ends by itself when its pipes close; if it does not, its processes are made to."""
    with suppress(subprocess.TimeoutExpired):
        started.wait(10)
        return
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
