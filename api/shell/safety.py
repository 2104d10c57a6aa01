"""Headers of every answer: a browser shows it to nobody else, keeps nothing and runs nothing."""

from collections.abc import Iterable

from cmbs.api.shell.answer import Headers

_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_TLS = (b"strict-transport-security", b"max-age=31536000")


def safe(headers: Iterable[tuple[bytes, bytes]], scheme: str) -> Headers:
    """The headers of an answer and those; a page may come with a policy of its own."""
    found = [*headers, *_ALWAYS]
    if not any(name == b"content-security-policy" for name, _ in found):
        found.append(_POLICY)
    if scheme == "https":
        found.append(_TLS)
    return found
