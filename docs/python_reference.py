"""The reference page of the library, from the signatures and docstrings of what is public."""

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType

_HEAD = """
# The Python library

Every public name, by module. What the verbs mean is in [BELIEF_PROTOCOL.md](../BELIEF_PROTOCOL.md),
how to use them in [library.md](library.md) and [client.md](client.md). `from cmbs import ...` has
%s.
"""
MODULES = (
    "cmbs.core",
    "cmbs.belief_server",
    "cmbs.answers",
    "cmbs.audit_log",
    "cmbs.belief_state",
    "cmbs.spi",
    "cmbs.stores",
    "cmbs.client",
    "cmbs.errors",
    "cmbs.adapters",
    "cmbs.adapters.types",
    "cmbs.adapters.twenty_questions",
    "cmbs.adapters.itbench",
    "cmbs.adapters.legacy",
)


def page() -> str:
    names = ", ".join(f"`{name}`" for name in sorted(importlib.import_module("cmbs").__all__))
    told: set[object] = set()
    parts = [_HEAD.strip() % names]
    for name in MODULES:
        parts += _module(importlib.import_module(name), told)
    return "\n\n".join(parts) + "\n"


def _module(module: ModuleType, told: set[object]) -> Iterator[str]:
    yield f"## {module.__name__}"
    yield inspect.getdoc(module) or ""
    for name in _public(module):
        it = getattr(module, name)
        if not callable(it):
            continue
        if it in told:
            yield f"`{name}`: see above."
        elif inspect.isclass(it):
            told.add(it)
            yield from _class(name, it)
        else:
            told.add(it)
            yield from _function(name, it, "###")


def _public(module: ModuleType) -> list[str]:
    """What it exports, or what it defines itself."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    defined = vars(module).items()
    here = [name for name, it in defined if getattr(it, "__module__", "") == module.__name__]
    return [name for name in here if not name.startswith("_")]


def _class(name: str, kind: type) -> Iterator[str]:
    yield f"### {name}"
    yield f"```text\n{_signature(name, kind)}\n```"
    if (text := inspect.getdoc(kind)) and not _is_generated(kind, text):
        yield text
    for own, it in _members(kind):
        if isinstance(it, property):
            yield f"* `{own}` (property): {_sentence(it)}"
        else:
            yield from _function(f"{name}.{own}", it, "####")


def _members(kind: type) -> Iterator[tuple[str, object]]:
    for own, it in vars(kind).items():
        wrapped = it.__func__ if isinstance(it, classmethod | staticmethod) else it
        if not own.startswith("_") and (
            isinstance(wrapped, property) or inspect.isfunction(wrapped)
        ):
            yield own, wrapped


def _is_generated(kind: type, text: str) -> bool:
    return dataclasses.is_dataclass(kind) and text.startswith(f"{kind.__name__}(")


def _sentence(it: object) -> str:
    return " ".join((inspect.getdoc(it) or "see the protocol.").split())


def _function(name: str, it: object, level: str) -> Iterator[str]:
    yield f"{level} {name}"
    yield f"```text\n{_signature(name.split('.')[-1], it)}\n```"
    if text := inspect.getdoc(it):
        yield text


def _signature(name: str, it: object) -> str:
    """One parameter a line if they do not fit into one."""
    try:
        found = inspect.signature(it)  # type: ignore[arg-type]
    except ValueError:
        return name
    shown = f"{name}{found}".replace("'", "")
    if len(shown) <= 100:
        return shown
    parameters = ",\n    ".join(str(one).replace("'", "") for one in found.parameters.values())
    answer = (
        "" if found.return_annotation is inspect.Signature.empty else shown.rpartition(" -> ")[2]
    )
    return f"{name}(\n    {parameters}\n)" + (f" -> {answer}" if answer else "")
