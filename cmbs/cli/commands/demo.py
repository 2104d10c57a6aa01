"""`cmbs demo`: a session from declare to verify."""

import argparse
from typing import Any

from cmbs.cli.arguments import add_plain

# The programs of examples/ by what they show.
STORIES = {"log": "replay_demo.py", "gated-agent": "gated_agent.py"}


def add(commands: Any) -> None:
    command = add_plain(commands, "demo", _demo)
    command.add_argument(
        "story",
        nargs="?",
        choices=STORIES,
        default="log",
        help="log: a session is checked from its log alone; gated-agent: an agent may restart a "
        "database once others have shown the cause, and a person approved (default: log)",
    )
    command.add_argument(
        "--url",
        help="a running server; it gets the token in CMBS_TOKEN, which for gated-agent has to be "
        "that of an administrator (default: a server of its own, removed afterwards)",
    )
    command.epilog = "example: cmbs demo gated-agent"


def _demo(options: argparse.Namespace) -> int:
    from cmbs.cli import demo

    return demo.run(options.url, options.story, STORIES[options.story])
