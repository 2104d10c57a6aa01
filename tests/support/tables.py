"""The tables as the golden dump has them: nobody tells the tests of a new one."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

_DUMP = (Path(__file__).parents[1] / "golden" / "schema.sql").read_text()
_KIND = re.compile(r"^COMMENT ON TABLE cmbs_store\.(\w+) IS '(\w+): ", re.MULTILINE)
_UPDATED = re.compile(r"^GRANT UPDATE\(\w+\) ON TABLE cmbs_store\.(\w+) ", re.MULTILINE)
_REFERRED = re.compile(
    r"^ALTER TABLE ONLY cmbs_store\.(\w+)\n"
    r" +ADD CONSTRAINT \w+ FOREIGN KEY \([^)]*\) REFERENCES cmbs_store\.(\w+)\(",
    re.MULTILINE,
)
# Where the migrations stand, and where the clock does: no record of anything.
NO_RECORDS = {"revision", "clock_mark"}
_KINDS = {table: kind for table, kind in _KIND.findall(_DUMP) if table not in NO_RECORDS}


def _in_order() -> list[str]:
    """What is referred to comes first."""
    referred: dict[str, list[str]] = {table: [] for table in sorted(_KINDS)}
    for table, other in _REFERRED.findall(_DUMP):
        referred[table].append(other)
    return list(TopologicalSorter(referred).static_order())


TABLES = _in_order()
# Rows that hold a state, which the kernel may update.
STATE_TABLES = set(_UPDATED.findall(_DUMP)) - NO_RECORDS


def of_kind(kind: str) -> list[str]:
    return [table for table in TABLES if _KINDS[table] == kind]
