"""How much disk an event takes, and how long a large database takes to dump, restore and verify."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import eliminate
from bench.harness import CLIENTS, Bench, load
from cmbs.cli.commands.backup import finish
from cmbs.deploy import backup, dumpfile
from cmbs.deploy.target import Target

_MARK = 3.0
# Each session is sent a thousand messages of three ids, in batches of 100.
_SIZE, _BATCH = 4000, 100
_FILL = """
\\set n :n + 1
\\set k (:n % {per_client}) * {clients} + :client_id + 100000
\\set m (:n / {per_client}) * {batch}
select cmbs.eliminate_batch(
    ('00000000-0000-4000-8000-000000' || :k)::uuid,
    (
        select json_agg(json_build_object(
            'source_id', 'adapter://bench', 'observation_id', 'observation-' || :m + g,
            'eliminated', json_build_array(
                'svc-' || 1000000 + ((:m + g) * 3) * 7919 % {size},
                'svc-' || 1000000 + ((:m + g) * 3 + 1) * 7919 % {size},
                'svc-' || 1000000 + ((:m + g) * 3 + 2) * 7919 % {size}
            )
        ))
        from generate_series(0, {batch} - 1) as g
    ),
    p_minimal => true
);
"""


def run(bench: Bench) -> None:
    """Single messages, three ids each: the heaviest for what is not the record."""
    print("\ndisk of an ELIMINATE, 3 applied of 1,000, sent one by one")
    eliminate.declare(bench, "disk", 1000)
    before, records_before, _ = _sizes(bench, "disk")
    bench.pgbench("disk", "-t", "12500", "-D", "n=0", script=eliminate.script(1000))
    after, records, events = _sizes(bench, "disk")
    grown = {name: after[name] - before[name] for name in after}
    written = records - records_before
    for name, size in sorted(grown.items(), key=lambda item: -item[1]):
        if size:
            print(f"{name:<28} {size / events:7.0f} bytes an event")
    total = sum(grown.values())
    print(f"{'together':<28} {total / events:7.0f}, of which the record is {written / events:.0f}")
    print(f"bytes on disk over bytes of records: {total / written:.2f}   mark: at most {_MARK}")


def restore(bench: Bench) -> None:
    print("\ndump, restore and verify, by number of events")
    for thousands in (100, 1000):
        eliminate.declare(bench, "large", _SIZE)
        script = _FILL.format(
            per_client=eliminate.SESSIONS // CLIENTS, clients=CLIENTS, batch=_BATCH, size=_SIZE
        )
        batches = thousands * 1000 // _BATCH // CLIENTS
        bench.pgbench("large", "-t", str(batches), "-D", "n=0", script=script)
        bench.create("restored")
        source, target = (
            Target(bench.server.conninfo(name), bench.server) for name in ("large", "restored")
        )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "dump"
            dumping = _timed(backup.dump, source, file, overwrite=False)
            made = dumpfile.origin(file, backup.newest_pg_restore())
            restoring = _timed(backup.restore, target, file, made)
            size = file.stat().st_size
        with bench.connect("restored") as connection:
            connection.execute("analyze")
            events = connection.execute("select sum(audit_seq) from cmbs.session").fetchone()
        finishing = _timed(finish, target, jobs=1, verify=True)
        assert events
        print(
            f"{int(events[0]):>9,} events: dump {dumping:.1f} s, {size / 1e6:.0f} MB; "
            f"restore {restoring:.1f} s; migrate, doctor and verify {finishing:.1f} s  {load()}"
        )


def _timed(what: Callable[..., object], *arguments: object, **more: object) -> float:
    began = time.perf_counter()
    assert not what(*arguments, **more), "it has failed"
    return time.perf_counter() - began


def _sizes(bench: Bench, database: str) -> tuple[dict[str, int], int, int]:
    """Bytes of each table with all that belongs to it, of all records, and events there are."""
    with bench.connect(database) as connection:
        connection.execute("checkpoint")
        tables = connection.execute(
            "select relname, pg_total_relation_size(oid) from pg_class "
            "where relnamespace = 'cmbs_store'::regnamespace and relkind = 'r'"
        ).fetchall()
        row = connection.execute(
            "select sum(octet_length(record)), count(*) - (select count(*) from cmbs.session) "
            "from cmbs_store.audit_event"
        ).fetchone()
    assert row
    return dict(tables), int(row[0]), int(row[1])
