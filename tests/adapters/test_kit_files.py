"""Kits from elsewhere: what is wrong is told, and what is hostile does nothing."""

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs.adapters import (
    ITBenchAdapter,
    ITBenchKit,
    TwentyQAdapter,
    TwentyQKit,
    itbench,
    twenty_questions,
)
from tests.adapters.playing import play
from tests.support.sizes import size

Loader = Callable[[Path], TwentyQKit | ITBenchKit]
KITS = Path(twenty_questions.__file__).parent / "kits"
LOADERS: dict[str, Loader] = {
    "20q_4.yaml": twenty_questions.load_kit,
    "itb_min_4.yaml": itbench.load_kit,
}


def refused(folder: Path, text: str | bytes, load: Loader = twenty_questions.load_kit) -> str:
    """What is said about a kit that holds this; it names the file, in one short line."""
    path = folder / "mine.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=r"\A") as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith("mine.yaml")
    assert len(said) < 6000
    assert len(said.splitlines()) == 1
    return said


def test_a_kit_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text((KITS / "20q_4.yaml").read_text())
    kit = twenty_questions.load_kit(path)
    assert kit == twenty_questions.load_builtin_kit("20q_4")
    assert kit == twenty_questions.load_kit(str(path))
    assert kit.actions_order == ["is_mammal", "barks", "can_fly"] == list(kit.actions)
    assert kit.actions["barks"].keep == {
        "yes": frozenset({"dog"}),
        "no": frozenset({"cat", "eagle", "shark"}),
    }
    path.write_text((KITS / "itb_min_4.yaml").read_text())
    bench = itbench.load_kit(path)
    assert bench == itbench.load_builtin_kit("itb_min_4")
    assert bench.oracle_table["check_disk"]["space_left"] == frozenset({"disk_full"})
    assert bench.actions["check_disk"].outcomes == ["space_left", "full"]


@pytest.mark.parametrize(
    ("module", "other"), [(twenty_questions, "itb_min_4"), (itbench, "20q_4")], ids=str
)
def test_a_kit_that_is_not_there(module: Any, other: str, tmp_path: Path) -> None:
    for name in (other, "", "../types", "20q_4.yaml", "20Q_4", "/etc/passwd"):
        with pytest.raises(
            ValueError, match=r"there is no kit .*; there are (20q|itb)_\w+, "
        ) as why:
            module.load_builtin_kit(name)
        assert repr(name) in str(why.value)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.yaml"):
        module.load_kit(tmp_path / "nowhere.yaml")


