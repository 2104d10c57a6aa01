"""Write the outputs of examples/analytics/ anew: `python -m tests.support.analytics`.

Each query is run by psql as the login of an analyst, over the sample, in a time zone that no output
may show.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
from psycopg import sql

from cmbs.database import bundle
from cmbs.deploy import embedded, migrate
from cmbs.deploy.resources import examples_dir
from cmbs.sample import week
from tests.golden import regenerate

FOLDER = examples_dir() / "analytics"
QUERIES = sorted(FOLDER.glob("*.sql"))
SEED, SESSIONS = 1, 200


def load(conninfo: str, seed: int = SEED, sessions: int = SESSIONS) -> None:
    """The sample, as `cmbs sample` loads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sample.zip")
        week.write(path, seed, sessions)
        with bundle.opened(path) as found:
            bundle.import_bundle(conninfo, found, "default", lambda *_: None)


class Analyst:
    """A login made by cmbs.add_analyst; roles are the cluster's, so it is to be removed."""

    def __init__(self, admin: psycopg.Connection[Any], name: str | None = None) -> None:
        self.name = name or f"ana {secrets.token_hex(4)}"
        self.password = secrets.token_hex(8)
        self._admin = admin
        hashed = admin.pgconn.encrypt_password(
            self.password.encode(), self.name.encode(), b"scram-sha-256"
        )
        admin.execute("select cmbs.add_analyst(%s, %s)", [self.name, hashed.decode()])

    def connect(self, **more: Any) -> psycopg.Connection[Any]:
        info = self._admin.info
        where = {"host": info.host, "port": info.port, "dbname": info.dbname}
        mine = {"user": self.name, "password": self.password}
        return psycopg.connect(**where | mine | more, autocommit=True)

    def remove(self) -> None:
        self._admin.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(self.name)))

    def psql(self, program: str, path: Path, **more: str) -> str:
        info = self._admin.info
        environment = {"PGHOST": info.host, "PGPORT": str(info.port), "PGDATABASE": info.dbname}
        environment |= {"PGUSER": self.name, "PGPASSWORD": self.password, "PAGER": "cat"}
        environment |= {"PGCLIENTENCODING": "UTF8", "PGTZ": "Asia/Kathmandu", **more}
        done = subprocess.run(
            [program, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(path)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout


def psql_of(server: SimpleNamespace | embedded.Server) -> str | None:
    own = server if isinstance(server, embedded.Server) else server.own
    if own and (own.bindir / "psql").exists():
        return str(own.bindir / "psql")
    return shutil.which("psql")


def main() -> None:
    with regenerate.wheel_server() as server:
        conninfo = regenerate.create_database(server, "sample")
        migrate.migrate(conninfo)
        program = psql_of(server)
        assert program
        load(conninfo)
        with psycopg.connect(conninfo, autocommit=True) as admin:
            analyst = Analyst(admin)
            for path in QUERIES:
                path.with_suffix(".out").write_text(analyst.psql(program, path))
    print(f"wrote {len(QUERIES)} outputs")


if __name__ == "__main__":
    main()
