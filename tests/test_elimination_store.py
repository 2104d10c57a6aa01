"""T-STORE-01 to T-STORE-10 and what else every store of eliminations must do, over all of them."""

import contextlib
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any
from uuid import uuid4

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs.spi.elimination_store import (
    EliminationProvenance,
    EliminationResult,
    EliminationStore,
    RecoveredState,
)
from cmbs.stores import InMemoryStore, PostgresStore, TeeStore
from tests.support.servers import ROOT
from tests.support.sizes import sampled, size
from tests.tee.others import OlderTee, older
from tests.tee.serving import delta, say, serving

WHY = EliminationProvenance("tool://df", "df -h")
ABC = frozenset("abc")
METHODS: dict[str, Callable[[EliminationStore, Any], object]] = {
    "eliminate": lambda store, session_id: store.eliminate(session_id, ["a"], WHY),
    "get_survivors": lambda store, session_id: store.get_survivors(session_id),
    "get_eliminated": lambda store, session_id: store.get_eliminated(session_id),
    "recover": lambda store, session_id: store.recover(session_id),
}


@dataclass(frozen=True)
class Subject:
    """A store, and what its hypotheses need before a session can be created over them."""

    store: EliminationStore
    seed: Callable[[Iterable[str]], object] = frozenset
    takes_empty_text: bool = True

    def create(self, session_id: str, ids: Iterable[str] = ABC) -> EliminationStore:
        given = list(ids)
        self.seed(given)
        self.store.create_session(session_id, given)
        return self.store


@contextlib.contextmanager
def memory(request: pytest.FixtureRequest) -> Iterator[Subject]:
    yield Subject(InMemoryStore())


