"""Who comes in: what a request shows is looked at before its body is read.

What is found out here opens nothing by itself: every verb looks at the credential again.
"""

import ipaddress
import logging
import re
import time
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from cmbs.api.shell import verdicts
from cmbs.api.shell.forwarded import Network, client
from cmbs.api.shell.headers import HttpRequest
from cmbs.api.shell.limits import Buckets, shorten
from cmbs.api.shell.metrics import LOCAL, STRANGER, UNKNOWN_TOKEN, VERIFIED
from cmbs.api.shell.nearness import is_of_this_machine
from cmbs.api.shell.refusals import RequestRefused
from cmbs.api.shell.waiting import while_there
from cmbs.common.log import line
from cmbs.database import tokens
from cmbs.database.pool import LONG, Database
from cmbs.errors import BeliefError, Unauthenticated

log = logging.getLogger("cmbs.api")

_BEARER = re.compile(rb"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")
# For so long a token counts as known; what became of it since, the verb says.
_REMEMBERED = 5.0
# For so long an open server counts as open; then the database is asked, before a body is read.
_OPEN = 1.0
# Without a credential this verb takes who calls for the server itself, at any time.
_OF_THE_SERVER = "sweep_expired"
METRICS = "/metrics"


class Terms(NamedTuple):
    """On what terms requests are let in.

    `is_local`: nobody but programs of this machine reaches the address. `rate`: how many requests
    a second each principal may send to each process, and as many at once; 0 for any number.
    `proxies`: the proxies whose `X-Forwarded-For` is believed.
    """

    needs_token: bool = True
    is_local: bool = False
    rate: int = 1000
    proxies: tuple[Network, ...] = ()


class Caller(NamedTuple):
    """The holder of a token, as it was when the token was last seen."""

    name: str
    tenant: str
    home: str
    kind: str
    until: float


class Admission:
    """The way into one process.

    An address is counted for what is done for strangers alone, and one thing is no other's burden:
    who sends no token, who asks for the documents, and tokens that were not seen before. Of these
    only what turns out to be none counts, so that others behind the same address get in.
    """

    def __init__(self, store: Database, terms: Terms) -> None:
        self._store, self._terms = store, terms
        # An open server is one until there is a principal: whoever made the first one need not
        # start it anew.
        self._needs_token = terms.needs_token
        self._open_until = 0.0
        self._known: OrderedDict[bytes, Caller] = OrderedDict()
        # Apart, so that no number of strangers makes a principal be forgotten.
        self._principals = Buckets(terms.rate) if terms.rate else None
        self._addresses = Buckets(terms.rate) if terms.rate else None

    async def admit(self, scope: Any) -> None:
        """Raises what the request is refused with; else its state says who sent it."""
        state, path = scope["state"], scope["path"]
        if self._terms.proxies:
            scope["client"] = client(scope, self._terms.proxies)
        state["credential"] = state["caller"] = None
        shown = [value for name, value in scope["headers"] if name == b"authorization"]
        is_near = path == METRICS and not shown and is_of_this_machine(scope, self._terms.proxies)
        state["class"], state["is_near"] = self._class_of(shown, is_near), is_near
        if not self._needs_token and not shown:
            _refuse_pages_of_others(scope, self._terms.is_local)
        # A server under load is not dead: whoever watches it is always answered.
        if path in ("/healthz", "/readyz"):
            return
        if scope["method"] == "OPTIONS" or path == "/schema" or path.startswith("/schema/"):
            self._count_stranger("documents", scope)
            return
        if is_near:
            self._count_stranger("metrics", scope)
            return
        credential = _digest(shown)
        if credential is None:
            self._count_stranger("no token", scope)
            if shown:
                raise RequestRefused("UNAUTHENTICATED", 401, {"credential": "not one Bearer token"})
            if self._needs_token or not await self._is_open():
                raise RequestRefused("UNAUTHENTICATED", 401, {"credential": "missing"})
            return
        caller = self._remembered(credential)
        if known := self._known.get(credential):
            # Also where the database is away, and cannot be asked again.
            state["class"] = known.kind
            if path == METRICS:
                # The verb asks who it is, and does not wait for a database that does not answer.
                caller = known
        if caller is None:
            caller = await self._identify(credential, scope)
        state["credential"], state["caller"] = credential, caller
        state["class"] = caller.kind
        if self._principals and not self._principals.take((caller.home, caller.name)):
            raise self._too_many("principal")

    def refused(self, credential: bytes | None) -> None:
        """Whom a verb did not know: a token is asked about again, and nobody is let in without."""
        if credential:
            self._known.pop(credential, None)
        else:
            self._close()

    def _close(self) -> None:
        """From the first principal on nobody comes in without a token."""
        if not self._needs_token:
            self._needs_token = True
            log.warning(line("closed", "warning", message="there is a principal: open no longer"))

    async def _is_open(self) -> bool:
        """Whether there is no principal yet. Nothing is read of a stranger of whom a verb would not
        take it: the first principal may have been made by a command.
        """
        if self._open_until <= time.monotonic():
            try:
                found = msgspec.json.decode(await self._store.call("identify"))
            except Unauthenticated:
                # The login of a server is nobody any more as soon as there is a principal.
                found = {"is_open": False}
            if not found["is_open"]:
                self._close()
                return False
            self._open_until = time.monotonic() + _OPEN
        return True

    def _count_stranger(self, what: str, scope: Any) -> None:
        if not self._needs_token and self._terms.is_local:
            return
        if self._addresses and not self._addresses.take((what, _network(scope))):
            raise self._too_many("address")

    def _too_many(self, of: str) -> RequestRefused:
        details = {"limit": self._terms.rate, "of": of}
        return RequestRefused("RATE_LIMITED", 429, details, shed="rate_limit")

    def _class_of(self, shown: list[bytes], is_near: bool) -> str:
        """What is known of somebody before a token is looked at."""
        if shown:
            return UNKNOWN_TOKEN
        return STRANGER if self._needs_token and not is_near else LOCAL

    def _remembered(self, credential: bytes) -> Caller | None:
        caller = self._known.get(credential)
        return caller if caller and caller.until > time.monotonic() else None

    async def _identify(self, credential: bytes, scope: Any) -> Caller:
        is_new = credential not in self._known
        if is_new and self._addresses and self._addresses.is_empty(_guesses(scope)):
            raise self._too_many("address")
        try:
            found = msgspec.json.decode(await self._store.call("identify", credential=credential))
        except BeliefError:
            if self._addresses:
                self._addresses.charge(_guesses(scope))
            raise
        home, until = found["token"]["tenant"], time.monotonic() + _REMEMBERED
        caller = Caller(found["name"], found["tenant"], home, found["kind"], until)
        self._known[credential] = caller
        shorten(self._known)
        # Where a token counts there is a principal.
        self._close()
        return caller


