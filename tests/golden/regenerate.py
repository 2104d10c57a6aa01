"""Write tests/golden/schema.sql and sql/doctor/expected.jsonl anew, after a change that was meant.

    python -m tests.golden.regenerate

The dump is made by the pg_dump of the wheel, whose version the lock file pins, on a server of the
same wheel: other versions of PostgreSQL write the same schema differently.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from cmbs.deploy import doctor, embedded, migrate

GOLDEN = Path(__file__).with_name("schema.sql")
_MAJOR = 18
# What differs from one run or one minor version to the next and says nothing about the schema.
_NOISE = re.compile(
    r"^(\\(un)?restrict .*|-- Dumped (from|by) .*|-- Name: .*|--|SET .*|SELECT pg_catalog\..*)\n",
    re.MULTILINE,
)
# A deployment runs as somebody, and that somebody is no part of the schema.
_DATA = """
select string_agg(line, e'\n' order by line)
from (
    select format(
        '-- default %s: %s, %s, %s by %s', d.default_no, d.validate_hypotheses,
        d.allow_forced_termination, d.stability_window, d.set_by
    ) as line
    from cmbs_store.policy_default as d
    union all
    select '-- revision ' || r.version_num from cmbs_store.revision as r
    union all
    select format('-- %s: %s', s.setrole::regrole, array_to_string(s.setconfig, ', '))
    from pg_db_role_setting as s
    where s.setdatabase = 0
    union all
    select format('-- %s: login %s', r.rolname, r.rolcanlogin)
    from pg_roles as r
    where r.rolname ~ '^cmbs_'
) as lines
"""


@contextlib.contextmanager
def wheel_server() -> Iterator[embedded.Server]:
    """A throw-away server of the wheel's binaries, whatever CMBS_PG_BINDIR says."""
    chosen = os.environ.pop("CMBS_PG_BINDIR", None)
    folder = Path(tempfile.mkdtemp(prefix="cmbs-golden-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        with embedded.start(folder / "data", durable=False) as server:
            if server.major != _MAJOR or not (server.bindir / "pg_dump").exists():
                sys.exit(f"the golden schema needs the wheel's PostgreSQL {_MAJOR} and its pg_dump")
            yield server
    finally:
        if chosen is not None:
            os.environ["CMBS_PG_BINDIR"] = chosen
        shutil.rmtree(folder, ignore_errors=True)


def create_database(server: embedded.Server, name: str) -> str:
    with psycopg.connect(server.conninfo(), autocommit=True) as admin:
        admin.execute(f'create database "{name}"'.encode())
    return server.conninfo(name)


def dump(server: embedded.Server, conninfo: str) -> str:
    """The schema of a database as pg_dump writes it, without noise, and the rows it comes with."""
    done = subprocess.run(
        [server.bindir / "pg_dump", "--schema-only", "--dbname", conninfo],
        capture_output=True,
        text=True,
        check=True,
    )
    text = re.sub(r"\n{3,}", "\n\n", _NOISE.sub("", done.stdout)).strip()
    with psycopg.connect(conninfo) as connection:
        row = connection.execute(_DATA.encode()).fetchone()
    assert row is not None
    return f"{text}\n\n{row[0]}\n"


def main() -> None:
    with wheel_server() as server:
        conninfo = create_database(server, "golden")
        migrate.migrate(conninfo)
        GOLDEN.write_text(dump(server, conninfo))
        doctor.expected_path().write_text(doctor.as_expected(doctor.facts(conninfo)))
    print(f"wrote {GOLDEN} and {doctor.expected_path()}")


if __name__ == "__main__":
    main()
