"""`cmbs tee`: the causal graph that incidents share, in files and in pictures."""

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, an_id
from cmbs.cli.commands import tee_mirror, tee_serve
from cmbs.cli.files import named, sent_text
from cmbs.cli.session import tell_answer, verbs_of
from cmbs.common import words
from cmbs.common.failure import UsageError
from cmbs.common.words import count, shown

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs
    from cmbs.tee.graphs import Graph, Item

_FORMATS = ("json", "graphml")
_ENDINGS = {".json": "json", ".graphml": "graphml", ".xml": "graphml"}
_PICTURE_ENDINGS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
_PICTURES = ("text", "dot", "svg")
# Of one merge: others wait for it, and a merge that was cut off is done again.
_MOST_ITEMS, _MOST_LETTERS = 5000, 8 << 20
_MOST_CONFLICTS = 20


def add(commands: Any) -> None:
    group = add_group(commands, "tee", "cmbs tee show INCIDENT")

    command = add_command(
        group,
        "import",
        _import,
        "merge the graph of a file into the one here",
        answers="one object: created, merged, conflicts",
    )
    command.add_argument("file", type=an_id, metavar="FILE", help="'-': standard input")
    command.add_argument(
        "--format", choices=_FORMATS, help="what is in it (default: by its name, else by its look)"
    )
    command.add_argument(
        "--source",
        type=an_id,
        default="cmbs tee import",
        metavar="S",
        help="who says so, of what has no provenance in the file (default: %(default)s)",
    )
    command.add_argument(
        "--trigger", type=an_id, metavar="T", help="and on what (default: the name of the file)"
    )
    command.epilog = (
        "All of the file is checked before the first merge. What is there keeps its type and its "
        "label, and conflicts are shown; the same import again changes nothing. "
        "example: cmbs tee import services.graphml --source cmdb"
    )

    command = add_command(group, "export", _export, "write the graph into a file", answers="")
    command.add_argument(
        "--format", choices=_FORMATS, help="what to write (default: by the file's name, else json)"
    )
    command.add_argument(
        "--incident", type=an_id, metavar="INCIDENT", help="only what this one has not ruled out"
    )
    _add_file(command)
    command.epilog = "The same graph gives the same file. example: cmbs tee export -o graph.json"

    command = add_command(
        group, "show", _show, "show an incident: what lives, what is ruled out", answers=""
    )
    command.add_argument("incident", type=an_id, metavar="INCIDENT", help="its id")
    command.add_argument(
        "--format",
        choices=_PICTURES,
        help="text; dot: source for Graphviz; svg: a picture (default: by the file's name, else "
        "text)",
    )
    _add_file(command)
    command.epilog = "example: cmbs tee show INCIDENT -o incident.svg"

    tee_serve.add(group)
    tee_mirror.add(group)


def _add_file(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        *("-o", "--output"), type=an_id, metavar="FILE", help="(default: standard output)"
    )
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")


def _import(options: argparse.Namespace) -> int:
    # Every command would wait for what these import.
    from cmbs.tee import graphml, graphs

    name = options.file
    text = sent_text(name)
    by_look = "graphml" if text.lstrip().startswith("<") else "json"
    is_json = (options.format or _by_name(name, _ENDINGS) or by_look) == "json"
    read = graphs.from_json if is_json else graphml.from_graphml
    trigger = options.trigger
    if trigger is None:
        trigger = "standard input" if name == "-" else Path(name).name
    try:
        graph = read(text, {"source": options.source, "trigger": trigger})
    except graphs.GraphError as error:
        raise UsageError(f"{named(name)} {error}") from None
    with verbs_of(options) as verbs:
        found = _merged(verbs, graph)
    tell_answer(options, found._asdict(), _merged_parts)
    return 0


def _by_name(name: str | None, endings: Mapping[str, str]) -> str | None:
    return endings.get(Path(name or "").suffix.lower())


class _Merged(NamedTuple):
    """What became of the nodes and of the edges: how many are new, and how many were there."""

    created: dict[str, int]
    merged: dict[str, int]
    conflicts: list[Mapping[str, str]]