BARKS = "mine.yaml, action 'barks'"
# A change of the kit 20q_4, and what is said about it.
MISTAKES: dict[str, tuple[str, str, str]] = {
    "hypothesis twice": ("[dog, cat,", "[dog, dog,", "mine.yaml: hypotheses names 'dog' twice"),
    "no hypotheses": ("[dog, cat, eagle, shark]\na", "[]\na", "mine.yaml: hypotheses is empty"),
    "hypotheses missing": ("hypotheses:", "hypothesis:", "mine.yaml: 'hypotheses' is missing"),
    "hypotheses no list": (
        "[dog, cat, eagle, shark]\na",
        "dog\na",
        "must be a list and is of type",
    ),
    "hypothesis a number": ("[dog, cat,", "[1, cat,", "is of type int; put it in quotes"),
    "hypothesis a boolean": ("[dog, cat,", "[off, cat,", "is of type bool; put it in quotes"),
    "hypothesis null": ("[dog, cat,", "[~, cat,", "must be text and is nothing"),
    "hypothesis empty": ("[dog, cat,", "['', cat,", "an entry of hypotheses is empty"),
    "hypothesis long": ("[dog, cat,", f"[{'ä' * 257}, cat,", "is longer than 512 bytes"),
    "hypothesis NUL": ("[dog, cat,", '["\\0", cat,', "an entry of hypotheses: text must not hold"),
    "lone surrogate": ("[dog, cat,", '["\\ud800", cat,', "text must not hold a lone surrogate"),
    "action twice": ("id: barks", "id: is_mammal", "mine.yaml: action 'is_mammal' is there twice"),
    "action without id": ("id: barks", "name: barks", "entry 2 of actions: 'id' is missing"),
    "action id a number": ("id: barks", "id: 7", "entry 2 of actions: id must be text"),
    "action id too long": ("id: barks", f"id: {'b' * 509}", "the id with its outcome is longer"),
    "action no mapping": ("  - id: can_fly", "  - can_fly", "mine.yaml: "),
    "no question": ("question: Does it bark?", "", f"{BARKS}: 'question' is missing"),
    "question a number": ("Does it bark?", "42", f"{BARKS}: question must be text"),
    "question empty": ("Does it bark?", '""', f"{BARKS}: question is empty"),
    "unknown in keep": (
        '"yes": [dog]',
        '"yes": [dgo]',
        f"{BARKS}, keep: yes names 'dgo', which is",
    ),
    "twice in keep": ('"yes": [dog]', '"yes": [dog, dog]', f"{BARKS}, keep: yes names 'dog' twice"),
    "keep no list": ('"yes": [dog]', '"yes": dog', f"{BARKS}, keep: yes must be a list"),
    "keep nothing": ('"yes": [dog]', '"yes":', f"{BARKS}, keep: yes must be a list and is nothing"),
    "bare yes": ('"yes": [dog]', "yes: [dog]", f"{BARKS}, keep: has a bare yes or no as a key"),
    "bare no": ('"no": [cat,', "no: [cat,", 'which YAML reads as a boolean; quote it: "yes"'),
    "a key a number": ('"yes": [dog]', "1: [dog]", f"{BARKS}, keep: has the key 1, which is of"),
    "no yes": ('"yes": [dog]', "", f"{BARKS}, keep: the answer 'yes' is missing"),
    "another answer": ('"yes": [dog]', '"yes": [dog]\n      "so": []', "there is no answer 'so'"),
    "yes twice": (
        '"yes": [dog]',
        '"yes": [dog]\n      "yes": []',
        "line 12: the key 'yes' is there",
    ),
    "not YAML": ("actions:", "actions: [", "mine.yaml: while parsing"),
    "two documents": ("actions:", "---\nactions:", "mine.yaml: expected a single document"),
    "no day": ("[dog, cat,", "[2001-99-99, cat,", "mine.yaml: "),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_are_told(what: str, tmp_path: Path) -> None:
    old, new, said = MISTAKES[what]
    text = (KITS / "20q_4.yaml").read_text()
    assert old in text
    assert said in refused(tmp_path, text.replace(old, new, 1))


BENCH_MISTAKES: dict[str, tuple[str, str, str]] = {
    "no outcomes": ("[no_release, release_before]", "[]", "outcomes is empty"),
    "outcome twice": (
        "[no_release, ",
        "[release_before, ",
        "outcomes names 'release_before' twice",
    ),
    "outcome a boolean": ("[no_release, ", "[no, ", "is of type bool; put it in quotes"),
    "outcome too long": ("[no_release, ", f"[{'n' * 500}, ", "the id with its outcome is longer"),
    "no description": (
        "description: Read how much",
        "text: Read how much",
        "action 'check_disk': 'd",
    ),
    "no table": ("oracle_table:", "oracle:", "mine.yaml: 'oracle_table' is missing"),
    "action not in table": (
        "\n  check_disk:\n",
        "\n  check_desk:\n",
        "the action 'check_disk' is mis",
    ),
    "table too large": ("oracle_table:", "oracle_table:\n  x: {}", "there is no action 'x'"),
    "outcome not in table": (
        "    full: ",
        "    foul: ",
        "check_disk: the outcome 'full' is missing",
    ),
    "eliminates missing": (
        "full: {eliminates:",
        "full: {eliminate:",
        "full: 'eliminates' is missing",
    ),
    "unknown eliminated": (
        "[disk_full]}",
        "[disk]}",
        "eliminates names 'disk', which is no hypothe",
    ),
}


@pytest.mark.parametrize("what", BENCH_MISTAKES)
def test_mistakes_in_tables_are_told(what: str, tmp_path: Path) -> None:
    old, new, said = BENCH_MISTAKES[what]
    text = (KITS / "itb_min_4.yaml").read_text()
    assert old in text
    assert said in refused(tmp_path, text.replace(old, new, 1), itbench.load_kit)


_LEVELS = "abcdefghij"
_LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{one}: &{one} [{', '.join(['*' + before] * 9)}]\n"
    for before, one in itertools.pairwise(_LEVELS)
)
_MERGES = "a: &a {x: y}\n" + "".join(
    f"{one}: &{one} {{<<: [{', '.join(['*' + before] * 9)}]}}\n"
    for before, one in itertools.pairwise(_LEVELS)
)
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "must be a mapping and is nothing"),
    "a list": ("[a]", "must be a mapping and is of type list"),
    "laughs": (_LAUGHS, "line 2: a kit has no aliases (*a)"),
    "merges": (_MERGES, "line 2: a kit has no aliases (*a)"),
    "itself": ("&a [*a]", "a kit has no aliases (*a)"),
    "a call": ('!!python/object/apply:os.system ["touch hostile"]', "a kit has no tags (tag:yaml"),
    "a tag of a list": ("!!set {a, b}", "a kit has no tags"),
    "a tag of nothing": ("!!timestamp x", "a kit has no tags"),
    "a tag of no kind": ("! x", "a kit has no tags (!)"),
    "depth": ("[" * 100_000, "a kit is at most 16 levels deep"),
    "depth of blocks": ("- " * 100_000, "a kit is at most 16 levels deep"),
    "a long number": ("1" * 5000, "a text may have up to 4096 characters"),
    "a number of base 60": ("1" + ":59" * 80_000, "a text may have up to 4096 characters"),
    "an endless number": ("1" + ":59" * 1000 + ".5", "mine.yaml: "),
    "size": (b"#" * 262_145, "a kit may have up to 256 KiB"),
    "no UTF-8": (b"\xff\xfe", "mine.yaml: 'utf-8' codec"),
    "a key of a list": ("? [a]\n: b", "unhashable key"),
    "control characters": ("a: \x07", "special characters are not allowed"),
    "a long tag": ("!" + "x" * 5000 + " y", "mine.yaml: "),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_hostile_does_nothing(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text, said = HOSTILE[what]
    for load in LOADERS.values():
        assert said in refused(tmp_path, text, load)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yaml"]


def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(ValueError, match="zero: a kit may have up to 256 KiB"):
        twenty_questions.load_kit("/dev/zero")


_MARKS = st.sampled_from("&*![]{}-':?|>#~=.\"\n\t\ufeff\u2028")
_TOKENS = st.sampled_from(
    ["yes", "dog", "!!int ", "0x_", "._", "1:59", "2001-02-30", "&a *a", "\n- "]
)


@st.composite
def _tampered(draw: st.DrawFn) -> tuple[str, str]:
    """A kit with slices of it replaced, and its name."""
    name = draw(st.sampled_from(sorted(LOADERS)))
    text = (KITS / name).read_text()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 20))
        text = text[:start] + draw(_MARKS | _TOKENS | st.text(max_size=5)) + text[start + length :]
    return name, text


