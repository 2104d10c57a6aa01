"""plpgsql_check over every function: it finds typos in branches that no test takes."""

from collections.abc import Iterator

import psycopg
import pytest

from cmbs.deploy import embedded, migrate

_EVERY_FUNCTION = """
select
    p.oid::regproc::text,
    c.level,
    concat_ws('; ', c.message, nullif(c.detail, ''), nullif(c.context, ''))
from pg_proc as p
inner join pg_language as l on l.oid = p.prolang and l.lanname = 'plpgsql'
cross join lateral plpgsql_check_function_tb(
    p.oid,
    case when p.prorettype = 'trigger'::regtype then 'cmbs_store.audit_event'::regclass else 0 end,
    fatal_errors => false,
    all_warnings => true
) as c
where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
order by 1
"""

# Opinions that are wrong about our code: where, at which level, how the text begins.
_WRONG = {
    # A row of the session beside other results is what these functions are for.
    ("", "warning extra", "composite OUT variable"),
    # One number or one text once in a call: the cast costs nothing that could be measured.
    ("", "performance", "target type is different type than source type; cast "),
    # It may end in an error, which the planner must not raise before it is meant.
    ("", "performance", "routine is marked as STABLE, should be IMMUTABLE"),
    ("", "performance", "routine is marked as VOLATILE, should be IMMUTABLE"),
}


@pytest.fixture(scope="module")
def checked(full_server: embedded.Server) -> Iterator[psycopg.Connection[tuple[str, str, str]]]:
    with psycopg.connect(full_server.conninfo(), autocommit=True) as admin:
        admin.execute("create database checked")
    migrate.migrate(full_server.conninfo("checked"))
    with psycopg.connect(full_server.conninfo("checked")) as connection:
        connection.execute("create extension plpgsql_check")
        yield connection


def test_no_warning(checked: psycopg.Connection[tuple[str, str, str]]) -> None:
    found = checked.execute(_EVERY_FUNCTION).fetchall()
    right = [
        (name, level, text)
        for name, level, text in found
        if not any(
            name.startswith(where) and level == wrong and text.startswith(start)
            for where, wrong, start in _WRONG
        )
    ]
    assert right == []


def test_it_looks_at_all_of_them_and_would_find_a_typo(
    checked: psycopg.Connection[tuple[str, str, str]],
) -> None:
    checked.execute(
        "create function cmbs_store.with_a_typo(p_never boolean) returns void language plpgsql "
        "as $$ begin if p_never then perform p_nevr; end if; end $$"
    )
    found = checked.execute(_EVERY_FUNCTION).fetchall()
    checked.rollback()
    (text,) = [
        text for name, _, text in found if name == "cmbs_store.with_a_typo" and "nevr" in text
    ]
    assert text == 'column "p_nevr" does not exist'