def _merged(verbs: "Verbs", graph: "Graph") -> _Merged:
    """Nodes first, so that no edge waits for its ends longer than it must."""
    # Only an import calls it, and other actions have no use for what these load.
    import psycopg

    from cmbs.cli.progress import Progress

    kinds = {"nodes": graph.nodes, "edges": graph.edges}
    total, n_done = len(graph.nodes) + len(graph.edges), 0
    found = _Merged(dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0), [])
    try:
        with Progress("items") as progress:
            for kind, items in kinds.items():
                for n_items, chunk in _chunks(items):
                    answer = words.read(verbs("merge_hypothesis", **{kind: chunk}))
                    found.created[kind] += len(answer["created"])
                    found.merged[kind] += len(answer["merged"])
                    found.conflicts.extend(answer["conflicts"])
                    n_done += n_items
                    progress(n_items, total, kind)
    except psycopg.Error:
        page.note(
            f"{n_done} of {count(total, 'item')} were merged for certain; the same import may be "
            "run again, as what is there already changes nothing"
        )
        raise
    return found


def _chunks(items: Iterable["Item"]) -> Iterator[tuple[int, str]]:
    """Lists of some of the items, as JSON, and how many are in each."""
    chunk: list[str] = []
    size = 0
    for item in items:
        text = json.dumps(item, ensure_ascii=False)
        if chunk and (len(chunk) == _MOST_ITEMS or size + len(text) > _MOST_LETTERS):
            yield len(chunk), f"[{', '.join(chunk)}]"
            chunk, size = [], 0
        chunk.append(text)
        size += len(text)
    if chunk:
        yield len(chunk), f"[{', '.join(chunk)}]"


def _merged_parts(found: dict[str, Any]) -> Iterator[page.Part]:
    conflicts = found["conflicts"]
    for kind, created in found["created"].items():
        yield kind, f"{created} created, {found['merged'][kind]} merged"
    yield "conflicts", str(len(conflicts))
    for one in conflicts[:_MOST_CONFLICTS]:
        existing, proposed = shown(one["existing"]), shown(one["proposed"])
        yield f"  {shown(one['id'])}  its {one['field']} stays {existing}, not {proposed}"
    if (more := len(conflicts) - _MOST_CONFLICTS) > 0:
        yield f"  and {more} more"


def _export(options: argparse.Namespace) -> int:
    from cmbs.tee import graphml, graphs

    verb, where = "read_main_graph", {}
    if options.incident is not None:
        verb, where = "read_live_view", {"incident_id": options.incident}
    with verbs_of(options) as verbs:
        graph = graphs.in_order(words.read(verbs(verb, **where)))
    is_json = (options.format or _by_name(options.output, _ENDINGS) or "json") == "json"
    write = graphs.to_json if is_json else graphml.to_graphml
    try:
        _put(options, write(graph))
    except graphs.GraphError as error:
        raise UsageError(str(error)) from None
    return 0


def _show(options: argparse.Namespace) -> int:
    from cmbs.tee import dot, picture, svg

    with verbs_of(options) as verbs:
        found = picture.read(verbs, options.incident)
    form = options.format or _by_name(options.output, _PICTURE_ENDINGS) or "text"
    n_nodes, n_edges = len(found.nodes), len(found.edges)
    if form == "svg" and (n_nodes > svg.MOST_NODES or n_edges > svg.MOST_EDGES):
        raise UsageError(
            f"{count(n_nodes, 'node')} and {count(n_edges, 'edge')} are too many for a picture; "
            "--format dot can be drawn by Graphviz, and --format text be read"
        )
    write = {"text": picture.as_text, "dot": dot.as_dot, "svg": svg.as_svg}[form]
    _put(options, write(found))
    if not found.is_whole:
        page.note(
            "who ruled out what, and edges of which an end is ruled out, are shown to logins that "
            "read the views: those in cmbs_auditor, and analysts"
        )
    return 0


def _put(options: argparse.Namespace, lines: Iterator[str]) -> None:
    """Into the file, or out; nothing if not all of it can be written."""
    text = "".join(f"{line}\n" for line in lines)
    if options.output in (None, "-"):
        # What an XML file says of itself is to be true.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        return
    from cmbs.common.newfile import new_file

    with new_file(Path(options.output), options.force) as scratch:
        scratch.write_text(text, encoding="utf-8")
