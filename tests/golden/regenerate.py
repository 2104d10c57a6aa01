"""Write tests/golden/schema.sql anew, after a change that was meant.

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

from cmbs.deploy import embedded, migrate

GOLDEN = Path(__file__).with_name("schema.sql")
_MAJOR = 18
# What differs from one run or one minor version to the next and says nothing about the schema.
_NOISE = re.compile(r"^(\\(un)?restrict .*|-- .*|--|SET .*|SELECT pg_catalog\..*|)\n", re.MULTILINE)
# What pg_dump writes above each of its entries.
_ENTRY = re.compile(r"^--\n-- Name: (.*); Type: (.*); Schema: .*\n--\n", re.MULTILINE)
# Each of them begins a paragraph; what belongs to one comes after it.
_LARGE, _BELONGING = {"SCHEMA", "TABLE", "TYPE", "VIEW"}, ("ACL", "COMMENT")
# All that PostgreSQL knows of a function, in three lines; of its text the digest, because the text
# is a file beside this one. The owner is among those who may execute it, or it could not.
_FUNCTIONS = """
select
    format(e'%s\\n    %s\\n    COMMENT %L', d.signature, d.rest, obj_description(p.oid, 'pg_proc'))
from pg_proc as p
cross join lateral (
    select string_agg(
        concat(
            coalesce(nullif(a.grantee, 0)::regrole::text, 'PUBLIC'),
            case when a.is_grantable then ' WITH GRANT OPTION' end,
            case when a.grantor <> p.proowner then ' BY ' || a.grantor::regrole end
        ),
        ', ' order by a.grantee::regrole::text collate "C", a.grantor::regrole::text collate "C"
    )
    from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
) as g (grants)
cross join lateral coalesce(pg_get_function_sqlbody(p.oid), '') as s (parsed)
cross join lateral split_part(
    -- Of a text that was parsed, or of one that is quoted.
    replace(pg_get_functiondef(p.oid), s.parsed, ''), e'\\nAS $', 1
) as h (header)
cross join lateral (
    select
        regexp_replace(
            split_part(h.header, e'\\n LANGUAGE ', 1), '^CREATE OR REPLACE |\\s*\\n\\s*', ' ', 'g'
        ),
        concat_ws(
            ' ',
            'LANGUAGE',
            btrim(
                regexp_replace(split_part(h.header, e'\\n LANGUAGE ', 2), '\\s*\\n\\s*', ' ', 'g')
            ),
            'OWNER ' || p.proowner::regrole,
            'EXECUTE ' || coalesce(g.grants, 'nobody'),
            'TEXT ' || left(encode(sha256(convert_to(s.parsed || p.prosrc, 'UTF8')), 'hex'), 32)
        )
) as d (signature, rest)
where p.pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    and p.prokind in ('f', 'w')
order by p.oid::regprocedure::text collate "C"
"""
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
    """The schema of a database and the rows it comes with, without noise and texts of functions."""
    done = subprocess.run(
        [server.bindir / "pg_dump", "--schema-only", "--dbname", conninfo],
        capture_output=True,
        text=True,
        check=True,
    )
    with psycopg.connect(conninfo) as connection:
        functions = [row[0].strip() for row in connection.execute(_FUNCTIONS.encode())]
        ((data,),) = connection.execute(_DATA.encode()).fetchall()
    return "\n".join([*_entries(done.stdout), "", *functions, "", data, ""]).lstrip("\n")


def _entries(dumped: str) -> Iterator[str]:
    """What pg_dump wrote, but for functions."""
    _, *parts = _ENTRY.split(dumped)
    before = ""
    for name, kind, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if kind == "FUNCTION" or (kind in _BELONGING and name.startswith("FUNCTION ")):
            continue
        if kind in _LARGE or kind not in (before, *_BELONGING):
            yield ""
        before = kind
        yield _NOISE.sub("", text).rstrip("\n")


def main() -> None:
    with wheel_server() as server:
        conninfo = create_database(server, "golden")
        migrate.migrate(conninfo)
        GOLDEN.write_text(dump(server, conninfo))
    print(f"wrote {GOLDEN}")


if __name__ == "__main__":
    main()
