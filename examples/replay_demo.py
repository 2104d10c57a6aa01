#!/usr/bin/env python3
"""Tell a CMBS server something, then check from its log alone that it believes the right thing.

    python examples/replay_demo.py [URL]          URL is http://127.0.0.1:8000 unless given

It needs Python 3.11, a server (`python3 run.py serve`) and nothing else, no part of CMBS and no
library: all it knows came over HTTP, so its checks are those of a stranger who trusts nobody. A
server that asks for a token is shown the one in CMBS_TOKEN. It ends with status 0 if everything
holds, and else with 1 and one sentence that says what does not.
"""

import hashlib
import http.client
import ipaddress
import json
import os
import sys
import textwrap
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any

ONTOLOGY = {
    "hypothesis_space_id": "incident",
    "hypothesis_version": "v1",
    "causal_graph_ref": "graph://checkout",
    "causal_graph_version": "v17",
}
SUSPECTS = ["bad_deploy", "disk_full", "dns", "pool_exhausted", "replication_lag"]
OBSERVATIONS = [
    {"source_id": "tool://df", "observation_id": "df -h", "eliminated": ["disk_full"]},
    {"source_id": "tool://dig", "observation_id": "dig +short", "eliminated": ["dns", "disk_full"]},
]
# The server is asked directly, whatever proxy the environment names.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Fault(Exception):
    """No answer, or one that does not hold; the text is one sentence."""


def main(server: str) -> None:
    session = str(uuid.uuid4())
    here = f"{server}/v1/sessions/{session}"

    print("1. Declare a session: five suspects, under an id that the caller chooses.")
    declare = {"session_id": session, "ontology": ONTOLOGY, "hypotheses": SUSPECTS}
    shown(ask(f"{server}/v1/sessions", declare))

    print("\n2. Two observations eliminate. What is gone already is ignored; nothing comes back.")
    for observation in OBSERVATIONS:
        shown(ask(f"{here}/eliminate", observation))

    print("\n3. Ask what the session believes now: its snapshot.")
    snapshot = shown(ask(here))

    print("\n4. Ask for its log: a line for each event, with the exact text that was hashed.")
    lines = ask(f"{here}/audit", accept="application/x-ndjson").splitlines()
    for line in lines:
        say(f"< {line[:70].decode(errors='replace')}... ({len(line)} bytes)")

    print("\n5. Check every link and hash of these lines, and replay them to what must survive.")
    reached = replay(session, lines)

    print("\n6. Compare where the log leads with the snapshot.")
    for member, value in reached.items():
        compare(member, value, snapshot[member])

    print("\n7. Ask the server to verify the session: its log, and all it has stored beside it.")
    verified = shown(ask(f"{here}/verify"))
    compare("ok", True, verified["ok"])
    compare("head_hash", reached["audit_head_hash"], verified["head_hash"])
    print("\nEverything holds: what the server says it believes is what its log leads to.")


def replay(session: str, lines: list[bytes]) -> dict[str, object]:
    """Where the log leads: what the snapshot must say, if both are true."""
    universe: list[str] = []
    survivors: set[str] = set()
    event_hash = "0" * 64
    for seq, line in enumerate(lines, 1):
        sent = json.loads(line)
        record = json.loads(sent["record"])
        asked = record["payload"]
        say(f"event {seq}: {record['verb']} by {record['actor']} at {record['ts']}")
        compare("session_id, seq", [session, seq], [record["session_id"], record["seq"]])
        # Each event names the hash of the one before, so none can be changed or left out alone.
        compare("prev_event_hash", event_hash, record["prev_event_hash"])
        event_hash = hashlib.sha256(sent["record"].encode()).hexdigest()
        compare("event_hash", event_hash, sent["event_hash"])
        if seq == 1:
            universe = sent["hypotheses"]
            compare("universe_digest", digest(universe).hex(), asked["universe_digest"])
        before = survivors_hash(universe, survivors)
        compare("survivors_before_hash", before, record["survivors_before_hash"])
        if record["verb"] == "DECLARE_SESSION":
            survivors = set(universe)
        elif record["verb"] == "ELIMINATE":
            gone = survivors & set(asked["eliminated"])
            compare("delta.eliminated", sorted(gone), record["delta"]["eliminated"])
            survivors -= gone
        after = survivors_hash(universe, survivors)
        compare("survivors_after_hash", after, record["survivors_after_hash"])
    return {
        "survivors": sorted(survivors),
        "survivors_hash": survivors_hash(universe, survivors),
        "audit_seq": len(lines),
        "audit_head_hash": event_hash,
    }


def digest(universe: list[str]) -> bytes:
    return hashlib.sha256(json.dumps(universe, ensure_ascii=False).encode()).digest()


def survivors_hash(universe: list[str], survivors: set[str]) -> str:
    """The digest of the universe, then a bit for each hypothesis: 1 survives, lowest bit first."""
    mask = sum(1 << rank for rank, name in enumerate(universe) if name in survivors)
    as_bytes = mask.to_bytes((len(universe) + 7) // 8, "little")
    return hashlib.sha256(digest(universe) + as_bytes).hexdigest()


def compare(name: str, computed: object, received: object) -> None:
    if computed != received:
        raise Fault(f"{name} should be {computed} and is {received}")
    say(f"  {name} = {computed}")


def ask(url: str, body: object = None, accept: str = "application/json") -> bytes:
    """The bytes of an answer; a body makes the request a POST."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Accept": accept, "Content-Type": "application/json"}
    if token := os.environ.get("CMBS_TOKEN"):
        if not is_private(url):
            raise Fault("a token is sent over plain http only to this machine: use https")
        if not (token.isascii() and token.isprintable()):
            raise Fault("CMBS_TOKEN does not hold a token")
        headers["Authorization"] = f"Bearer {token}"
    try:
        request = urllib.request.Request(url, data, headers)
        say(f"> {request.get_method()} {request.selector} {json.dumps(body) if body else ''}")
        with DIRECT.open(request, timeout=60) as answer:
            say(f"< {answer.status} {answer.reason}")
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        raise Fault(f"{url} was refused with {error.code}: {error.read(1000)!r}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise Fault(f"no answer from {url}: {reason} (python3 run.py serve starts one)") from None


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent there."""
    to = urllib.parse.urlsplit(url)
    try:
        return to.scheme == "https" or ipaddress.ip_address(to.hostname or "").is_loopback
    except ValueError:
        return to.hostname == "localhost"


def shown(answer: bytes) -> Any:
    """The members of an answer, which is printed with the objects in it folded."""
    members = json.loads(answer)
    folded = {key: "{...}" if isinstance(of, dict) else of for key, of in members.items()}
    say("< " + json.dumps(folded).replace('"{...}"', "{...}"))
    return members


def say(text: str) -> None:
    print(textwrap.fill(text, 100, initial_indent="   ", subsequent_indent=" " * 8))


if __name__ == "__main__":
    given = sys.argv[1:] or ["http://127.0.0.1:8000"]
    if len(given) > 1 or given[0].startswith("-"):
        sys.exit(str(__doc__).strip())
    try:
        main(given[0].rstrip("/"))
    except Fault as fault:
        sys.exit(f"replay_demo: {fault}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"replay_demo: an answer has not the form that the protocol gives it: {error!r}")
