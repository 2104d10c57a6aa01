"""How many requests one may send, whoever else is sending."""

from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.docs import examples
from cmbs.api.shell import admission, limits
from cmbs.api.shell.admission import Terms
from cmbs.api.shell.limits import Buckets
from cmbs.database import tokens
from cmbs.database.calls import call
from tests.support.web import Client, bearer, refusal, serving, token_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_holds_what_is_sent_in_a_second() -> None:
    clock = Clock()
    buckets = Buckets(3, clock)
    assert [buckets.take("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert buckets.take("b"), "others have their own"
    clock.now += 0.4
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    clock.now += 3600
    assert [buckets.take("a") for _ in range(5)] == [True] * 3 + [False] * 2


def test_who_is_sent_away_pays_nothing_for_it() -> None:
    clock = Clock()
    buckets = Buckets(1, clock)
    assert buckets.take("a")
    for _ in range(9):
        clock.now += 0.125
        found = buckets.take("a")
        if found:
            break
    assert (found, clock.now) == (True, 1.0)


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST", 2)
    buckets = Buckets(1, Clock())
    assert [buckets.take(key) for key in "abab"] == [True, True, False, False]
    assert buckets.take("c")
    assert [buckets.take(key) for key in "bca"] == [False, False, True]
    assert len(buckets._left) == 2


def test_tokens_that_are_remembered_are_not_more(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_MOST", 1)
    with serving(database, terms=Terms()) as address, Client(base_url=address) as client:
        shown = [bearer(token_of(database, name, "agent")) for name in "ab"]
        for header in shown * 2:
            assert client.get("/v1/sessions", headers=header).status_code == 200


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of servers that are started from now on, which stands still by itself."""
    clock = Clock()
    monkeypatch.setattr(Buckets.__init__, "__defaults__", (clock,))
    return clock


def statuses(client: Client, *shown: tokens.Token | None) -> list[int]:
    """What is answered to requests with these tokens, one after the other."""
    headers = [bearer(token) if token else {} for token in shown]
    return [client.get("/v1/sessions", headers=of).status_code for of in headers]


def is_refused(answer: httpx.Response, limit: int, of: str) -> None:
    assert refusal(answer) == (429, "RATE_LIMITED", {"limit": limit, "of": of})
    assert answer.headers["retry-after"] == "1"
    told = examples.ERRORS["RATE_LIMITED"]["error"]["message"]
    assert answer.json()["error"]["message"] == told


def test_all_tokens_of_a_principal_count_together(database: str, clock: Clock) -> None:
    first, bob = token_of(database, "ann", "agent"), token_of(database, "bob", "agent")
    second = another_token(database, "ann", scope_tenant="red", verbs=["list_sessions"])
    with serving(database, terms=Terms(rate=3)) as address, Client(base_url=address) as client:
        assert statuses(client, first, second, first, second) == [200, 200, 200, 429]
        is_refused(client.get("/v1/sessions", headers=bearer(first)), 3, "principal")
        assert statuses(client, bob, bob, bob, bob) == [200, 200, 200, 429]
        clock.now += 0.5
        assert statuses(client, second, first) == [200, 429]


def another_token(database: str, name: str, **more: Any) -> tokens.Token:
    made = tokens.new()
    with psycopg.connect(database, autocommit=True) as owner:
        given = {"name": name, "tenant": "*", "digest": made.digest, "prefix": made.prefix}
        call(owner, "create_token", **given, **more)
    return made


def test_strangers_count_by_their_address(database: str, clock: Clock) -> None:
    token = token_of(database, "ann", "agent")
    with serving(database, terms=Terms(rate=3)) as address, Client(base_url=address) as client:
        assert statuses(client, None, None, None, None) == [401, 401, 401, 429]
        for shown in ("Basic x", "Bearer", ""):
            answer = client.get("/v1/sessions", headers={"Authorization": shown})
            is_refused(answer, 3, "address")
        is_refused(client.get("/nothing"), 3, "address")
        # Others at the same address have a token, and get in, the first time as well.
        assert statuses(client, token, token, token, token) == [200, 200, 200, 429]
        clock.now += 1
        assert statuses(client, token, None) == [200, 401]


def test_what_is_open_is_counted_by_itself(database: str, clock: Clock) -> None:
    token_of(database, "ann", "agent")
    with serving(database, terms=Terms(rate=2)) as address, Client(base_url=address) as client:
        assert statuses(client, None, None, None) == [401, 401, 429]
        assert client.get("/schema").status_code == 200
        assert client.options("/v1/sessions").status_code == 204
        is_refused(client.get("/schema/openapi.json"), 2, "address")
        assert client.options("/v1/sessions").status_code == 429
        for path in ("/healthz", "/readyz"):
            assert {client.get(path).status_code for _ in range(9)} == {200}


def test_unknown_tokens_are_no_burden_of_those_that_are_known(database: str, clock: Clock) -> None:
    ann, bob = token_of(database, "ann", "agent"), token_of(database, "bob", "agent")
    with serving(database, terms=Terms(rate=3)) as address, Client(base_url=address) as client:
        assert statuses(client, ann) == [200]
        junk = [tokens.new() for _ in range(4)]
        assert statuses(client, *junk) == [401, 401, 401, 429]
        is_refused(client.get("/v1/sessions", headers=bearer(junk[0])), 3, "address")
        # One that was seen before is known; any other waits until there is something again.
        assert statuses(client, ann, bob) == [200, 429]
        clock.now += 0.34
        assert statuses(client, bob, junk[0], junk[0]) == [200, 401, 429]


def test_tokens_that_are_good_cost_an_address_nothing(database: str, clock: Clock) -> None:
    good = [token_of(database, f"p{number}", "agent") for number in range(6)]
    with serving(database, terms=Terms(rate=2)) as address, Client(base_url=address) as client:
        assert statuses(client, *good) == [200] * 6
        assert statuses(client, *(tokens.new() for _ in range(3))) == [401, 401, 429]


def test_what_a_database_that_is_away_refuses_is_nobody_s_fault(
    database: str, clock: Clock
) -> None:
    ann = token_of(database, "ann", "agent")
    away = make_conninfo(database, host="/nowhere")
    with (
        serving(away, terms=Terms(rate=2), patience=0.1) as address,
        Client(base_url=address) as client,
    ):
        assert statuses(client, ann, ann, ann, ann) == [503] * 4


def test_what_was_done_at_once_is_paid_for_within_a_second() -> None:
    clock = Clock()
    buckets = Buckets(3, clock)
    for _ in range(100):
        buckets.charge("a")
    assert buckets.is_empty("a")
    clock.now += 0.9
    assert buckets.is_empty("a")
    clock.now += 0.1
    assert not buckets.is_empty("a")
    assert not buckets.is_empty("b")


def test_the_name_of_a_principal_is_one_of_a_tenant(database: str, clock: Clock) -> None:
    red, blue = (token_of(database, "ann", "agent", tenant=tenant) for tenant in ("red", "blue"))
    with serving(database, terms=Terms(rate=2)) as address, Client(base_url=address) as client:
        assert statuses(client, red, red, red, blue, blue, blue) == [200, 200, 429] * 2


@pytest.mark.parametrize(
    "terms", [Terms(rate=0), Terms(needs_token=False, is_local=True, rate=1)], ids=["0", "local"]
)
def test_there_may_be_no_limit(database: str, terms: Terms) -> None:
    with serving(database, terms=terms) as address, Client(base_url=address) as client:
        statuses = {client.get("/v1/sessions").status_code for _ in range(50)}
        assert statuses == {401 if terms.needs_token else 200}


def test_networks_count_and_not_each_address_in_them() -> None:
    def of(host: str | None) -> str:
        return admission._network({"client": (host, 1) if host else None})

    assert of("192.0.2.7") == "192.0.2.7"
    assert of("2001:db8:0:1::1") == of("2001:db8:0:1:ffff::9") != of("2001:db8:0:2::1")
    assert of(None) == ""
