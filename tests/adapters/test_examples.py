"""The programs of examples/ that play with adapters, as somebody would run them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cmbs.adapters import itbench, twenty_questions
from cmbs.deploy.resources import examples_dir
from tests.support.servers import ROOT

TWENTY, BENCH = (examples_dir() / name for name in ("run_20q.py", "run_itbench.py"))


def run(
    program: Path, *arguments: str, stdin: str = "", path: Path | None = ROOT
) -> subprocess.CompletedProcess[str]:
    """The program in another folder, with CMBS where the environment of a checkout has it."""
    command = [sys.executable, str(program), *arguments]
    env = {} if path is None else {"PYTHONPATH": str(path)}
    return subprocess.run(
        command, input=stdin, env=env, cwd="/", capture_output=True, text=True, check=False
    )


def output(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_secret_of_every_kit_is_found() -> None:
    said = output(run(TWENTY))
    games = re.findall(r"^(20q_\d+) +(\w+) +(\d+) questions$", said, re.MULTILINE)
    kits = {name: twenty_questions.load_builtin_kit(name) for name in ("20q_4", "20q_8", "20q_72")}
    assert [game[:2] for game in games] == [
        (name, secret) for name, kit in kits.items() for secret in kit.hypotheses
    ]
    assert all(1 <= int(asked) <= 20 for *_, asked in games)
    assert "20q_72  all 72 were found, with 6.9 questions on average" in said
    one = output(run(TWENTY, "--kit", "20q_4"))
    assert said.startswith(one)
    assert "20q_8" not in one


def test_one_game_is_shown() -> None:
    assert output(run(TWENTY, "--secret", "snake")) == (
        "    8 left, entropy 3.00 bits: cat, cow, dog, dolphin, eagle, horse, shark, snake\n"
        " 1. Is it a mammal? no\n"
        "    3 left, entropy 1.58 bits: eagle, shark, snake\n"
        " 2. Does it have fins? no\n"
        "    2 left, entropy 1.00 bits: eagle, snake\n"
        " 3. Does it live in the sea? yes\n"
        "    1 left, entropy 0.00 bits: snake\n"
        "conclusion snake: accepted\n"
        "termination: approved\n"
    )
    gold = output(run(TWENTY, "--kit", "20q_72", "--secret", "gold"))
    assert "    72 left, entropy 6.17 bits: aluminium, antimony, " in gold
    assert gold.endswith("conclusion gold: accepted\ntermination: approved\n")


def test_a_person_plays() -> None:
    said = output(run(TWENTY, "--interactive", stdin="y\nperhaps\n\n N\nYES\n"))
    assert said.startswith("Think of one of these: dog, cat, eagle, ")
    assert said.count("Does it have hooves? [y/n] Please answer y or n.\n") == 2
    assert said.endswith("conclusion dolphin: accepted\ntermination: approved\n")
    ended = run(TWENTY, "--kit", "20q_72", "--interactive", stdin="y\n")
    assert ended.returncode == 1
    assert ended.stderr == "\nrun_20q: no answer any more, so the game ends here\n"


@pytest.mark.parametrize(
    ("program", "arguments", "said"),
    [
        (TWENTY, ["--secret", "unicorn"], "no kit of 20q_4, 20q_8, 20q_72 knows 'unicorn'"),
        (TWENTY, ["--kit", "20q_4", "--secret", "cow"], "no kit of 20q_4 knows 'cow'"),
        (TWENTY, ["--kit", "20q_5"], "invalid choice: '20q_5' (choose from "),
        (TWENTY, ["--secret", "dog", "--interactive"], "not allowed with argument --secret"),
        (TWENTY, ["dog"], "unrecognized arguments: dog"),
        (BENCH, ["--scenario", "gremlins"], "invalid choice: 'gremlins' (choose from "),
        (BENCH, ["disk_full"], "unrecognized arguments: disk_full"),
    ],
)
def test_what_cannot_be_played(program: Path, arguments: list[str], said: str) -> None:
    done = run(program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {program.name} ")
    assert f"{program.name}: error: " in done.stderr
    assert said in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("program", [TWENTY, BENCH], ids=lambda program: program.stem)
def test_without_cmbs_they_say_what_to_do(program: Path) -> None:
    # -S: no site-packages, so none of what the environment has.
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(program)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{program.stem}: No module named 'cmbs'; the first `python3 run")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("cause", itbench.load_builtin_kit("itb_sre_6").hypotheses)
def test_an_incident_comes_to_its_root_cause(cause: str) -> None:
    said = output(run(BENCH, "--scenario", cause))
    before, after = said.split("\n3. ")
    assert "   exit: denied, minimum eliminations not met\n" in before
    assert f"   conclusion {cause}: denied, active obligation blocks conclusion\n" in before
    assert f"exit: approved\n   conclusion {cause}: accepted\n   termination: approved\n" in after
    rows = re.findall(r"^ +(\d+)  ([A-Z_]+) +(.+?) +([0-9a-f]{12})$", after, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    verbs = [verb for _, verb, *_ in rows if verb != "ELIMINATE"]
    assert verbs == [
        "DECLARE_SESSION",
        "ENTER_OBLIGATION",
        "REQUEST_EXIT",
        "DECLARE_CONCLUSION",
        "REQUEST_EXIT",
        "DECLARE_CONCLUSION",
        "REQUEST_TERMINATION",
    ]
    assert rows[3][2] == f"{cause}, active obligation blocks conclusion"
    assert sum(int(told.split()[-2]) for _, verb, told, _ in rows if verb == "ELIMINATE") == 5
    assert f"   {len(rows)} events lead to the same: {cause}\n" in after


def test_without_a_scenario_there_is_one_all_the_same() -> None:
    assert "conclusion replication_lag: accepted" in output(run(BENCH))
