"""ELIMINATE against `pgbench -N`, the smallest durable update the same server can do."""

from bench.harness import CLIENTS, Bench, load, spread

SESSIONS = 1000
ONTOLOGY = (
    '{"hypothesis_space_id": "bench", "hypothesis_version": "%s", '
    '"causal_graph_ref": "graphstore://bench", "causal_graph_version": "v17"}'
)
# Every client walks its own sessions and never asks for an id twice, so all three always apply.
_SCRIPT = """
\\set n :n + 1
\\set k (:n % {per_client}) * {clients} + :client_id + 100000
\\set p (:n / {per_client}) * 3
\\set a 1000000 + (:p * 7919) % {size}
\\set b 1000000 + ((:p + 1) * 7919) % {size}
\\set c 1000000 + ((:p + 2) * 7919) % {size}
select cmbs.eliminate(
    ('00000000-0000-4000-8000-000000' || :k)::uuid, 'adapter://bench', 'observation-' || :n,
    array['svc-' || :a, 'svc-' || :b, 'svc-' || :c], p_minimal => true
);
"""


def script(size: int, sessions: int = SESSIONS) -> str:
    return _SCRIPT.format(per_client=sessions // CLIENTS, clients=CLIENTS, size=size)


def declare(bench: Bench, database: str, size: int, sessions: int = SESSIONS) -> None:
    """A database with that many sessions over one space of that many hypotheses."""
    bench.create_migrated(database)
    with bench.connect(database) as connection:
        connection.execute(
            "select cmbs.register_space('bench', %s, array("
            "select 'svc-' || g from generate_series(1000000, 1000000 + %s - 1) as g))",
            [str(size), size],
        )
        for number in range(sessions):
            connection.execute(
                "select cmbs.declare_session(%s, %s, p_minimal => true)",
                [f"00000000-0000-4000-8000-000000{100000 + number}", ONTOLOGY % size],
            )
        connection.execute("vacuum analyze")


def run(bench: Bench, rounds: int, seconds: int) -> None:
    print(f"\nELIMINATE, 3 applied of 1,000, {SESSIONS} sessions, {CLIENTS} clients, minimal")
    declare(bench, "eliminate_template", 1000)
    bench.init_pgbench("pgbench_template", 10)
    ratios = []
    for number in range(1, rounds + 1):
        bench.create("eliminate_round", template="eliminate_template")
        ours = bench.pgbench(
            "eliminate_round", "-T", str(seconds), "-D", "n=0", script=script(1000)
        )
        bench.create("pgbench_round", template="pgbench_template")
        theirs = bench.pgbench("pgbench_round", "-T", str(seconds), "-N")
        ratios.append(ours / theirs)
        print(
            f"round {number}: {ours:,.0f} / {theirs:,.0f} per second = {ratios[-1]:.2f}  {load()}"
        )
    print(f"ratio to pgbench -N: {spread(ratios)}   mark: at least 0.70")
