"""Texts that mean something to SQL, and ways to find a text again."""

import json
from collections.abc import Iterator
from typing import Any

from tests.support.sizes import size

# Of the texts below every place gets each eighth with a push, the next place the next ones.
N_SHARES = size(8, 1)
TEXTS = [
    *("'", "''", '"', "`", "\\", "\\'", "'--", "' or '1'='1", "') or ('1'='1", "1 or 1=1"),
    "'; drop table cmbs_store.session cascade; --",
    "'); delete from cmbs_store.tombstone; --",
    "x'; select pg_sleep(1000); --",
    "' union select credential_hash::text from cmbs_store.api_token --",
    "'||(select record from cmbs_store.audit_event limit 1)||'",
    "/* x */ -- y",
    "/*",
    "*/",
    "$$",
    "$$; drop schema cmbs cascade; $$",
    "$body$ x $body$",
    *("$1", ":1", "?", ":name", "@x", "#x", "%s", "%I", "%L", "%1$s", "%%", "%", "%(x)s", "{}"),
    "{0}",
    '{NULL,"a"}',
    "{{a},{b}}",
    "[0:1]={a,b}",
    "(a,b)",
    '("",)',
    "NULL",
    "null",
    "E'\\x27'",
    "U&'\\0027'",
    "\\x2728",
    "\\u0027",
    "&#39;",
    "\u2019 or 1=1",
    "\u02bc or 1=1",
    "\uff07 or 1=1",
    "\u00bf\u0027",
    "$.a ? (@ > 1)",
    "strict $.**",
    "a->>'b'",
    '{"a": 1}',
    "[1]",
    *(".*", "^(a+)+$", "(?i)x", "[", "(", "\\d", "\\1", "_", "%_%", "***:x"),
    "1e400",
    "-1",
    "0x27",
    "infinity",
    "now()",
    "cmbs_store.session",
    "pg_catalog.pg_sleep(9)",
    "a\nb",
    "\t",
    "\u202e\u2028\ufeff",
]


def share(texts: list[str], no: int, n_shares: int) -> list[str]:
    """One of so many parts, which together are all."""
    return texts[no % n_shares :: n_shares]


def leaves(value: Any) -> Iterator[str]:
    """Every text in a value, members' names too, and those in texts that are JSON themselves."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(name)
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, str):
        yield value
        if value[:1] in ("{", "["):
            try:
                inner = json.loads(value)
            except ValueError:
                return
            yield from leaves(inner)