@contextlib.contextmanager
def postgres(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with PostgresStore(request.getfixturevalue("database")) as store:
        yield Subject(store)


@contextlib.contextmanager
def tee(request: pytest.FixtureRequest) -> Iterator[Subject]:
    """Over real gRPC; hypotheses are nodes of the graph before a session can begin over them."""
    with (
        serving(request.getfixturevalue("database")) as address,
        grpc.insecure_channel(address) as channel,
        TeeStore(address) as store,
    ):

        def seed(ids: Iterable[str]) -> None:
            say(channel, "MergeHypothesis", delta(sorted({*ids})))

        yield Subject(store, seed, takes_empty_text=False)


@contextlib.contextmanager
def tee_of_others(request: pytest.FixtureRequest) -> Iterator[Subject]:
    """Of the same proto, as it was before fields were added."""
    known = OlderTee()
    with older(known) as address, TeeStore(address) as store:

        def seed(ids: Iterable[str]) -> None:
            known.graph.nodes.extend(delta(sorted({*ids})).nodes)

        yield Subject(store, seed, takes_empty_text=False)


@contextlib.contextmanager
def of_the_page(request: pytest.FixtureRequest) -> Iterator[Subject]:
    """The one that docs/writing-a-store.md writes, as an example of a store from elsewhere."""
    page = (ROOT / "docs" / "writing-a-store.md").read_text()
    (block,) = re.findall(r"^```python\n(import sqlite3\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {"__name__": "page"}
    exec(block, found)
    with contextlib.closing(found["SqliteStore"](":memory:")) as store:
        yield Subject(store)


@pytest.fixture(
    params=[memory, postgres, tee, tee_of_others, of_the_page], ids=lambda made: made.__name__
)
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with request.param(request) as made:
        yield made


def state(ids: Iterable[str], eliminated: Iterable[str]) -> RecoveredState:
    return RecoveredState(frozenset(ids), frozenset(eliminated), {*ids} - frozenset(eliminated))


def result(applied: Iterable[str], already: Iterable[str] = ()) -> EliminationResult:
    return EliminationResult(frozenset(applied), frozenset(already))


def test_t_store_01_create_and_read_back(subject: Subject) -> None:
    store = subject.create("s", ["b", "a", "c", "a"])
    assert isinstance(store, EliminationStore)
    assert store.get_survivors("s") == ABC
    assert store.get_eliminated("s") == frozenset()
    assert store.recover("s") == state(ABC, [])


def test_t_store_02_eliminate_reports_applied_and_survivors_shrink(subject: Subject) -> None:
    store = subject.create("s")
    assert store.eliminate("s", ["a", "b", "a"], WHY) == result("ab")
    assert store.get_survivors("s") == {"c"}
    assert store.get_eliminated("s") == {"a", "b"}
    assert store.eliminate("s", ["c"], WHY) == result("c")
    assert store.get_survivors("s") == frozenset()


def test_t_store_03_repeated_elimination_is_already_eliminated(subject: Subject) -> None:
    store = subject.create("s")
    store.eliminate("s", ["a"], WHY)
    other = EliminationProvenance("another", "reason")
    for provenance in (WHY, other):
        assert store.eliminate("s", ["a"], provenance) == result([], "a")
    assert store.eliminate("s", ["a", "b"], other) == result("b", "a")
    assert store.recover("s") == state(ABC, "ab")


def test_t_store_04_unknown_ids_change_nothing(subject: Subject) -> None:
    store = subject.create("s")
    assert store.eliminate("s", ["unknown", "A", ""], WHY) == result([], ["unknown", "A", ""])
    assert store.recover("s") == state(ABC, [])
    assert store.eliminate("s", ["unknown", "a"], WHY) == result("a", ["unknown"])
    assert store.get_eliminated("s") == {"a"}
    assert store.eliminate("s", ["unknown"], WHY) == result([], ["unknown"]), "still unknown"


def test_t_store_05_nothing_comes_back(subject: Subject) -> None:
    ids = [f"h{number}" for number in range(20)]
    store = subject.create("s", ids)
    before = store.get_survivors("s")
    for asked in (ids[:3], [], ids[2:9], ["unknown"], ids[:1], ids[8:]):
        store.eliminate("s", asked, WHY)
        subject.create("s", ids)
        after = store.get_survivors("s")
        assert after == before - {*asked}
        before = after
    assert before == frozenset()


def test_t_store_06_order_does_not_matter(subject: Subject) -> None:
    messages = (["a", "b"], ["b", "c"], ["unknown", "c"], [])
    for number, order in enumerate(permutations(messages)):
        store = subject.create(f"s{number}", "abcd")
        for asked in order:
            store.eliminate(f"s{number}", asked, WHY)
        assert store.recover(f"s{number}") == state("abcd", "abc")


def test_t_store_07_sessions_are_isolated(subject: Subject) -> None:
    store = subject.create("one", "ab")
    subject.create("same", "ab")
    subject.create("other", "bc")
    assert store.eliminate("one", ["a", "c"], WHY) == result("a", "c")
    assert store.recover("same") == state("ab", [])
    assert store.eliminate("other", ["a", "b"], WHY) == result("b", "a")
    assert store.recover("one") == state("ab", "a")
    assert store.recover("other") == state("bc", "b")


def test_t_store_08_recover_is_of_one_moment(subject: Subject) -> None:
    """Whatever is being eliminated: the sets fit each other, and whole messages are in them."""
    pairs = [(f"{number} left", f"{number} right") for number in range(60)]
    ids = frozenset(one for pair in pairs for one in pair)
    store = subject.create("s", ids)
    over = threading.Event()

    def read() -> list[RecoveredState]:
        seen = [store.recover("s")]
        while not over.is_set():
            seen.append(store.recover("s"))
        return [*seen, store.recover("s")]

    with ThreadPoolExecutor() as pool:
        reading = [pool.submit(read) for _ in range(2)]
        try:
            for pair in pairs:
                store.eliminate("s", pair, WHY)
        finally:
            over.set()
        for seen in (reader.result() for reader in reading):
            assert seen[-1] == state(ids, ids)
            for earlier, later in pairwise(seen):
                assert earlier.eliminated <= later.eliminated
            for found in seen:
                assert found == state(ids, found.eliminated)
                assert all(
                    (left in found.eliminated) == (right in found.eliminated)
                    for left, right in pairs
                )


def test_t_store_09_create_again_and_unknown_sessions(subject: Subject) -> None:
    store = subject.create("s")
    store.eliminate("s", ["a"], WHY)
    subject.create("s", ["c", "b", "a", "b"])
    assert store.recover("s") == state(ABC, "a"), "nothing"
    for other in ("ab", "abcd", "", "bc"):
        with pytest.raises(ValueError, match="other hypotheses"):
            subject.create("s", other)
    assert store.recover("s") == state(ABC, "a")
    for unknown in ("S", "s ", "", "nobody"):
        for method in METHODS.values():
            with pytest.raises(KeyError) as caught:
                method(store, unknown)
            assert caught.value.args == (unknown,)


def test_t_store_10_each_id_is_applied_once_whoever_asks(subject: Subject) -> None:
    for turn in range(5):
        race(subject, f"round {turn}")


def race(subject: Subject, session_id: str, n_threads: int = 12) -> None:
    """Threads behind a barrier, with sets that overlap; a pool has fewer connections than that."""
    ids = [f"h{number}" for number in range(n_threads * 10)]
    store = subject.create(session_id, ids)
    ready = threading.Barrier(n_threads, timeout=60)

    def work(number: int) -> Counter[str]:
        # Half of the ids, those of the neighbours among them, in an order of its own.
        mine = [ids[(number * 10 + step * 7) % len(ids)] for step in range(len(ids) // 2)]
        found = Counter[str]()
        ready.wait()
        for part in (mine[:30], mine[20:]):
            answer = store.eliminate(session_id, part, WHY)
            assert answer.applied | answer.already_eliminated == {*part}
            assert not answer.applied & answer.already_eliminated
            found.update(answer.applied)
        return found

    with ThreadPoolExecutor(n_threads) as pool:
        applied = sum(pool.map(work, range(n_threads)), Counter[str]())
    assert applied == Counter(ids), "each id in exactly one `applied`"
    assert store.recover(session_id) == state(ids, ids)


OPAQUE = [
    "",
    " ",
    "  a ",
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "'; drop table cmbs_store.context; --",
    '"\\"{},NULL',
    "NULL",
    "two\nlines\r\n",
    "\u00e9",
    "e\u0301",
    "%s %(x)s {0}",
    "\x01\x7f\uffff",
    "x" * 512,
]


@pytest.mark.parametrize("session_id", sampled(OPAQUE), ids=repr)
def test_ids_are_opaque(subject: Subject, session_id: str) -> None:
    opaque = texts(subject)
    if session_id not in opaque:
        with pytest.raises(ValueError, match="session_id: a Tee takes no empty text"):
            subject.store.create_session(session_id, ["a"])
        return
    store = subject.create(session_id, opaque)
    assert store.get_survivors(session_id) == {*opaque}
    assert store.eliminate(session_id, [session_id], WHY) == result([session_id])
    assert store.recover(session_id) == state(opaque, [session_id])
    assert store.eliminate(session_id, opaque, WHY).already_eliminated == {session_id}


def texts(subject: Subject) -> list[str]:
    """What may be an id, or a word on provenance."""
    return [text for text in OPAQUE if text or subject.takes_empty_text]


def test_any_provenance_of_text(subject: Subject) -> None:
    opaque = texts(subject)
    store = subject.create("s", opaque)
    for text in opaque:
        assert store.eliminate("s", [text], EliminationProvenance(text, text)) == result([text])


def test_nothing_at_all_is_a_set(subject: Subject) -> None:
    store = subject.create("s", [])
    assert store.recover("s") == state([], [])
    assert store.eliminate("s", [], WHY) == result([])
    assert store.eliminate("s", ["a"], WHY) == result([], "a")
    subject.create("s", [])
    with pytest.raises(ValueError, match="other hypotheses"):
        subject.create("s", ["a"])
    # Nothing is not the same as one id without letters.
    with pytest.raises(ValueError, match=r"other hypotheses|hypothesis_ids: a Tee takes no empty"):
        subject.store.create_session("s", [""])


def test_answers_are_frozen(subject: Subject) -> None:
    store = subject.create("s")
    answer = store.eliminate("s", ["a"], WHY)
    found = store.recover("s")
    for answered in (
        *(answer.applied, answer.already_eliminated),
        *(found.hypothesis_ids, found.eliminated, found.survivors),
        *(store.get_survivors("s"), store.get_eliminated("s")),
    ):
        assert type(answered) is frozenset
    store.eliminate("s", ["b"], WHY)
    assert found == state(ABC, "a"), "what was answered does not change"


def test_any_iterable_is_a_set_of_ids(subject: Subject) -> None:
    store = subject.create("s")
    subject.store.create_session("s", (one for one in "abc"))
    assert store.eliminate("s", (one for one in "ax"), WHY) == result("a", "x")
    assert store.eliminate("s", {"b": 1}, WHY) == result("b")
    mine = {"c"}
    store.eliminate("s", mine, WHY)
    mine.add("z")
    assert store.get_eliminated("s") == ABC


@pytest.mark.parametrize(
    "wrong", sampled(["abc", "", None, 7, ["a", None], [1], [b"a"], [["a"]], b"abc"])
)
def test_what_is_no_set_of_ids(subject: Subject, wrong: Any) -> None:
    store = subject.create("s")
    with pytest.raises(ValueError, match=r"hypothesis_ids must be (several ids|text)"):
        store.create_session("new", wrong)
    with pytest.raises(ValueError, match=r"eliminated must be (several ids|text)"):
        store.eliminate("s", wrong, WHY)
    assert store.recover("s") == state(ABC, [])
    with pytest.raises(KeyError):
        store.recover("new")


@pytest.mark.parametrize("wrong", [None, 7, b"s", ["s"]])
def test_what_is_no_id_of_a_session(subject: Subject, wrong: Any) -> None:
    with pytest.raises(ValueError, match="session_id must be text, not "):
        subject.store.create_session(wrong, ["a"])
    for method in METHODS.values():
        with pytest.raises(ValueError, match="session_id must be text, not "):
            method(subject.store, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        ("tool://df", "df -h"),
        EliminationProvenance(None, "t"),  # type: ignore[arg-type]
        EliminationProvenance("s", 7),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_provenance(subject: Subject, wrong: Any) -> None:
    store = subject.create("s")
    with pytest.raises(ValueError, match=r"must be (text|an EliminationProvenance), not "):
        store.eliminate("s", ["a"], wrong)
    assert store.get_eliminated("s") == frozenset()


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9)
_ID = st.sampled_from(["", "a", "b", "c", "\U0001f600"]) | _TEXT
_IDS = st.frozensets(_ID, max_size=6)
_SESSION = st.sampled_from(["", "s", "t"])
_CALL = st.one_of(
    st.tuples(st.just("create_session"), _SESSION, _IDS),
    st.tuples(st.just("eliminate"), _SESSION, _IDS, st.builds(EliminationProvenance, _ID, _ID)),
    st.tuples(st.sampled_from(["get_survivors", "get_eliminated", "recover"]), _SESSION),
)


def outcome(store: EliminationStore, method: str, *arguments: object) -> object:
    """What a call answers, or the kind of its refusal."""
    try:
        return getattr(store, method)(*arguments)
    except (KeyError, ValueError) as error:
        return type(error)


def test_both_stores_answer_alike(database: str) -> None:
    with PostgresStore(database) as kept:

        @settings(
            deadline=None, max_examples=size(50, 150), suppress_health_check=[HealthCheck.too_slow]
        )
        @given(st.lists(_CALL, max_size=25))
        def answer_alike(calls: list[tuple[Any, ...]]) -> None:
            remembered, this_time = InMemoryStore(), str(uuid4())
            for method, session_id, *arguments in calls:
                expected = outcome(remembered, method, session_id, *arguments)
                assert outcome(kept, method, this_time + session_id, *arguments) == expected

        answer_alike()
