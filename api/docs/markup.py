"""HTML out of texts: what is not markup already is escaped on its way into it."""

import html
import json
import re
from collections.abc import Iterable

_VOID = {"input", "link", "meta"}


class Markup(str):
    """HTML."""


def tag(name: str, /, *inner: str, **attributes: str | bool) -> Markup:
    """An element; an attribute that is False is left out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{html.escape(value)}"')
        for key, value in attributes.items()
        if value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{''.join(map(_escaped, inner))}</{name}>")


def _escaped(text: str) -> str:
    return text if isinstance(text, Markup) else html.escape(text, quote=False)


def inline(text: str = "") -> Markup:
    """A line of Markdown, of which we write nothing but `code`."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", _escaped(text)))


def path(text: str) -> Markup:
    """A path, which may go on in the next line before each of its slashes."""
    return Markup(_escaped(text).replace("/", "<wbr>/"))


def markdown(text: str) -> Markup:
    """Paragraphs and lists, as far as the documents of this server have them."""
    return Markup("".join(map(_block, re.split(r"\n\s*\n", text.strip()))))


def _block(text: str) -> Markup:
    if not text.startswith("* "):
        return tag("p", inline(text))
    items = re.split(r"^\* ", text, flags=re.MULTILINE)[1:]
    return tag("ul", *(tag("li", inline(item.strip())) for item in items))


def table(heads: Iterable[str], rows: Iterable[Markup], kind: str = "") -> Markup:
    titles = tag("tr", *(tag("th", head, scope="col") for head in heads))
    return tag("table", tag("thead", titles), tag("tbody", *rows), class_=kind or False)


def row(head: str, *cells: str) -> Markup:
    return tag("tr", tag("th", head, scope="row"), *(tag("td", cell) for cell in cells))


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
