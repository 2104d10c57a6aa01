"""`cmbs.verify` over an exported log of one session: no database, one core."""

import json
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from bench.harness import Bench, load, spread
from cmbs import verify
from cmbs.database import calls

_EVENTS, _IDS, _BATCH = 200_000, 100, 1000


def run(bench: Bench, rounds: int) -> None:
    print("\nverify of a file")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.ndjson")
        _export(bench, path)
        size = path.stat().st_size
        rates = []
        for number in range(rounds):
            began = time.perf_counter()
            (found,) = verify.check(path)
            rates.append(found.rows_checked / (time.perf_counter() - began))
            assert found.ok
            assert found.rows_checked == _EVENTS
            print(f"round {number + 1}: {load()}")
    print(f"{_EVENTS:,} events, {_IDS} hypotheses, {size / _EVENTS:.0f} bytes an event")
    print(f"thousand events a second on one core  {spread([r / 1000 for r in rates])}   mark: 100")


def _export(bench: Bench, path: Path) -> None:
    bench.create_migrated("offline")
    session_id, ids = uuid4(), [f"hypothesis-{number:03}" for number in range(_IDS)]
    ontology = dict.fromkeys(
        ("hypothesis_space_id", "hypothesis_version", "causal_graph_ref", "causal_graph_version"),
        "bench",
    )
    with bench.connect("offline") as connection:
        calls.call(
            connection,
            "declare_session",
            session_id=session_id,
            ontology=json.dumps(ontology),
            hypotheses=ids,
        )
        for start in range(1, _EVENTS, _BATCH):
            messages = [
                {
                    "source_id": f"tool://probe-{number % 7}",
                    "observation_id": f"observation {number}",
                    "eliminated": [ids[number % (_IDS - 1)]],
                }
                for number in range(start, min(start + _BATCH, _EVENTS))
            ]
            calls.call(
                connection,
                "eliminate_batch",
                session_id=session_id,
                messages=json.dumps(messages),
                minimal=True,
            )
        lines = connection.execute("select cmbs.audit_lines(%s)", [session_id])
        path.write_text("".join(f"{line}\n" for (line,) in lines))
