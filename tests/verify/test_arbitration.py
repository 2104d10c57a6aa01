import json
from collections.abc import Iterator
from typing import Any
import psycopg, pytest
from cmbs import verify
from cmbs.calls import call, stream
from tests.verify.arbitrated import Rich

def test_whole(tx):
    rich = Rich(tx)
    for sid in (rich.id, rich.other):
        log = verify.Log()
        try:
            for line in stream(tx, "audit_lines", session_id=sid):
                log.feed(line.encode())
        except verify.Fault as f:
            print(line); raise
    print(rich.at)
    for sid in (rich.id, rich.other):
        print(call(tx, "verify", session_id=sid))
    print(tx.execute("select session_id, kind, content_hash, left(content, 40) from cmbs.arbitration_content").fetchall())
    assert 0
