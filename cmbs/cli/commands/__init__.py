"""The commands of `cmbs`: what each is for, and the module that adds it."""

from typing import NamedTuple


class Command(NamedTuple):
    """A command can be listed without its module, and so without what that imports."""

    module: str
    summary: str


COMMANDS = {
    "serve": Command("serve", "run the server until it is told to stop"),
    "migrate": Command("database", "bring the database's schema up to date"),
    "roles": Command("database", "print the SQL that creates the database roles"),
    "status": Command("database", "tell where the database is and what it holds"),
    "psql": Command("database", "open psql on the database"),
    "verify": Command("database", "check the audit chains of sessions, here or in a file"),
    "dump": Command("backup", "write the database to a file, while it is used"),
    "restore": Command("backup", "make a database from a file of cmbs dump"),
    "doctor": Command("doctor", "name what is missing or foreign, and what mends it"),
    "export": Command("bundle", "write sessions into a file that is checked without a database"),
    "import": Command("bundle", "take over the sessions of an exported file, unchanged"),
    "replay": Command("bundle", "show a session event by event"),
    "explain": Command("explain", "tell where a session stands, and why"),
    "diff": Command("explain", "tell what changed in a session between two events"),
    "whatif": Command("explain", "tell what would be without some messages"),
    "principal": Command("identities", "create, change and list who may call"),
    "token": Command("tokens", "create, rotate, revoke and list tokens"),
    "policy": Command("policy", "publish, try, apply and compare policy packs"),
    "tool": Command("registry", "register, withdraw and list tools"),
    "schema": Command("registry", "register and list JSON Schemas"),
    "propose": Command("proposals", "propose changes and calls of tools"),
    "resume": Command("proposals", "go on with a proposal that was approved"),
    "explain-decision": Command("proposals", "tell why a proposal was decided as it was"),
    "capability": Command("proposals", "issue, revoke and list capability tokens"),
    "inbox": Command("inbox", "list questions about actions, and answer them"),
    "permit": Command("executions", "list the permits of allowed calls, and use them"),
    "deferral": Command("executions", "list what waits to be tried again"),
    "mode": Command("executions", "tell or set the mode of a session"),
    "webhook": Command("webhook", "tell an address of questions and their answers"),
    "tee": Command("tee", "the causal graph of incidents, and what is ruled out"),
    "analyst": Command("analyst", "add, remove and list read-only logins"),
    "sample": Command("sample", "load a week of made-up incidents to try queries on"),
    "demo": Command("demo", "play a session from declare to verify, over HTTP"),
}
