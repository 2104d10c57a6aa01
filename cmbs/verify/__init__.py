"""Checks exported audit logs with nothing but the standard library: no database, no other file.

It reads one session as the audit route gives it (NDJSON), or a bundle of sessions (zip), and
replays every event by the rules of BELIEF_PROTOCOL.md: hashes, links, numbers, times, what was
eliminated, and every decision, which is made anew and never taken from the record. But for what a
policy decides: none is evaluated here, and what must be so under any of them is checked.
"""

from cmbs.verify.arbitration import Arbitration
from cmbs.verify.bundle import Bundle
from cmbs.verify.command import main
from cmbs.verify.errors import Fault, Unreadable
from cmbs.verify.files import is_bundle, ndjson
from cmbs.verify.log import Log
from cmbs.verify.records import Event
from cmbs.verify.sessions import Result, check, compare
from cmbs.verify.text import Number, canonical, parse
from cmbs.verify.universe import Universe

__all__ = [
    "Arbitration",
    "Bundle",
    "Event",
    "Fault",
    "Log",
    "Number",
    "Result",
    "Universe",
    "Unreadable",
    "canonical",
    "check",
    "compare",
    "is_bundle",
    "main",
    "ndjson",
    "parse",
]
