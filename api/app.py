"""The application: routes, what they share, and the pool that lives as long as it does."""

import asyncio
import contextlib
import functools
import gc
import logging
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

from litestar import Litestar, get, route
from litestar.datastructures import State
from litestar.types import ASGIApp

from cmbs import __version__
from cmbs.api.docs import openapi, page
from cmbs.api.rooms.belief import routes as beliefs
from cmbs.api.rooms.capability import routes as capabilities
from cmbs.api.rooms.claim import routes as claims
from cmbs.api.rooms.gates import routes as gates
from cmbs.api.rooms.identity import routes as identities
from cmbs.api.rooms.interrupt import routes as interrupts
from cmbs.api.rooms.log import routes as audit
from cmbs.api.rooms.lookback import routes as history
from cmbs.api.rooms.lookback.routes import why
from cmbs.api.rooms.operations import answers, metrics
from cmbs.api.rooms.permit import routes as permits
from cmbs.api.rooms.policy import routes as policies
from cmbs.api.rooms.policy.routes import policy_apply, policy_replay, set_mode
from cmbs.api.rooms.registry import routes as registry
from cmbs.api.rooms.spaces import routes as spaces
from cmbs.api.rooms.verdict import routes as proposals
from cmbs.api.shell import refusals
from cmbs.api.shell.access import Access
from cmbs.api.shell.admission import Admission, Terms
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.bodies import Room
from cmbs.api.shell.headers import HttpRequest, query
from cmbs.api.shell.routes_common import database
from cmbs.api.shell.upkeep import Upkeep
from cmbs.common.log import line
from cmbs.database.pool import Database
from cmbs.deploy.migrate import head

log = logging.getLogger("cmbs.process")


@get("/healthz", gives=answers.Alive)
async def healthz(request: HttpRequest) -> Answer:
    """Whether the server runs; the database is not asked."""
    return Answer(b'{"status": "ok"}')


@get("/readyz", gives=answers.Ready)
async def readyz(request: HttpRequest) -> Answer:
    """Whether the database answers and has the schema of this version."""
    revision = (await database(request).call("revision")).decode()
    if revision != request.app.state.revision:
        details = {"revision": revision, "needed": request.app.state.revision}
        raise refusals.RequestRefused("UNAVAILABLE", 503, details)
    return Answer(b'{"status": "ready", "revision": "%s"}' % revision.encode())


@get("/schema/openapi.json")
async def openapi_json(request: HttpRequest) -> Answer:
    return Answer(request.app.state.documents.json)


@get("/schema/openapi.yaml")
async def openapi_yaml(request: HttpRequest) -> Answer:
    # It takes a third of a second, once; others are served meanwhile.
    text = await asyncio.to_thread(lambda: request.app.state.documents.yaml)
    return Answer(text, kind=b"application/yaml")


@get("/schema")
async def documentation(request: HttpRequest) -> Answer:
    text = request.app.state.documents.page
    return Answer(text, headers=page.HEADERS, kind=b"text/html; charset=utf-8")


ROUTES = (
    *(beliefs.declare_session, beliefs.list_sessions, beliefs.query_belief),
    *(beliefs.eliminate, beliefs.eliminate_batch),
    *(audit.audit_trace, audit.audit_event, audit.verify, why),
    *(history.explain, history.diff, history.whatif),
    *(gates.list_obligations, gates.enter_obligation, gates.request_exit, gates.waive_obligation),
    *(gates.list_conclusions, gates.declare_conclusion, gates.request_termination),
    *(policy_apply, proposals.propose, proposals.list_proposals),
    *(proposals.explain_decision, policy_replay),
    *(proposals.state_at, proposals.list_permitted),
    *(proposals.resume, proposals.list_deferrals, set_mode),
    *(permits.begin_execution, permits.complete_execution),
    *(permits.list_permits, permits.read_permit, permits.sweep_expired),
    *(interrupts.list_interrupts, interrupts.read_interrupt, interrupts.interrupt_resolve),
    *(interrupts.list_inbox, interrupts.set_webhook),
    *(capabilities.token_issue, capabilities.list_capability_tokens, capabilities.token_revoke),
    *(claims.claim_record, claims.list_claims, claims.claim_promote, claims.claim_confirm),
    *(policies.list_policies, policies.policy_publish, policies.list_versions),
    *(policies.read_policy, policies.policy_diff, policies.lint_version, policies.policy_test),
    *(policies.policy_lint, policies.policy_halt),
    *(registry.tool_register, registry.list_tools, registry.read_tool, registry.tool_withdraw),
    *(registry.schema_register, registry.list_schemas, registry.read_schema),
    *(spaces.register_space, spaces.read_space),
    *(identities.create_principal, identities.list_principals),
    *(identities.read_principal, identities.change_principal),
    *(identities.create_token, identities.list_tokens, identities.rotate_token),
    *(identities.read_token, identities.revoke_token, identities.whoami),
    *(identities.audit_identities, identities.verify_identities),
    *(healthz, readyz, metrics.metrics),
)


