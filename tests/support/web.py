"""What tests of the HTTP shell share: the application on a real socket, and a client for it."""

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import httpx
import uvicorn
from psycopg.conninfo import make_conninfo

from cmbs.api import serve
from cmbs.api.app import create_app
from cmbs.api.shell import metrics
from cmbs.api.shell.admission import Terms
from cmbs.api.shell.http1 import Http1
from cmbs.database import tokens
from cmbs.database.calls import call
from cmbs.database.connections import connect
from tests.support.beliefs import ONTOLOGY
from tests.support.databases import copied
from tests.support.servers import TLS, until

# As `cmbs serve` on the embedded database of somebody who made no principal.
OPEN = Terms(needs_token=False, is_local=True)


@contextlib.contextmanager
def serving(
    database: str,
    user: str = "cmbs_server",
    terms: Terms = OPEN,
    tls: serve.Tls | None = None,
    **settings: Any,
) -> Iterator[str]:
    """The application over a database, in a thread of this process; its address.

    With one connection for what is quick and one for what is long, unless a test needs more: each
    backend compiles every function for itself, and requests take turns with them.
    """
    settings = {"connections": 1, "readers": 1, **settings}
    with contextlib.closing(serve.listen("127.0.0.1", 0)) as taken, metrics.kept() as kept:
        app = create_app(make_conninfo(database, user=user), terms, kept, **settings)
        config = uvicorn.Config(
            app,
            http=Http1,
            ws="none",
            lifespan="on",
            access_log=False,
            # As `cmbs serve`, which believes those alone that it was told to.
            proxy_headers=False,
            log_level="error",
            ssl_context_factory=partial(serve._context, tls) if tls else None,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]})
        thread.start()
        try:
            until(lambda: server.started or not thread.is_alive())
            assert server.started
            yield f"http{'s' * bool(tls)}://127.0.0.1:{taken.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)
    assert not thread.is_alive()


@contextlib.contextmanager
def site_over(
    server: SimpleNamespace, template: Any, name: str, terms: Terms = OPEN, connections: int = 1
) -> Iterator[SimpleNamespace]:
    """A database that many tests share, and the address of the application over it."""
    with (
        copied(server, template, name) as database,
        serving(database, terms=terms, connections=connections) as address,
    ):
        yield SimpleNamespace(database=database, address=address)


def token_of(
    database: str,
    name: str,
    *roles: str,
    tenant: str = "*",
    kind: str = "service",
    **more: Any,
) -> tokens.Token:
    """A token of a principal, who is made for it and may speak for any source."""
    made, given = tokens.new(), {"name": name, "tenant": tenant}
    with connect(database, autocommit=True) as owner:
        rights = {"kind": kind, "roles": [*roles], "source_prefixes": [""]}
        call(owner, "create_principal", **given, **rights)
        call(owner, "create_token", **given, digest=made.digest, prefix=made.prefix, **more)
    return made


def bearer(token: tokens.Token) -> dict[str, str]:
    return {"Authorization": f"Bearer {token.text}"}


class Client(httpx.Client):
    """A client that knows how a session is declared and what a refusal looks like."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"verify": TLS, **settings})

    def declare(self, *hypotheses: str, **more: Any) -> str:
        """The path of a new session."""
        body = {"ontology": ONTOLOGY, "hypotheses": hypotheses or ("a", "b", "c", "d"), **more}
        answer = self.post("/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        return answer.headers["location"]

    def eliminate(self, session: str, *ids: str, observation: str = "o", **more: Any) -> Any:
        body = {"source_id": "s", "observation_id": observation, "eliminated": ids, **more}
        answer = self.post(f"{session}/eliminate", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


def refusal(answer: httpx.Response) -> tuple[int, str, Any]:
    """Status, code and details of an error, whose form is the same everywhere."""
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert isinstance(body["error"]["message"], str)
    return answer.status_code, body["error"]["code"], body["error"]["details"]
