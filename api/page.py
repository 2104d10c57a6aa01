"""The documentation page: one HTML text without anything from elsewhere."""

import html
from typing import Any

HEADERS = [(b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'")]


def render(document: dict[str, Any]) -> bytes:
    rows = "".join(
        f"<li><code>{method.upper()} {html.escape(path)}</code> {html.escape(told['summary'])}</li>"
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    )
    return f"<!doctype html><title>CMBS</title><h1>CMBS</h1><ul>{rows}</ul>".encode()
