"""The rooms of sql/: which call goes from one into another, and what their page says."""

import pytest

from docs import house, rooms
from docs.rooms import Call

ROOMS = rooms.rooms()
CALLS = list(rooms.calls())


def refused(call: Call) -> str | None:
    """Why a call from room to room is none that rooms.toml lets be."""
    if call.callee_room not in ROOMS[call.room].rests_on:
        return f"{call}, and {call.room} does not rest on {call.callee_room}"
    if call.is_furniture and not ROOMS[call.callee_room].may_lend(call.callee):
        return f"{call}, which {call.callee_room} does not lend"
    return None


def test_every_call_into_another_room_is_one_that_it_lends() -> None:
    assert [why for call in CALLS if (why := refused(call))] == []


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (
            Call("policy", "find_policy", "verdict", "evidence", True),
            "policy/find_policy calls verdict/evidence, and policy does not rest on verdict",
        ),
        (
            Call("verdict", "evaluate", "policy", "subject_of", True),
            "verdict/evaluate calls policy/subject_of, which policy does not lend",
        ),
    ],
    ids=["another room", "furniture"],
)
def test_another_call_is_refused(call: Call, why: str) -> None:
    assert refused(call) == why


def test_what_is_lent_is_used_and_what_is_rested_on_too() -> None:
    borrowed = {(call.callee_room, call.callee) for call in CALLS}
    used = {(call.room, call.callee_room) for call in CALLS}
    for room in ROOMS.values():
        unused = {name for name in room.lends or () if (room.name, name) not in borrowed}
        assert unused == set(), room.name
        assert room.rests_on == {other for name, other in used if name == room.name}, room.name


def test_the_ground_floor_and_the_library_call_nobody() -> None:
    assert ROOMS["call"].rests_on == ROOMS["jsonschema"].rests_on == set()
    assert "verdict" not in ROOMS["policy"].rests_on


def test_every_folder_is_a_room_or_said_to_be_none() -> None:
    folders = {path.name for path in house.README.parent.iterdir() if path.is_dir()}
    assert folders == {*ROOMS, "deploy", "doctor", "operators"}
    for room in ROOMS.values():
        inside = {path.parent.name for path in room.furniture} - {room.name}
        assert inside == set(room.folders), room.name


def test_the_page_and_the_picture_are_what_the_files_say() -> None:
    assert house.README.read_text() == house.readme(), "write it anew: python -m docs.house"
    assert house.FURNITURE.read_text() == house.furniture(), "python -m docs.house, too"
    assert house.IMAGE.read_text() == house.image(), "draw it anew: python -m docs.house"