def _methods() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for handler in (*ROUTES, openapi_json, openapi_yaml, documentation):
        for path in handler.paths:
            found.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return found


_ALLOW = {path.replace(":str}", "}"): refusals.allow(names) for path, names in _methods().items()}


@route([*_methods()], http_method="OPTIONS")
async def options(request: HttpRequest) -> Answer:
    """The methods of a path; the framework's own answer knows those of one handler."""
    allowed = _ALLOW[request.scope["path_template"]]
    return Answer(b"", 204, [(b"allow", allowed.encode())])


class Documents:
    """What describes the routes, in each form; it is written when somebody first asks for it."""

    def __init__(self, needs_token: bool) -> None:
        self._needs_token = needs_token

    @functools.cached_property
    def _document(self) -> dict[str, Any]:
        return openapi.document(ROUTES)

    @functools.cached_property
    def json(self) -> bytes:
        return openapi.as_json(self._document)

    @functools.cached_property
    def yaml(self) -> bytes:
        return openapi.as_yaml(self._document)

    @functools.cached_property
    def page(self) -> bytes:
        return page.render(self._document, needs_token=self._needs_token)


def create_app(
    url: str,
    terms: Terms,
    *,
    connections: int = 8,
    readers: int = 2,
    waiting: int = 1000,
    patience: float = 3.0,
    upkeep: float | None = None,
) -> ASGIApp:
    """The server over a database; requests wait for a connection, but not for long.

    `upkeep`: after how many seconds it looks again for what is due; None: it does nothing unasked.
    """
    store = Database(url, connections, waiting, patience, readers)
    admission = Admission(store, terms)
    room = Room()
    state = {
        "database": store,
        "admission": admission,
        "revision": head(),
        "documents": Documents(terms.needs_token),
        "room": room,
    }

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        # What is here now stays: collecting garbage need not look at it in the midst of requests.
        gc.collect()
        gc.freeze()
        log.info(line("start", pid=os.getpid(), version=__version__, revision=head()))
        async with store.opened():
            _end_with_supervisor()
            async with Upkeep(store, upkeep).running() if upkeep else contextlib.nullcontext():
                log.info(line("ready", pid=os.getpid()))
                yield
        log.info(line("stop", pid=os.getpid()))

    return Access(
        Litestar(
            [options, *ROUTES, openapi_json, openapi_yaml, documentation],
            lifespan=[lifespan],
            state=State(state),
            before_request=_check_query,
            exception_handlers={Exception: refusals.response},
            openapi_config=None,
            logging_config=None,
        ),
        admission,
        room,
    )


async def _check_query(request: HttpRequest) -> None:
    # Where nothing is asked there is nothing to misspell.
    if request.scope["query_string"]:
        query(request)


def _end_with_supervisor() -> None:
    """A worker whose supervisor was killed ends too, or it would keep the port."""
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return
    loop, sentinel = asyncio.get_running_loop(), supervisor.sentinel

    def end() -> None:
        loop.remove_reader(sentinel)
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(sentinel, end)
