"""The reference page of the library, from the signatures and docstrings of what is public."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import is_typeddict

from cmbs.errors import Refusal

_HEAD = """
# The Python library

Every public name, by module. What the verbs mean is in [BELIEF_PROTOCOL.md](../BELIEF_PROTOCOL.md),
how to use them in [library.md](library.md) and [client.md](client.md). `from cmbs import ...` has
%s.
"""
_MODULE = re.compile(r"\b(?:cmbs|collections|typing|uuid|types)\.(?:\w+\.)*")
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
    described: set[object] = set()
    parts = [_HEAD.strip() % names]
    for name in MODULES:
        parts += _module(importlib.import_module(name), described)
    return "\n\n".join(parts) + "\n"


def _module(module: ModuleType, described: set[object]) -> Iterator[str]:
    yield f"## {module.__name__}"
    yield inspect.getdoc(module) or ""
    again = []
    for name in _public(module):
        it = getattr(module, name)
        if not _is_described(it):
            continue
        if it in described:
            again.append(f"`{name}`")
            continue
        described.add(it)
        # Nobody makes one: it says what others must have.
        is_protocol = getattr(it, "_is_protocol", False) or it.__init__ is Exception.__init__
        yield f"### {name}" + ("" if is_protocol else f"\n\n`{_signature(name, it)}`")
        text = it.__doc__ or ""
        if text and not text.startswith(f"{name}("):
            yield inspect.cleandoc(text)
        if inspect.isclass(it) and (members := list(_members(it, described))):
            yield "\n".join(members)
    if again:
        yield f"Also here: {', '.join(again)}."


def _public(module: ModuleType) -> list[str]:
    """What it exports, or what it defines itself."""
    if hasattr(module, "__all__"):
        found = {name: getattr(module, name) for name in module.__all__}
        homes = {it.__module__ for it in found.values() if _is_described(it)}
        if len(homes) == 1:
            # What is behind a door has the order of its own module.
            return [name for name in vars(importlib.import_module(homes.pop())) if name in found]
        # The client that waits explains what the other awaits.
        return sorted(module.__all__, key=lambda name: name.startswith("Async"))
    defined = vars(module).items()
    # The base of the errors lies where the kernel needs it.
    homes = {module.__name__, Refusal.__module__}
    here = [name for name, it in defined if getattr(it, "__module__", "") in homes]
    return [name for name in here if not name.startswith("_")]


def _is_described(it: object) -> bool:
    """Classes and functions; a type under another name is no news."""
    return inspect.isclass(it) or inspect.isfunction(it)


def _members(kind: type, described: set[object]) -> Iterator[str]:
    n_known = 0
    for name, member in vars(kind).items():
        it = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if name.startswith("_") or not (isinstance(it, property) or inspect.isfunction(it)):
            continue
        # Both clients' methods are made from one description.
        source = getattr(it, "__wrapped__", it)
        if source in described:
            n_known += 1
            continue
        described.add(source)
        shown = name if isinstance(it, property) else _signature(name, it)
        about = " ".join((inspect.getdoc(it) or "").split())
        yield f"* `{shown}`" + (f": {about}" if about else "")
    if n_known:
        yield f"* {n_known} methods that are described above, to be awaited."


def _signature(name: str, it: Callable[..., object]) -> str:
    if is_typeddict(it):
        keys = it.__annotations__.items()
        return f"{name}({', '.join(f'{key}: {_annotation(kind)}' for key, kind in keys)})"
    found = inspect.signature(it)
    parts: list[str] = []
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        if one.name not in ("self", "cls"):
            parts.append(_parameter(one))
    answer = "" if inspect.isclass(it) else _annotation(found.return_annotation)
    return f"{name}({', '.join(parts)})" + (f" -> {answer}" if answer else "")


def _parameter(one: inspect.Parameter) -> str:
    kind = _annotation(one.annotation)
    name = f"*{one.name}" if one.kind is one.VAR_POSITIONAL else one.name
    shown = f"{name}: {kind}" if kind else name
    return shown if one.default is one.empty else f"{shown} = {one.default!r}"


def _annotation(it: object) -> str:
    """A type by its own name, without that of its module."""
    if it is inspect.Signature.empty:
        return ""
    text = it if isinstance(it, str) else inspect.formatannotation(it)
    return _MODULE.sub("", text).replace("'", "")
