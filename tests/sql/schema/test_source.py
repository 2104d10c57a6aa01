"""The form of the files under sql/: one object each, nothing dynamic."""

import re
from pathlib import Path

import pytest

from cmbs.deploy.function_files import sentence, signatures
from cmbs.deploy.resources import (
    helper_files,
    migrations_dir,
    operator_files,
    sql_dir,
    verb_files,
    view_files,
)

FUNCTIONS = [*helper_files(), *verb_files()]
OPERATORS = operator_files()
VIEWS = view_files()
MIGRATIONS = sorted((migrations_dir() / "baseline").glob("*.sql"))
EVERYTHING = sorted([*sql_dir().rglob("*.sql"), *MIGRATIONS])


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def schema_of(path: Path) -> str:
    return "cmbs" if path.parent.name == "verbs" else "cmbs_store"


def statements(text: str) -> list[str]:
    """The statements of a file, comments and the insides of $$ aside, on one line each."""
    code = re.sub(r"\$\$.*?\$\$", "$$", without_comments(text), flags=re.DOTALL)
    return [" ".join(part.split()) for part in re.split(r";\s*\n", code + "\n") if part.strip()]


def without_comments(text: str) -> str:
    return re.sub(r"^\s*--.*$", "", text, flags=re.MULTILINE)


def test_nothing_else_lies_there() -> None:
    assert {path.suffix for path in [*FUNCTIONS, *VIEWS]} == {".sql"}
    assert len(FUNCTIONS) > 60
    assert len(VIEWS) == 42
    assert {path.suffix for path in OPERATORS} == {".sql"}


def test_a_function_file_has_its_header_and_its_function(subtests: pytest.Subtests) -> None:
    """A verb has its grants besides; who may call a helper needs none, and others get none."""
    for path in FUNCTIONS:
        with subtests.test(named(path)):
            name = f"{schema_of(path)}.{path.stem}"
            text = path.read_text()
            assert text.startswith(f"-- {name}\n--\n-- ")
            assert sentence(text).endswith("."), "the comment of the function"
            (signature,) = signatures(text)
            assert signature.startswith(f"{name}(")
            create, *grants = statements(text)
            assert create.startswith(f"create or replace function {name}(")
            assert all(one.startswith(f"grant execute on function {name} to ") for one in grants)
            if path.parent.name == "verbs":
                assert len(grants) == 1
            else:
                assert [one.rpartition(" to ")[2] for one in grants] in ([], ["cmbs_owner"])


def test_what_is_for_operators_is_granted_to_nobody(subtests: pytest.Subtests) -> None:
    for path in OPERATORS:
        with subtests.test(named(path)):
            name = f"cmbs.{path.stem}"
            text = path.read_text()
            assert text.startswith(f"-- {name}\n--\n-- ")
            (create,) = statements(text)
            assert create.startswith(f"create or replace function {name}(")
            assert "security definer" not in text
            assert "set search_path = pg_catalog, pg_temp\n" in text


def test_what_is_executed_is_quoted(subtests: pytest.Subtests) -> None:
    """A name goes into a statement as %I, a value as %L, and what is appended is constant."""
    for path in OPERATORS:
        with subtests.test(named(path)):
            for statement in re.findall(r"\bexecute ([^;]+);", path.read_text()):
                assert statement.startswith("format('")
                assert "%s" not in statement


def test_a_verb_promises_locks_and_raises(subtests: pytest.Subtests) -> None:
    for path in verb_files():
        with subtests.test(named(path)):
            header = path.read_text().split("\n\n")[0]
            assert "\n-- Locks      " in header
            assert "\n-- Raises     " in header


def test_a_header_and_a_comment_name_the_codes_that_the_file_raises(
    subtests: pytest.Subtests,
) -> None:
    for path in FUNCTIONS:
        with subtests.test(named(path)):
            text = path.read_text()
            header = text.split("create or replace function")[0]
            for code in set(re.findall(r"cmbs_store\.refuse\(\n +'(MB\d+)'", text)):
                assert code in header


def test_a_view_file_holds_one_view(subtests: pytest.Subtests) -> None:
    for path in VIEWS:
        with subtests.test(named(path)):
            name = f"cmbs.{path.stem}"
            text = path.read_text()
            assert text.startswith(f"-- {name}\n--\n-- ")
            allowed = (
                f"create or replace view {name} ",
                f"comment on view {name} is ",
                f"comment on column {name}.",
                f"revoke all on {name} from public",
                f"grant select on {name} to ",
            )
            parts = statements(text)
            assert [part for part in parts if not part.startswith(allowed)] == []
            assert [sum(part.startswith(start) for part in parts) > 0 for start in allowed] == [
                True
            ] * 5


