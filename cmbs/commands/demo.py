"""`cmbs demo`: a session from declare to verify."""

from typing import Any

from cmbs import demo


def add(commands: Any) -> None:
    command = commands.add_parser("demo", help="play a session from declare to verify, over HTTP")
    command.set_defaults(run=lambda options: demo.run(options.url))
    command.add_argument(
        "--url",
        help="of a running server, to which the token in CMBS_TOKEN is shown, if there is one "
        "(default: one of its own, removed afterwards)",
    )
    command.epilog = "example: cmbs demo --url http://127.0.0.1:8000"
