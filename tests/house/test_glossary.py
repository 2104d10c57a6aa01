"""One word a thing: the words of verbs are those of the glossary."""

import re
from pathlib import Path

from cmbs.deploy.resources import verb_files
from docs import rooms

PAGE = Path(__file__).parents[2].joinpath("docs", "glossary.md").read_text()
GRAMMAR = PAGE.partition("## The grammar of verbs")[2]
WORDS = {
    word.lower()
    for bold in re.findall(r"\*\*([^*]+)\*\*", PAGE)
    for phrase in [bold]
    for word in [phrase, *phrase.split()]
}
# What joins words, or says how many.
LINKS = {"all", "batch", "in", "published", "default", "defaults", "main", "space", "content"}


def singular(word: str) -> str:
    return re.sub(r"(?<=[^s])s$", "", re.sub(r"ies$", "y", re.sub(r"ses$", "s", word)))


def test_the_first_word_of_a_verb_is_one_of_its_grammar() -> None:
    first = set(re.findall(r"`(\w+)`", GRAMMAR)) - {"verb_noun"}
    used = {path.stem.partition("_")[0] for path in verb_files()}
    assert used - first == set()
    assert first - used == set(), "of verbs that there are"


def test_the_nouns_of_verbs_are_explained() -> None:
    nouns = {
        singular(word)
        for path in verb_files()
        for word in path.stem.split("_")[1:]
        if word not in LINKS
    }
    unknown = {noun for noun in nouns if not any(noun in word for word in WORDS)}
    assert unknown == set()


def test_the_rooms_that_it_names_are_there() -> None:
    named = {
        cell
        for row in PAGE.partition("## The house")[0].splitlines()
        if row.startswith("| **")
        for cell in re.findall(r"`([\w/]+)`", row.rpartition("|")[0].rpartition("|")[2])
    }
    folders = {
        f"{room.name}/{folder}" if folder else room.name
        for room in rooms.rooms().values()
        for folder in ("", *room.folders)
    }
    assert named - folders == set()
    assert len(named) > 15
