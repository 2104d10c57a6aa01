"""The parser of the commands: what is mistyped is answered with what is near it."""

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn


class Help(argparse.HelpFormatter):
    """What is said of exit statuses, and an example, have lines of their own."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = re.split(r" (?=exit status: |example: )", text)
        return "\n\n".join(super(Help, self)._fill_text(part, width, indent) for part in parts)


class Parser(argparse.ArgumentParser):
    """Names what was probably meant, of commands, actions, choices and options."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", Help)
        # Half an option may be another one tomorrow, and a script would not notice.
        super().__init__(allow_abbrev=False, **settings)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        found, rest = super().parse_known_args(args, namespace)
        # Told by whoever knows the options there are.
        if rest:
            self._refuse_rest(rest)
        return found, rest

    def _refuse_rest(self, rest: Sequence[str]) -> NoReturn:
        first = rest[0].partition("=")[0]
        near = nearest(first, self._option_string_actions) if first.startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(rest)}{near}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            near = nearest(str(value), choices) or self.elsewhere(str(value))
            said = near or f"; choose from {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"there is no {value!r}{said}")

    def elsewhere(self, given: str) -> str:
        """The same where a word is unknown here, and known elsewhere."""
        return ""


def nearest(given: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is not there: what was probably meant."""
    names = [*known]
    begun = [name for name in names if len(given) > 1 and name.startswith(given)]
    return meant(begun[:2] or difflib.get_close_matches(given, names, n=1, cutoff=0.65))


def meant(names: list[str]) -> str:
    return f"; did you mean {' or '.join(names)}?" if names else ""
