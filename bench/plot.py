"""Draws ratios with their ranges and marks, on a scale where twice as much is one step."""

import math
import statistics
from collections.abc import Mapping, Sequence

# Where a ratio is bounded, and from which side.
_MARKS = {"single by bare handler": 0.6, "batch by single": 5.0, "p99 by p50": 6.0}
_LEFT, _WIDTH, _ROW = 220, 400, 34
_LEAST, _MOST = 0.25, 16.0


def drawn(figures: Mapping[str, Sequence[float]]) -> str:
    height = _ROW * len(figures) + 40
    rows = [_row(number, name, values) for number, (name, values) in enumerate(figures.items())]
    steps = []
    for power in range(round(math.log2(_LEAST)), round(math.log2(_MOST)) + 1):
        x = _x(2.0**power)
        steps.append(f'<line x1="{x}" y1="0" x2="{x}" y2="{height - 30}" stroke="#ddd"/>')
        label = f"{2.0**power:g}"
        steps.append(f'<text x="{x}" y="{height - 12}" text-anchor="middle">{label}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 70} {height}" '
            'font-family="sans-serif" font-size="12">',
            "<title>HTTP benchmarks: medians, ranges over the rounds, and marks in red</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *steps,
            *rows,
            "</svg>\n",
        ]
    )


def _row(number: int, name: str, values: Sequence[float]) -> str:
    y, median = number * _ROW + 18, statistics.median(values)
    parts = [
        f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{name}</text>',
        f'<line x1="{_x(min(values))}" y1="{y}" x2="{_x(max(values))}" y2="{y}" '
        'stroke="#357" stroke-width="3"/>',
        f'<circle cx="{_x(median)}" cy="{y}" r="5" fill="#357"/>',
        f'<text x="{_LEFT + _WIDTH + 12}" y="{y + 4}">{median:.2f}</text>',
    ]
    if mark := _MARKS.get(name):
        x = _x(mark)
        parts.append(
            f'<line x1="{x}" y1="{y - 11}" x2="{x}" y2="{y + 11}" stroke="#c33" stroke-width="2"/>'
        )
    return "\n".join(parts)


def _x(value: float) -> int:
    part = math.log2(value / _LEAST) / math.log2(_MOST / _LEAST)
    return _LEFT + round(_WIDTH * min(max(part, 0.0), 1.0))
