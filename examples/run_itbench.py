#!/usr/bin/env python3
"""Find the root cause of an incident with a belief server inside this process, by the rules.

    python examples/run_itbench.py [--scenario CAUSE]

An obligation stands in the way: nothing is concluded before enough has been ruled out. In the end
the log is shown and replayed on a server that knows nothing else. It needs the packages of CMBS and
no database: after the first start of run.py, .venv/bin/python of a checkout has them.
"""

import argparse
import sys
from collections.abc import Sequence

try:
    from cmbs import AuditEntry, BeliefServer, OntologyBundle
    from cmbs.adapters import ITBenchAdapter, ITBenchKit, ITBenchOracle
    from cmbs.adapters.itbench import load_builtin_kit
    from cmbs.answers import Decision
    from cmbs.audit_log import recovered_from
except ModuleNotFoundError as missing:
    sys.exit(
        f"run_itbench: {missing}; the first `python3 run.py demo` of a checkout installs "
        "everything, and .venv/bin/python has it then"
    )

KIT = "itb_sre_6"
OBLIGATION, MINIMUM = "look first", 3


def main(arguments: Sequence[str]) -> None:
    kit = load_builtin_kit(KIT)
    parser = argparse.ArgumentParser(description="Find the root cause of an incident.")
    parser.add_argument(
        "--scenario",
        choices=kit.hypotheses,
        default="replication_lag",
        help="what really happened (default: %(default)s)",
    )
    cause = parser.parse_args(arguments).scenario
    server = BeliefServer()

    print("1. Declare a session over everything that may have happened.")
    ontology = OntologyBundle(KIT, "1", f"kit://{KIT}", "1")
    session, snapshot = server.declare_session(ontology, kit.hypotheses)
    print(f"   {', '.join(snapshot.survivors)}")

    print(f"\n2. Enter an obligation: {MINIMUM} of them must go before anybody concludes.")
    server.enter_obligation(session, OBLIGATION, MINIMUM)
    shown("exit", server.request_exit(session, OBLIGATION))
    shown(f"conclusion {cause}", server.declare_conclusion(session, cause))

    print("\n3. Look. Each outcome rules something out, or nothing.")
    found = look(server, session, kit, ITBenchOracle(kit, cause))

    print("\n4. Now the same gates open, one after the other.")
    shown("exit", server.request_exit(session, OBLIGATION))
    shown(f"conclusion {found}", server.declare_conclusion(session, found))
    shown("termination", server.request_termination(session))

    print(
        "\n5. The log has all of it, the denials too; each event holds the hash of the one before."
    )
    events = server.audit_trace(session)
    for event in events:
        summary = what(event)
        print(f"   {event.seq:2}  {event.verb:20} {summary:50} {event.event_hash[:12]}")

    print("\n6. Replay the log on a server that has nothing but the log.")
    replay(server, session, events)


def look(server: BeliefServer, session: str, kit: ITBenchKit, oracle: ITBenchOracle) -> str:
    """Do the checks that are worth it until one cause is left; which."""
    adapter = ITBenchAdapter(kit)
    snapshot = server.query_belief(session)
    while actions := adapter.list_actions(snapshot):
        context = adapter.apply_action(actions[0].action_id, snapshot)
        outcome = oracle.answer(context.action_id)
        for message in adapter.observe(context, outcome):
            applied, _, snapshot, _ = server.eliminate(session, **message.to_dict())
            left = f"{snapshot.n_survivors} left, entropy {snapshot.entropy_proxy:.2f} bits"
            print(f"   {actions[0].prompt} {outcome}")
            print(f"      rules out {', '.join(applied) or 'nothing'}; {left}")
    (found,) = snapshot.survivors
    return found


def shown(what_was_asked: str, decision: Decision) -> None:
    verdict = "" if decision.approved else "denied, "
    print(f"   {what_was_asked}: {verdict}{decision.reason}")


def what(event: AuditEntry) -> str:
    """The part of an event that tells it from others of its kind."""
    payload = event.payload
    if event.verb == "DECLARE_SESSION":
        return f"{payload['n_hypotheses']} hypotheses"
    if event.verb == "ELIMINATE":
        return f"{payload['observation_id']}, {len(event.delta['eliminated'])} gone"
    if event.verb == "DECLARE_CONCLUSION":
        return f"{payload['conclusion_id']}, {payload['reason']}"
    return str(payload.get("reason", payload.get("obligation_id")))


def replay(server: BeliefServer, session: str, events: Sequence[AuditEntry]) -> None:
    fresh = BeliefServer()
    fresh.restore_session(session, recovered_from(events), events)
    before, after = server.query_belief(session), fresh.query_belief(session)
    if after != before:
        sys.exit("run_itbench: the replay came to another belief")
    print(f"   {len(events)} events lead to the same: {', '.join(after.survivors)}")
    print(f"   survivors_hash {after.survivors_hash}")


if __name__ == "__main__":
    main(sys.argv[1:])
