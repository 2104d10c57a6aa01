"""The kits of the package: true, and good enough to find everything that they know."""

import itertools
import re
from importlib.resources import files

import pytest

from cmbs.adapters import (
    ITBenchAdapter,
    ITBenchOracle,
    TwentyQAdapter,
    TwentyQKit,
    TwentyQOracle,
    itbench,
    twenty_questions,
)
from tests.adapters.playing import play

KITS = {name: twenty_questions.load_builtin_kit(name) for name in ("20q_4", "20q_8", "20q_72")}
BENCHES = {name: itbench.load_builtin_kit(name) for name in ("itb_min_4", "itb_sre_6")}
ANIMALS = ["dog", "cat", "eagle", "shark"]
CAUSES = ["db_connection_exhaustion", "replication_lag", "disk_full", "bad_deploy"]


def test_what_they_are_about() -> None:
    assert KITS["20q_4"].hypotheses == ANIMALS
    assert KITS["20q_8"].hypotheses == [*ANIMALS, "snake", "dolphin", "horse", "cow"]
    assert len(KITS["20q_72"].hypotheses) == 72
    assert BENCHES["itb_min_4"].hypotheses == CAUSES
    assert BENCHES["itb_sre_6"].hypotheses == [*CAUSES, "network_partition", "cpu_throttle"]
    there = {kit.name for kit in (files("cmbs.adapters") / "kits").iterdir()}
    assert there == {f"{name}.yaml" for name in (*KITS, *BENCHES)}


@pytest.mark.parametrize("kit", KITS.values(), ids=list(KITS))
def test_every_secret_is_found(kit: TwentyQKit) -> None:
    oracle = TwentyQOracle(kit)
    for secret in kit.hypotheses:
        left, said = play(
            TwentyQAdapter(kit), kit.hypotheses, lambda asked, it=secret: oracle.answer(it, asked)
        )
        assert left == {secret}
        assert 0 < len(said) <= 20
        observed = {message.observation_id for message in said}
        assert len(observed) == len(said), "nothing is asked twice"


@pytest.mark.parametrize("kit", KITS.values(), ids=list(KITS))
def test_every_answer_leaves_a_way(kit: TwentyQKit) -> None:
    """Whatever is answered, at most one hypothesis is left; both answers keep what they may."""
    for one, other in itertools.combinations(kit.hypotheses, 2):
        assert any(
            (one in keep["yes"], one in keep["no"]) == (other in keep["no"], other in keep["yes"])
            and (one in keep["yes"]) != (one in keep["no"])
            for keep in (action.keep for action in kit.actions.values())
        ), f"no question tells {one} from {other}"
    for action in kit.actions.values():
        assert action.keep["yes"] | action.keep["no"] == set(kit.hypotheses), action.id


@pytest.mark.parametrize("name", BENCHES)
def test_every_root_cause_can_be_reached(name: str) -> None:
    kit = BENCHES[name]
    for cause in kit.hypotheses:
        oracle = ITBenchOracle(kit, cause)
        left = set(kit.hypotheses)
        for action_id in kit.actions_order:
            left -= kit.oracle_table[action_id][oracle.answer(action_id)]
        assert left == {cause}
        assert play(ITBenchAdapter(kit), kit.hypotheses, oracle.answer)[0] == {cause}


def test_no_outcome_rules_out_everything() -> None:
    for kit in BENCHES.values():
        for action_id, told in kit.oracle_table.items():
            for outcome, eliminates in told.items():
                assert eliminates < set(kit.hypotheses), f"{action_id}:{outcome}"


# The periodic table up to radon, whose rows are its periods.
_SYMBOLS = """
H He
Li Be B C N O F Ne
Na Mg Al Si P S Cl Ar
K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe
Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn
"""


def test_the_elements_are_what_chemistry_says() -> None:
    kit = KITS["20q_72"]
    rows = [line.split() for line in _SYMBOLS.split("\n")[1:-1]]
    numbers = {symbol: number for number, symbol in enumerate(itertools.chain(*rows), 1)}
    symbols = [symbol for symbol, number in numbers.items() if not 57 < number < 72]
    # The kit names them by atomic number.
    named = dict(zip(symbols, kit.hypotheses, strict=True))
    from_the_right = {symbol: len(row) - place for row in rows for place, symbol in enumerate(row)}

    def those(test: object) -> set[str]:
        assert callable(test)
        return {name for symbol, name in named.items() if test(symbol, name)}

    def of(text: str) -> set[str]:
        return {named[symbol] for symbol in text.split()}

    yes = {
        "atomic_number_at_most_36": those(lambda s, _: numbers[s] <= 36),
        "atomic_number_at_most_18": those(lambda s, _: numbers[s] <= 18),
        "atomic_number_at_most_54": those(lambda s, _: numbers[s] <= 54),
        "atomic_number_even": those(lambda s, _: numbers[s] % 2 == 0),
        "last_digit_5_or_more": those(lambda s, _: numbers[s] % 10 >= 5),
        "name_ends_in_ium": those(lambda _, name: name.endswith("ium")),
        "name_has_at_most_6_letters": those(lambda _, name: len(name) <= 6),
        "name_begins_a_to_m": those(lambda _, name: re.match("[a-m]", name)),
        "symbol_has_one_letter": those(lambda s, _: len(s) == 1),
        "symbol_begins_otherwise": those(lambda s, name: s[0].lower() != name[0]),
        "symbol_begins_name": those(lambda s, name: name.startswith(s.lower())),
        "is_noble_gas": those(lambda s, _: from_the_right[s] == 1),
        "is_halogen": those(lambda s, _: from_the_right[s] == 2 and numbers[s] > 2),
        "is_alkali_metal": of("Li Na K Rb Cs"),
        "is_alkaline_earth_metal": of("Be Mg Ca Sr Ba"),
        "is_gas": of("H N O F Cl He Ne Ar Kr Xe Rn"),
        "is_liquid": of("Br Hg"),
        "has_no_stable_isotope": of("Tc Po At Rn Bi"),
    }
    both = {"has_no_stable_isotope": of("Bi"), "is_metal": of("B Si Ge As Se Sb Te Po At")}
    nonmetals = of("H C N O P S F Cl Br I He Ne Ar Kr Xe Rn")
    yes["is_metal"] = set(kit.hypotheses) - nonmetals
    # Group 18 is the last of a row, and group 3 the sixteenth from there; or it is lanthanum.
    both["in_groups_3_to_12"] = of("La")
    middle = those(lambda s, _: numbers[s] > 18 and 7 <= from_the_right[s] <= 16)
    yes["in_groups_3_to_12"] = middle | of("La")
    assert yes.keys() == set(kit.actions)
    for action_id, expected in yes.items():
        keep = kit.actions[action_id].keep
        assert keep["yes"] == expected, action_id
        assert keep["yes"] & keep["no"] == both.get(action_id, set()), action_id
