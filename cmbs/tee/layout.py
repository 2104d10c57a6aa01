"""Where the nodes of a directed graph are drawn: in columns, so that edges lead to the right.

A node stands as far to the right as the longest path to it, after edges that close a cycle were
turned round; its row comes from the mean of its neighbours. Nodes without edges stand below.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Pair = tuple[str, str]
Point = tuple[float, float]
Step = tuple[int, int]

_SWEEPS = 8
# Of more bends nobody would follow the lines: then edges lead straight across what is between.
_MOST_BENDS = 20_000
# What an edge on its way takes of a column, where a node takes a row.
_BEND = 0.4
_GRID = 6


class Layout(NamedTuple):
    """The column and the row of each node, and where edges bend on their way."""

    places: dict[str, Point]
    bends: dict[Pair, list[Point]]


def lay_out(ids: Sequence[str], edges: Iterable[Pair]) -> Layout:
    """The same ids and edges give the same layout."""
    pairs = sorted({(source, target) for source, target in edges if source != target})
    ends = {end for pair in pairs for end in pair}
    linked, alone = [one for one in ids if one in ends], [one for one in ids if one not in ends]
    numbers = {one: no for no, one in enumerate(linked)}
    steps = _without_cycles(len(linked), [(numbers[a], numbers[b]) for a, b in pairs])
    columns = _columns(len(linked), steps)
    chains = _chains(columns, steps)
    rows = _rows(columns, len(linked), chains)
    below = max(rows, default=-1.5) + 1.5
    n_columns = max(_GRID, max(columns, default=0) + 1)
    places = {one: (float(columns[no]), rows[no]) for no, one in enumerate(linked)}
    for no, one in enumerate(alone):
        places[one] = (float(no % n_columns), below + no // n_columns)
    bends = {}
    for a, b in pairs:
        step = numbers[a], numbers[b]
        chain = chains[step] if step in chains else chains[step[::-1]][::-1]
        bends[a, b] = [(float(columns[one]), rows[one]) for one in chain[1:-1]]
    return Layout(places, bends)


def _without_cycles(n: int, steps: list[Step]) -> list[Step]:
    """The steps, of which those that lead back to where the way came from are turned round."""
    following: list[list[int]] = [[] for _ in range(n)]
    is_entered = [False] * n
    for a, b in steps:
        following[a].append(b)
        is_entered[b] = True
    found: dict[Step, None] = {}
    is_open, is_seen = [False] * n, [False] * n
    for start in sorted(range(n), key=lambda one: (is_entered[one], one)):
        if is_seen[start]:
            continue
        is_open[start] = is_seen[start] = True
        way = [(start, iter(following[start]))]
        while way:
            a, others = way[-1]
            b = next(others, -1)
            if b < 0:
                is_open[a] = False
                way.pop()
                continue
            found[(b, a) if is_open[b] else (a, b)] = None
            if not is_seen[b]:
                is_open[b] = is_seen[b] = True
                way.append((b, iter(following[b])))
    return list(found)


def _columns(n: int, steps: list[Step]) -> list[int]:
    following: list[list[int]] = [[] for _ in range(n)]
    n_before = [0] * n
    for a, b in steps:
        following[a].append(b)
        n_before[b] += 1
    columns = [0] * n
    first = [one for one in range(n) if not n_before[one]]
    ready = list(first)
    for a in ready:
        for b in following[a]:
            columns[b] = max(columns[b], columns[a] + 1)
            n_before[b] -= 1
            if not n_before[b]:
                ready.append(b)
    # What nothing leads to stands beside the first that it leads to.
    for a in first:
        columns[a] = min(columns[b] for b in following[a]) - 1
    return columns


def _chains(columns: list[int], steps: list[Step]) -> dict[Step, list[int]]:
    """Each step with the bends in the columns that it passes, which get numbers of their own."""
    has_bends = sum(columns[b] - columns[a] - 1 for a, b in steps) <= _MOST_BENDS
    chains = {}
    for a, b in steps:
        passed = range(columns[a] + 1, columns[b]) if has_bends else range(0)
        chains[a, b] = [a, *range(len(columns), len(columns) + len(passed)), b]
        columns.extend(passed)
    return chains


def _rows(columns: list[int], n: int, chains: dict[Step, list[int]]) -> list[float]:
    layers: list[list[int]] = [[] for _ in range(max(columns, default=-1) + 1)]
    for one, column in enumerate(columns):
        layers[column].append(one)
    before, after = defaultdict(list), defaultdict(list)
    for chain in chains.values():
        for a, b in itertools.pairwise(chain):
            after[a].append(b)
            before[b].append(a)
    rows = [0.0] * len(columns)

    def mean(one: int, near: list[int]) -> float:
        return sum(rows[other] for other in near) / len(near) if near else rows[one]

    for layer in layers:
        for no, one in enumerate(layer):
            rows[one] = float(no)
    for sweep in range(_SWEEPS):
        to_right = sweep % 2 == 0
        for layer in layers if to_right else layers[::-1]:
            layer.sort(key=lambda one: mean(one, (before if to_right else after)[one]))
            for no, one in enumerate(layer):
                rows[one] = float(no)
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            wanted = [mean(one, before[one] + after[one]) for one in layer]
            for one, row in zip(layer, _spread(layer, wanted, n), strict=True):
                rows[one] = row
    top = min(rows, default=0.0)
    return [row - top for row in rows]


def _spread(layer: list[int], wanted: list[float], n: int) -> list[float]:
    """Rows near the wanted ones, in the order of the layer, with room for everything."""
    sizes = [1.0 if one < n else _BEND for one in layer]
    gaps = [(a + b) / 2 for a, b in itertools.pairwise(sizes)]
    low, high = list(wanted), list(wanted)
    for no, gap in enumerate(gaps):
        low[no + 1] = max(low[no + 1], low[no] + gap)
    for no in reversed(range(len(gaps))):
        high[no] = min(high[no], high[no + 1] - gaps[no])
    return [(a + b) / 2 for a, b in zip(low, high, strict=True)]
