"""What operations share: written once among the components of the document, meant by reference."""

from typing import Any

Object = dict[str, Any]
_COMPONENTS = "#/components"
_HEADERS: dict[str, Object] = {
    "ETag": {"description": "The head of the session.", "schema": {"type": "string"}},
    "Location": {"description": "Where it is.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}


class Components:
    """What is shared, by its kind and its name."""

    def __init__(self) -> None:
        self._shared: dict[str, Object] = {}

    def refer(self, kind: str, name: str, thing: Object) -> Object:
        known = self._shared.setdefault(kind, {}).setdefault(name, thing)
        # Whoever means the second of two things would be told the first.
        assert known == thing, f"{kind}/{name}"
        return {"$ref": f"{_COMPONENTS}/{kind}/{name}"}

    def header(self, name: str) -> Object:
        return {name: self.refer("headers", name, _HEADERS[name])}

    def example(self, name: str, value: object) -> Object:
        return self.refer("examples", name, {"value": value})

    def in_order(self) -> Object:
        """All of them, in an order that no order of routes changes."""
        return {kind: dict(sorted(named.items())) for kind, named in self._shared.items()}


def resolved(document: Object, thing: Object) -> Object:
    """What a reference means."""
    while "$ref" in thing:
        target: Any = document
        for step in thing["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        thing = target
    return thing


def inlined(document: Object) -> Object:
    """The document with nothing by reference but schemas, for these may hold themselves."""
    return document | {"paths": _inlined(document, document["paths"])}


def _inlined(document: Object, node: Any) -> Any:
    if isinstance(node, list):
        return [_inlined(document, item) for item in node]
    if not isinstance(node, dict):
        return node
    reference = str(node.get("$ref", f"{_COMPONENTS}/schemas/"))
    if reference.startswith(f"{_COMPONENTS}/examples/"):
        # What an example holds is no part of the document, whatever it looks like.
        return resolved(document, node)
    if not reference.startswith(f"{_COMPONENTS}/schemas/"):
        return _inlined(document, resolved(document, node))
    return {name: _inlined(document, member) for name, member in node.items()}


def example_of(content: Object) -> Any:
    """The one example of a body or an answer, in a document that is inlined."""
    (example,) = content["examples"].values()
    return example["value"]