def test_nothing_dynamic_and_nothing_that_cannot_be_distributed() -> None:
    for path in FUNCTIONS:
        body = without_comments(path.read_text()).lower().split("$$")[1]
        for forbidden in (
            # A disposition is a text.
            r"(?<!['\"])\bexecute\b",
            r"\block table\b",
            r"\badvisory",
            r"\bpg_notify\b|\bnotify\b|\blisten\b",
            r"\bcreate temp|\bcreate table",
            # How the caller's transaction is isolated is no input of his.
            r"\bcurrent_setting\b(?!\('transaction_(isolation|read_only)'\))",
            # But for this transaction, what is logged of it.
            r"\bset_config\b(?!\('log_min_messages', 'fatal', true\))",
            r"\btxid_|\bpg_current_xact|\bctid\b|\bpg_backend_pid\b|\bpg_current_wal",
            r"\bcascade\b",
            r"\bdblink\b|\bcopy\b",
            r"with [a-z_]+ as \(\s*(insert|update|delete)",
        ):
            assert not re.search(forbidden, body), (path.name, forbidden)


def test_lines_are_short() -> None:
    # Frozen functions are as they were written.
    one_line = re.compile(r"^(comment on|revoke all on|grant execute on) function ")
    for path in EVERYTHING:
        for line in path.read_text().splitlines():
            assert len(line) <= 100 or one_line.match(line), (path.name, line)


def test_plain_text() -> None:
    for path in EVERYTHING:
        text = path.read_text()
        assert text.isascii(), path
        assert "\t" not in text, path
        assert text.endswith("\n"), path
        assert not re.search(r" +$", text, re.MULTILINE), path


def test_every_refusal_has_a_code_and_one_constant_sentence() -> None:
    n_refusals = 0
    for path in EVERYTHING:
        for refused in re.findall(r"perform cmbs_store\.refuse\(([^;]*)", path.read_text()):
            n_refusals += 1
            code, sentence = r"('MB\d{3}'|p_state)", r"('[A-Z][^']*\.'|p_text)"
            if path.stem == "refuse_missing":
                assert refused == "v_code, v_message, p_detail::text, v_hint)"
                continue
            assert re.match(rf"\n +{code},\n +{sentence},\n", refused), path
    assert n_refusals > 30
    kinds = re.findall(
        r"\(\s*'(\w+)', 'MB\d{3}', '[A-Z][^']*\.',\s+'[A-Z][^']*\.'\s*\)",
        (sql_dir() / "call" / "refuse_missing.sql").read_text(),
    )
    asked = {
        kind
        for path in FUNCTIONS
        for kind in re.findall(r"cmbs_store\.refuse_missing\(\s*'(\w+)'", path.read_text())
    }
    assert sorted(asked) == sorted(kinds), "each kind of what can be missing is asked for"


def test_every_other_raise_is_complete() -> None:
    n_raises = 0
    for path in EVERYTHING:
        for raised in re.findall(r"\braise\b([^;]*);", without_comments(path.read_text())):
            if not raised.strip():
                continue  # "raise;" passes an error on
            n_raises += 1
            assert raised.strip().startswith("exception using"), path
            for part in ("errcode", "message", "detail"):
                assert re.search(rf"\b{part} = ", raised), (path, part)
            assert re.search(
                r"errcode = ('[a-z]+(?:_[a-z]+)+'|p_state)",
                raised,
            )
            constant = re.search(r"message = ('[A-Z][^']*\.'|p_message)", raised)
            assert constant, "a message is one constant sentence"
    assert n_raises > 5


def test_every_body_is_short() -> None:
    """60 lines, and 120 for the hottest verb."""
    for path in FUNCTIONS:
        body = path.read_text().split("$$")[1].strip().splitlines()
        limit = 120 if path.stem == "eliminate_message" else 75
        assert len(body) <= limit, (path.stem, len(body))


def test_parameters_and_variables_say_what_they_are() -> None:
    for path in FUNCTIONS:
        text = path.read_text()
        found = re.search(r"create or replace function [a-z_.]+\(\n(.*?)\n\)\n", text, re.DOTALL)
        for line in found.group(1).splitlines() if found else []:
            name = line.strip().removeprefix("inout ").removeprefix("out ").split()[0]
            # What a set-returning helper returns are columns.
            assert name.startswith("p_") or "\nreturns setof record\n" in text, (path.stem, line)
        declared = re.search(r"\ndeclare\n(.*?)\nbegin\n", text, re.DOTALL)
        for line in (declared.group(1) if declared else "").splitlines():
            if re.match(r"    \w", line):
                assert line.strip() == ")" or line.startswith(("    v_", "    )")), line