class CallerDatabase:
    """The database as somebody calls it: each call shows the credential, and is judged by it."""

    def __init__(self, store: Database, admission: Admission, request: HttpRequest) -> None:
        self._store, self._admission, self._request = store, admission, request
        self._credential: bytes | None = request.scope["state"]["credential"]

    async def call(self, verb: str, **arguments: object) -> bytes:
        """Call a verb that returns one value."""
        return (await self.rows(verb, **arguments))[0]

    async def rows(self, verb: str, **arguments: object) -> list[bytes]:
        try:
            if self._credential is None and verb == _OF_THE_SERVER:
                await self._check_open()
            asking = self._store.rows(verb, **arguments, credential=self._credential)
            rows = await (while_there(self._request, asking) if verb in LONG else asking)
        except Unauthenticated:
            self._admission.refused(self._credential)
            raise
        if verb in verdicts.DECIDING:
            self._request.scope["state"]["decided"] = verdicts.decided(rows[0])
        elif verb in VERIFIED and verdicts.is_whole(rows[0]):
            self._request.app.state.counters.verified(verb)
        return rows

    async def _check_open(self) -> None:
        """Nobody passes for the server who is let in only because it does not know yet that there
        is a principal.
        """
        if not msgspec.json.decode(await self._store.call("identify"))["is_open"]:
            raise RequestRefused("UNAUTHENTICATED", 401, {"credential": "missing"})


def _digest(shown: list[bytes]) -> bytes | None:
    """The digest of the token, if there is one and only one."""
    found = _BEARER.fullmatch(shown[0]) if len(shown) == 1 else None
    return tokens.digest(found[1].decode()) if found else None


def _guesses(scope: Any) -> tuple[str, str]:
    """What tokens that turn out to be none are counted under."""
    return "unknown token", _network(scope)


def _network(scope: Any) -> str:
    """The address of a caller; of one of IPv6 the half that it cannot choose."""
    host = scope["client"][0] if scope["client"] else ""
    return host if ":" not in host else ipaddress.IPv6Address(host).exploded[:19]


def _refuse_pages_of_others(scope: Any, is_local: bool) -> None:
    """Who needs no token could be any page in a browser of this machine, or of its network."""
    shown = {name: value for name, value in scope["headers"] if name in (b"host", b"origin")}
    host = shown.get(b"host", b"").decode("latin-1").lower()
    if is_local and host and not _is_local_name(host):
        raise _refused("Host is not localhost or an address, and no token is needed here")
    if b"origin" in shown:
        origin = shown[b"origin"].decode("latin-1").lower()
        if _SCHEME.sub("", origin, count=1) != host:
            raise _refused("Origin is another site, and no token is needed here")


def _is_local_name(host: str) -> bool:
    name = re.sub(r":\d*$", "", host)
    try:
        return name == "localhost" or bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return False


def _refused(problem: str) -> RequestRefused:
    return RequestRefused("FORBIDDEN", 403, {"problem": problem})
