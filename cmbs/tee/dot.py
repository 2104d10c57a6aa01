"""The picture of an incident as source for Graphviz, which draws it."""

from collections.abc import Iterator

from cmbs.common.words import printable
from cmbs.tee.convert import edge_id
from cmbs.tee.picture import Picture, edge_hint, node_hint


def as_dot(picture: Picture) -> Iterator[str]:
    """The source of a picture that Graphviz draws."""
    # Names of its own: an id could mean something to Graphviz, or be written as another one.
    names = {id_: f"n{no}" for no, id_ in enumerate(picture.nodes, 1)}
    yield "digraph {"
    yield '  graph [rankdir=LR, labelloc=t, fontname="sans-serif"];'
    yield f"  graph [label={_quoted(picture.title())}];"
    yield '  node [shape=box, fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="sans-serif", fontsize=9];'
    for node in picture.nodes.values():
        styles, more = ["rounded"] + ["dashed"] * node.hypothetical, ""
        second = node.type
        if not picture.lives(node.id):
            styles, more = [*styles, "filled"], ", color=gray60, fontcolor=gray50, fillcolor=gray93"
            second = f"{node.type}, ruled out"
        yield (
            f"  {names[node.id]} [label={_quoted(printable(node.label), second)}, "
            f'style="{",".join(styles)}", tooltip={_quoted(*node_hint(picture, node))}{more}];'
        )
    for edge in picture.edges:
        more = "" if picture.edge_lives(edge.key) else ", style=dashed, color=gray60"
        if not picture.lives(edge_id(edge.key)):
            more += ", fontcolor=gray50, arrowhead=tee"
        yield (
            f"  {names[edge.key.source]} -> {names[edge.key.target]} "
            f"[label={_quoted(edge.key.type)}, tooltip={_quoted(*edge_hint(picture, edge))}{more}];"
        )
    yield "}"


def _quoted(*lines: str) -> str:
    """Text for Graphviz, which else takes backslashes and entities for its own."""
    text = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(text).replace("&", "&amp;") + '"'
