"""The OpenAPI document as YAML, in few lines."""

from typing import Any

import yaml

_WIDTH = 100
_NEVER = float("inf")


def as_yaml(document: dict[str, Any]) -> bytes:
    text = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text.encode()


class _Dumper(yaml.SafeDumper):
    """For readers: nothing is an alias, and a text of several lines looks like one."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def serialize(self, node: yaml.Node) -> None:
        _lay_out(node)
        super().serialize(node)


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _as_block)


def _lay_out(
    node: yaml.Node, *, indent: int = 0, start: int = 0, key: str = "", around: str = ""
) -> float:
    """Give each part of a node lines of its own, or none; how long it is in one line.

    One line is enough for what fits into it from where it starts. What runs on over lines, as a
    text does, is a list of words, a member of a schema, and an example, which is read elsewhere.
    """
    if isinstance(node, yaml.ScalarNode):
        return _NEVER if node.style == "|" else len(node.value) + 2
    assert isinstance(node, yaml.CollectionNode)
    length, is_plain = 0.0, True
    for part in node.value:
        name, value = part if isinstance(node, yaml.MappingNode) else (None, part)
        own = name.value if name else ""
        head = len(own) + len("'': ")
        length += head
        length += _lay_out(value, indent=indent + 2, start=indent + head, key=own, around=key)
        is_plain &= isinstance(value, yaml.ScalarNode) and value.style != "|"
    runs_on = is_plain or key == "value" or around == "properties"
    node.flow_style = runs_on or start + length <= _WIDTH
    return length
