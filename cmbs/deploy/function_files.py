"""What a deployment reads in the files of functions, besides running them.

Their form is kept by tests/sql/schema/test_source.py: a header of comment lines, which begins with
the name and a sentence, and one function, which has the name to itself.
"""

import re
from pathlib import Path

_FUNCTION = re.compile(
    r"^create (?:or replace )?function ([\w.]+)\((.*?)\)\n(?:returns|language) ",
    re.MULTILINE | re.DOTALL,
)
_HEADER = re.compile(r"(?:--.*\n)+")
_CODE = re.compile(r"\bMB\d{3}\b")


def signatures(text: str) -> list[str]:
    """The functions that a file declares, by name and types of what they take."""
    return [f"{name}({_types(parameters)})" for name, parameters in _FUNCTION.findall(text)]


def with_comment(path: Path) -> str:
    """The text of a file with one function, and the statement that comments on it."""
    text = path.read_text()
    found = _FUNCTION.search(text)
    if found is None:
        raise ValueError(f"{path} declares no function")
    comment = sentence(text)
    if codes := sorted(set(_CODE.findall(header(text)))):
        comment += f" Raises {', '.join(codes)}."
    quoted = comment.replace("'", "''")
    return f"{text}\ncomment on function {found[1]} is '{quoted}';\n"


def header(text: str) -> str:
    """The comment that a file begins with, without its dashes."""
    found = _HEADER.match(text)
    lines = found[0].splitlines() if found else []
    return "\n".join(line.removeprefix("--").removeprefix(" ") for line in lines)


def sentence(text: str) -> str:
    """The first sentence of a header, which follows the name."""
    _, paragraph, *_ = header(text).split("\n\n")
    return re.split(r"(?<=\.)\s", " ".join(paragraph.split()))[0]


def _types(parameters: str) -> str:
    """Of `p_id uuid, out p_n integer default null` the types of what goes in."""
    found = (one.split(" default ")[0].split() for one in parameters.split(","))
    return ", ".join(
        " ".join(words[2:] if words[0] == "inout" else words[1:])
        for words in found
        if words and words[0] != "out"
    )
