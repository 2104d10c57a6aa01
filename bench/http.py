"""ELIMINATE over HTTP against a bare handler that inserts one durable row."""

import json

from bench.eliminate import declare
from bench.harness import CLIENTS, Bench, load, spread
from bench.web import measure, post, server

SESSIONS = 1000
_ROW = """
create schema bench;
create table bench.row (
    session_id uuid, observation_id text, eliminated text[],
    recorded_at timestamptz default clock_timestamp(),
    primary key (session_id, observation_id)
);
create function bench.insert_row(p_session_id uuid, p_observation_id text, p_eliminated text[])
returns text language plpgsql as $$
begin
    insert into bench.row (session_id, observation_id, eliminated)
    values (p_session_id, p_observation_id, p_eliminated);
    return '{"ok": true}';
end $$;
grant usage on schema bench to cmbs_server;
grant insert on bench.row to cmbs_server;
"""


class Traffic:
    """Requests that never ask for an id twice, each client on sessions of its own."""

    def __init__(self, size: int) -> None:
        self._size, self._round = size, 0

    def next_round(self) -> None:
        self._round += 1

    def message(self, client: int, count: int) -> tuple[str, dict[str, object]]:
        per_client = SESSIONS // CLIENTS
        session = f"00000000-0000-4000-8000-000000{100000 + count % per_client * CLIENTS + client}"
        place = (count // per_client) * 3 + self._round * 300
        ids = [f"svc-{1000000 + (place + k) * 7919 % self._size}" for k in range(3)]
        return session, {
            "source_id": "adapter://bench",
            "observation_id": f"{self._round}-{count}",
            "eliminated": ids,
        }

    def eliminate(self, client: int, count: int) -> bytes:
        session, message = self.message(client, count)
        return post(f"/v1/sessions/{session}/eliminate", json.dumps(message))

    def row(self, client: int, count: int) -> bytes:
        session, message = self.message(client, count)
        return post("/row", json.dumps({"session_id": session, **message}))


def run(bench: Bench, rounds: int, seconds: int) -> None:
    print(f"\nHTTP ELIMINATE minimal, 3 of 1,000, {SESSIONS} sessions, {CLIENTS} clients")
    declare(bench, "http_ours", 1000)
    with bench.connect("http_ours") as connection:
        connection.execute(_ROW)
    traffic, ratios = Traffic(1000), []
    with server(bench, "http_ours", "ours") as ours, server(bench, "http_ours", "bare") as bare:
        for number in range(1, rounds + 1):
            traffic.next_round()
            mine = measure(ours, traffic.eliminate, seconds)
            theirs = measure(bare, traffic.row, seconds)
            ratios.append(mine.rate / theirs.rate)
            print(
                f"round {number}: {mine.rate:,.0f} / {theirs.rate:,.0f} per second"
                f" = {ratios[-1]:.2f}  {load()}"
            )
    print(f"ratio to the bare handler: {spread(ratios)}   mark: at least 0.60")
