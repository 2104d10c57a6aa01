"""Reading kits: small YAML files that are checked when they are loaded, with errors for people."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

from cmbs.kernel.canonical import encoded, quoted

_MAX_BYTES = 256 * 1024
_MAX_TEXT = 4096
_MAX_DEPTH = 16
# The protocol's limit for an id.
_MAX_ID_BYTES = 512


class Members:
    """A mapping in a kit. Whatever is asked for and is not there in that form is a ValueError
    that begins with where: the file, and the action.
    """

    def __init__(self, where: str, value: object) -> None:
        self.where = where
        if not isinstance(value, dict):
            raise self.fault(f"must be a mapping and is {_kind(value)}")
        for key in value:
            if isinstance(key, bool):
                raise self.fault(
                    'has a bare yes or no as a key, which YAML reads as a boolean; quote it: "yes"'
                )
            if not isinstance(key, str):
                raise self.fault(f"has the key {key!r}, which is {_kind(key)}; quote it")
        self._value: dict[str, Any] = value

    def fault(self, problem: str) -> ValueError:
        return ValueError(f"{self.where}: {problem}")

    def only(self, names: Iterable[str], what: str) -> None:
        """Each of these must be there, and nothing else."""
        if missing := [name for name in names if name not in self._value]:
            raise self.fault(f"the {what} {missing[0]!r} is missing")
        if unknown := self._value.keys() - set(names):
            raise self.fault(f"there is no {what} {min(unknown)!r}")

    def text(self, name: str) -> str:
        return self._text(self._get(name), name)

    def identifier(self, name: str) -> str:
        return self._identifier(self._get(name), name)

    def identifiers(self, name: str) -> list[str]:
        """A list of at least one id, each there once."""
        found = self._identifiers(name)
        if not found:
            raise self.fault(f"{name} is empty; it needs at least one entry")
        return found

    def hypotheses(self, name: str, known: frozenset[str]) -> frozenset[str]:
        """A list, empty perhaps, of hypotheses of the kit."""
        found = self._identifiers(name)
        if unknown := [one for one in found if one not in known]:
            raise self.fault(f"{name} names {unknown[0]!r}, which is no hypothesis of the kit")
        return frozenset(found)

    def members(self, name: str) -> "Members":
        return Members(f"{self.where}, {name}", self._get(name))

    def actions(self) -> Iterator[tuple[str, "Members"]]:
        """The actions with their ids, each of which is there once."""
        entries = self._list("actions")
        if not entries:
            raise self.fault("actions is empty; it needs at least one entry")
        seen: set[str] = set()
        for position, entry in enumerate(entries, 1):
            members = Members(f"{self.where}, entry {position} of actions", entry)
            action_id = members.identifier("id")
            if action_id in seen:
                raise self.fault(f"action {action_id!r} is there twice")
            seen.add(action_id)
            members.where = f"{self.where}, action {action_id!r}"
            yield action_id, members

    def check_observation(self, action_id: str, outcome: str) -> None:
        """What is observed is named after both, so both together must make an id."""
        self._identifier(f"{action_id}:{outcome}", "the id with its outcome")

    def _get(self, name: str) -> object:
        if name not in self._value:
            raise self.fault(f"{name!r} is missing")
        return self._value[name]

    def _list(self, name: str) -> list[object]:
        value = self._get(name)
        if not isinstance(value, list):
            raise self.fault(f"{name} must be a list and is {_kind(value)}")
        return value

    def _identifiers(self, name: str) -> list[str]:
        found: dict[str, None] = {}
        for entry in self._list(name):
            identifier = self._identifier(entry, f"an entry of {name}")
            if identifier in found:
                raise self.fault(f"{name} names {identifier!r} twice")
            found[identifier] = None
        return list(found)

    def _identifier(self, value: object, name: str) -> str:
        text = self._text(value, name)
        if len(encoded(text)) > _MAX_ID_BYTES:
            raise self.fault(f"{name} is longer than {_MAX_ID_BYTES} bytes")
        return text

    def _text(self, value: object, name: str) -> str:
        if not isinstance(value, str):
            raise self.fault(f"{name} must be text and is {_kind(value)}; put it in quotes")
        if not value:
            raise self.fault(f"{name} is empty")
        try:
            encoded(quoted(value))
        except ValueError as error:
            raise self.fault(f"{name}: {error}") from None
        return value


def builtin(name: str, family: str) -> Members:
    """A kit of this package, of the family that its name begins with."""
    kits = {kit.stem: kit for kit in (Path(__file__).parent / "kits").iterdir()}
    names = sorted(kit for kit in kits if kit.startswith(family))
    if name not in names:
        raise ValueError(f"there is no kit {name!r}; there are {', '.join(names)}")
    return read(kits[name])


def read(source: Path) -> Members:
    """The members of a kit's file; one that cannot be opened is an OSError."""
    # Only here: whoever makes kits in Python needs no YAML.
    import yaml

    with source.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    try:
        if len(data) > _MAX_BYTES:
            raise ValueError(f"a kit may have up to {_MAX_BYTES // 1024} KiB")
        text = data.decode()
        _check_plain(text)
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ValueError(f"{source.name}: {shorten(str(error), 300)}") from None
    return Members(source.name, value)


def _check_plain(text: str) -> None:
    """Refuse what YAML can do and a kit has no use for: aliases, which a small file can grow
    without bound by, tags, depth, endless texts; and keys of which only the last would count.
    """
    import yaml

    # Of the mappings and lists that are open: the keys so far, and whether a key comes next.
    stack: list[tuple[set[str] | None, bool]] = []
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = f"line {event.start_mark.line + 1}: " if event.start_mark else ""
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(f"{line}a kit has no aliases (*{event.anchor}); write the value out")
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        if not isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            continue
        if event.tag is not None:
            raise ValueError(f"{line}a kit has no tags ({event.tag}); put texts in quotes")
        keys, is_key = stack.pop() if stack else (None, False)
        if isinstance(event, yaml.ScalarEvent):
            if len(event.value) > _MAX_TEXT:
                raise ValueError(f"{line}a text may have up to {_MAX_TEXT} characters")
            if keys is not None and is_key:
                if event.value in keys:
                    raise ValueError(f"{line}the key {event.value!r} is there twice")
                keys.add(event.value)
        stack.append((keys, not is_key))
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append((set() if isinstance(event, yaml.MappingStartEvent) else None, True))
        if len(stack) > _MAX_DEPTH:
            raise ValueError(f"{line}a kit is at most {_MAX_DEPTH} levels deep")


def _kind(value: object) -> str:
    return "nothing" if value is None else f"of type {type(value).__name__}"
