"""`cmbs demo`: a session from declare to verify."""

from typing import Any

from cmbs.cli import demo


def add(commands: Any) -> None:
    command = commands.add_parser("demo")
    command.set_defaults(run=lambda options: demo.run(options.url, options.story))
    command.add_argument(
        "story",
        nargs="?",
        choices=demo.STORIES,
        default="log",
        help="log: a session is checked from its log alone; gated-agent: an agent may restart a "
        "database once others have shown the cause, and a person approved (default: log)",
    )
    command.add_argument(
        "--url",
        help="of a running server, to which the token in CMBS_TOKEN is shown, if there is one; "
        "gated-agent needs that of an administrator, and without --url none (default: one of its "
        "own, removed afterwards)",
    )
    command.epilog = "example: cmbs demo gated-agent"