_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@st.composite
def _reformed(draw: st.DrawFn) -> tuple[str, str]:
    """A kit in which something is of another form, and its name."""
    name = draw(st.sampled_from(sorted(LOADERS)))
    kit = yaml.safe_load((KITS / name).read_text())
    chance = random.Random(draw(st.integers()))
    for _ in range(draw(st.integers(1, 3))):
        inside: Any = kit
        while isinstance(inside, dict | list) and inside:
            key = chance.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
            if not chance.randrange(4) or not isinstance(inside[key], dict | list):
                inside[key] = draw(_VALUE)
                break
            inside = inside[key]
    return name, yaml.safe_dump(kit, allow_unicode=True)


@settings(
    max_examples=size(50, 400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(_tampered() | _reformed())
def test_any_kit_is_refused_in_a_sentence_or_can_be_played(
    tmp_path: Path, kit: tuple[str, str]
) -> None:
    name, text = kit
    path = tmp_path / "mine.yaml"
    path.write_bytes(text.encode())
    try:
        loaded = LOADERS[name](path)
    except ValueError as error:
        refusal = str(error)
    else:
        refusal = ""
        play_at_random(loaded, random.Random(text))
    assert not refusal or refusal.startswith("mine.yaml")
    assert "\n" not in refusal


def play_at_random(loaded: TwentyQKit | ITBenchKit, chance: random.Random) -> None:
    adapter = TwentyQAdapter(loaded) if isinstance(loaded, TwentyQKit) else ITBenchAdapter(loaded)
    outcomes = {
        action_id: ["yes", "no"] if isinstance(loaded, TwentyQKit) else list(action.outcomes)
        for action_id, action in loaded.actions.items()
    }
    left, said = play(adapter, loaded.hypotheses, lambda asked: chance.choice(outcomes[asked]))
    assert left <= set(loaded.hypotheses)
    assert len(said) <= len(loaded.actions)
