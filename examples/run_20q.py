#!/usr/bin/env python3
"""Play twenty questions with a belief server inside this process.

    python examples/run_20q.py                    every secret of every kit, a line each
    python examples/run_20q.py --secret shark     one game, question by question
    python examples/run_20q.py --interactive      you think of something, and answer y or n

It needs the packages of CMBS and no database: after the first start of run.py, .venv/bin/python of
a checkout has them.
"""

import argparse
import sys
from collections.abc import Callable, Sequence

try:
    from cmbs import BeliefServer, BeliefSnapshot, OntologyBundle
    from cmbs.adapters import Action, TwentyQAdapter, TwentyQKit, TwentyQOracle
    from cmbs.adapters.twenty_questions import load_builtin_kit
except ModuleNotFoundError as missing:
    sys.exit(
        f"run_20q: {missing}; the first `python3 run.py demo` of a checkout installs everything, "
        "and .venv/bin/python has it then"
    )

KITS = ("20q_4", "20q_8", "20q_72")
# A list of more names than this is not read by anybody.
MOST_NAMES = 8


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Play twenty questions.")
    parser.add_argument("--kit", choices=KITS, help="what it is about (default: all of them)")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--secret", help="play one game, and show all of it")
    who.add_argument("--interactive", action="store_true", help="answer the questions yourself")
    options = parser.parse_args(arguments)
    kits = {name: load_builtin_kit(name) for name in KITS if options.kit in (None, name)}
    if options.interactive:
        name = options.kit or "20q_8"
        print("Think of one of these:", ", ".join(kits[name].hypotheses))
        play(name, kits[name], answer_of_a_person, print)
    elif options.secret is not None:
        knowing = [name for name, kit in kits.items() if options.secret in kit.hypotheses]
        if not knowing:
            parser.error(f"no kit of {', '.join(kits)} knows {options.secret!r}")
        play(knowing[0], kits[knowing[0]], answer_for(kits[knowing[0]], options.secret), print)
    else:
        for name, kit in kits.items():
            find_all(name, kit)


def find_all(name: str, kit: TwentyQKit) -> None:
    """Play a game for each secret, and tell how long each took."""
    total = 0
    for secret in kit.hypotheses:
        asked, found = play(name, kit, answer_for(kit, secret), tell=lambda _: None)
        if found.survivors != [secret] or not found.terminated:
            sys.exit(f"run_20q: {name} did not find {secret}: {found.survivors} are left")
        total += asked
        print(f"{name:8}{secret:12}{asked:3} questions")
    average = total / len(kit.hypotheses)
    print(
        f"{name:8}all {len(kit.hypotheses)} were found, with {average:.1f} questions on average\n"
    )


def play(
    name: str, kit: TwentyQKit, answer: Callable[[Action], str], tell: Callable[[str], object]
) -> tuple[int, BeliefSnapshot]:
    """A session from its declaration to its end: how many questions it took, and what is left."""
    server, adapter = BeliefServer(), TwentyQAdapter(kit)
    ontology = OntologyBundle(name, "1", f"kit://{name}", "1")
    # Without an equal conclusion before it, a termination is denied.
    policy = {"stability_window": 1}
    session, snapshot = server.declare_session(ontology, kit.hypotheses, policy=policy)
    tell(f"    {left(snapshot)}")
    asked = 0
    while actions := adapter.list_actions(snapshot):
        action, asked = actions[0], asked + 1
        context = adapter.apply_action(action.action_id, snapshot)
        said = answer(action)
        for message in adapter.observe(context, said):
            snapshot = server.eliminate(session, **message.to_dict()).snapshot
        tell(f"{asked:2}. {action.prompt} {said}\n    {left(snapshot)}")
    for survivor in snapshot.survivors:
        concluded = server.declare_conclusion(session, survivor)
        tell(f"conclusion {survivor}: {concluded.reason}")
    ended = server.request_termination(session)
    tell(f"termination: {ended.reason}")
    return asked, ended.snapshot


def left(snapshot: BeliefSnapshot) -> str:
    names = snapshot.survivors[:MOST_NAMES]
    if snapshot.n_survivors > MOST_NAMES:
        names.append("...")
    entropy = f"entropy {snapshot.entropy_proxy:.2f} bits"
    return f"{snapshot.n_survivors} left, {entropy}: {', '.join(names)}"


def answer_for(kit: TwentyQKit, secret: str) -> Callable[[Action], str]:
    oracle = TwentyQOracle(kit)
    return lambda action: oracle.answer(secret, action.action_id)


def answer_of_a_person(action: Action) -> str:
    while True:
        said = input(f"{action.prompt} [y/n] ").strip().lower()
        for answer in ("yes", "no"):
            if said and answer.startswith(said):
                return answer
        print("Please answer y or n.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (EOFError, KeyboardInterrupt):
        sys.exit("\nrun_20q: no answer any more, so the game ends here")
