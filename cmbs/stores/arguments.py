"""What every store of eliminations asks of its arguments, before it looks at a session."""

from collections.abc import Iterable

from cmbs.spi.elimination_store import EliminationProvenance


def checked_id(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {type(value).__name__}")
    return value


def checked_ids(name: str, values: object) -> frozenset[str]:
    # Text is an iterable of texts, too: of its letters, which nobody means.
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(
            f"{name} must be several ids, as a set or a list of text; not {type(values).__name__}"
        )
    given = list(values)
    for value in given:
        if not isinstance(value, str):
            raise ValueError(f"every id of {name} must be text, not {type(value).__name__}")
    return frozenset(given)


def checked_provenance(value: object) -> EliminationProvenance:
    if not isinstance(value, EliminationProvenance):
        raise ValueError(f"provenance must be an EliminationProvenance, not {type(value).__name__}")
    checked_id("source_id", value.source_id)
    checked_id("trigger", value.trigger)
    return value
