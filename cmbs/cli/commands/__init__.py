"""The commands of `cmbs`: what each is for, and the module that adds it."""

from typing import NamedTuple


class Command(NamedTuple):
    """A command can be listed without its module, and so without what that imports."""

    module: str
    summary: str


GROUPS = {
    "Start": {
        "serve": Command("serve", "run the server until it is told to stop"),
        "demo": Command("demo", "play a session from declare to verify, over HTTP"),
        "sample": Command("sample", "load a week of made-up incidents to try queries on"),
        "status": Command("database", "show where the database is and what it holds"),
        "completion": Command("completion", "print a script that completes commands in a shell"),
    },
    "Sessions and their logs": {
        "sessions": Command("sessions", "list sessions: open, stuck in an obligation, terminated"),
        "explain": Command("explain", "show what a session believes now, and why"),
        "diff": Command("explain", "show what changed in a session between two events"),
        "whatif": Command("explain", "show what a session would believe without some messages"),
        "replay": Command("bundle", "show a session event by event"),
        "verify": Command("database", "check the audit chains of sessions, here or in a file"),
        "export": Command("bundle", "write sessions into a file that needs no database to check"),
        "import": Command("bundle", "take over the sessions of an exported file, unchanged"),
    },
    "Actions of agents, and approvals": {
        "propose": Command("proposals", "propose changes and calls of tools"),
        "resume": Command("proposals", "continue a proposal that was approved"),
        "explain-decision": Command("proposals", "show how a proposal was decided, and why"),
        "inbox": Command("inbox", "list what agents ask people, and answer"),
        "permit": Command("executions", "list the permits of allowed calls, and use them"),
        "deferral": Command("executions", "list proposals that wait to be tried again"),
        "mode": Command("executions", "show or set the mode of a session"),
        "capability": Command("capabilities", "issue, revoke and list capability tokens"),
    },
    "Policies": {
        "policy": Command("policy", "publish, try and apply policy packs; halt all agents"),
        "tool": Command("registry", "register, withdraw and list tools"),
        "schema": Command("registry", "register and list JSON Schemas"),
    },
    "Who may call, and who is notified": {
        "principal": Command("identities", "create, change and list who may call"),
        "token": Command("tokens", "create, rotate, revoke and list tokens"),
        "analyst": Command("analyst", "add, remove and list read-only logins"),
        "webhook": Command("webhook", "notify an address of questions and their answers"),
    },
    "The causal graph of incidents": {
        "tee": Command("tee", "serve, show and mirror the graph, and what is ruled out"),
    },
    "The database": {
        "migrate": Command("database", "bring the database's schema up to date"),
        "roles": Command("database", "print the SQL that creates the database roles"),
        "psql": Command("database", "open psql on the database"),
        "dump": Command("backup", "back up the database to a file, while it is used"),
        "restore": Command("backup", "make a database from a file of cmbs dump"),
        "doctor": Command("doctor", "find problems of the database, and print what mends them"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
