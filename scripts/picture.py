"""Pictures of measurements as SVG: cards with a ground of their own, to be read on any page."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from common import Elo

EDGE, ROW, TOP, BOTTOM = 16, 28, 50, 40  # in pixels, as all measures here
PLOT, FIGURES = 380, 96
LETTER = 7.5  # the width to allow for one
PARTS = 5  # of a decade: where an axis of powers may begin and end
LINE = 13  # the height
STYLE = """
    .card { fill: #ffffff; stroke: #d0d7de }
    text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-weight: 600; font-size: 15px }
    .faint { fill: #59636e; font-size: 12px }
    .grid { stroke: #d8dee4 }
    .ours { stroke: #0969da; fill: #0969da }
    .theirs { stroke: #818b98; fill: #818b98 }
    .curve { fill: none; stroke-width: 2 }
    .error { stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .faint { fill: #9198a1 }
      .grid { stroke: #2f353d }
      .ours { stroke: #58a6ff; fill: #58a6ff }
      .theirs { stroke: #7d8590; fill: #7d8590 }
    }
"""


@dataclass(frozen=True)
class Bar:
    """A line of a scale: a name, what else there is to say of it, and its value."""

    name: str
    remark: str
    value: Elo
    ours: bool


@dataclass(frozen=True)
class Point:
    """A point of a curve: where it lies, and what is written beside it."""

    x: float
    value: Elo
    name: str


@dataclass(frozen=True)
class Path:
    """The way of a value: its name, what else there is to say, and where it was at even distances."""

    name: str
    remark: str
    values: list[float]


def signed(number: float) -> str:
    """A whole number with a sign as print has it."""
    whole = round(number)
    return f"{whole:+}".replace("-", "−") if whole else "0"


class Axis:
    """Values along so many pixels, with a round number of them to each grid line."""

    def __init__(self, values: Iterable[float], start: float, end: float) -> None:
        values = list(values)
        low, high = min(values), max(values)
        steps = (factor * 10**power for power in range(7) for factor in (1, 2, 5))
        self.step = next(step for step in steps if (high - low) / step <= 7)
        self.low = math.floor(low / self.step) * self.step
        self.high = max(math.ceil(high / self.step) * self.step, self.low + self.step)
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self) -> range:
        return range(self.low, self.high + 1, self.step)


def card(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """A picture of these parts under its title."""
    return "\n".join([
        (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">'),
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8"/>',
        f'<text class="title" x="{EDGE}" y="28">{escape(title)}</text>',
        *parts,
        "</svg>",
        "",
    ])  # fmt: skip


def text(words: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    kind = f'class="{kind}" ' if kind else ""
    return f'<text {kind}x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def scale(title: str, bars: list[Bar]) -> str:
    """Players on one scale, a line for each, in the order given."""
    names = [max((len(getattr(bar, field)) for bar in bars), default=0) for field in ("name", "remark")]
    left = round(sum(names) * LETTER) + 3 * EDGE
    width, bottom = left + PLOT + FIGURES, TOP + ROW * len(bars)
    ends = [0.0] + [bar.value.difference + sign * bar.value.error for bar in bars for sign in (-1, 1)]
    axis = Axis(ends, left, left + PLOT)
    parts = []
    for tick in axis.ticks():
        parts.append(line("grid", axis.at(tick), TOP, axis.at(tick), bottom))
        parts.append(text(signed(tick), axis.at(tick), bottom + 20, "faint", "middle"))
    for number, bar in enumerate(bars):
        y, kind = TOP + ROW * (number + 0.5), "ours" if bar.ours else "theirs"
        low, high = (axis.at(bar.value.difference + sign * bar.value.error) for sign in (-1, 1))
        parts += [
            text(bar.name, EDGE, y + 4.5),
            text(bar.remark, left - EDGE, y + 4.5, "faint", "end"),
            line(f"error {kind}", low, y, high, y),
            f'<circle class="{kind}" cx="{axis.at(bar.value.difference):.1f}" cy="{y:.1f}" r="5"/>',
            text(figure(bar.value), width - EDGE, y + 4.5, anchor="end"),
        ]
    return card(title, width, bottom + BOTTOM, parts)


def figure(value: Elo) -> str:
    return signed(value.difference) + (f" ± {value.error:.0f}" if value.error else "")


Place = tuple[float, float]  # from the left and from above


class Names:
    """Names beside the points of a curve, none upon another or upon what is drawn."""

    def __init__(self, drawn: list[tuple[Place, Place]]) -> None:
        self.taken: list[tuple[float, float, float]] = []  # left, right and height of each
        # Places so close to each other that no name fits between them.
        parts = [part / 20 for part in range(21)]
        self.drawn = [
            (x + part * (to_x - x), y + part * (to_y - y)) for (x, y), (to_x, to_y) in drawn for part in parts
        ]

    def beside(self, x: float, y: float, name: str, to_the_right: bool) -> str:
        """A name on that side of a point, as far below it as the others leave room."""
        wide = LETTER * len(name)
        left = x + 9 if to_the_right else x - 9 - wide
        heights = [y + down for down in ((16, 32, 48) if to_the_right else (-9, -24, 40, 56, 72, 88, 104, 120))]
        height = next((height for height in heights if self._is_free(left, left + wide, height)), heights[0])
        self.taken.append((left, left + wide, height))
        return text(name, left, height) if to_the_right else text(name, left + wide, height, anchor="end")

    def _is_free(self, left: float, right: float, y: float) -> bool:
        apart = (right < start or end < left or abs(y - height) > LINE for start, end, height in self.taken)
        crossed = (left - 4 < x < right + 4 and y - LINE < at < y + 6 for x, at in self.drawn)
        return all(apart) and not any(crossed)


def curve(title: str, below: str, points: list[Point], height: float = 260) -> str:
    """Values over a logarithmic axis, in the order of the points."""
    width, left, bottom = 720, 64, TOP + height
    powers = [math.log10(point.x) for point in points]
    first, last = math.floor(min(powers) * PARTS) / PARTS, math.ceil(max(powers) * PARTS + 0.01) / PARTS
    ends = [0.0] + [point.value.difference + sign * point.value.error for point in points for sign in (-1, 1)]
    up = Axis(ends, bottom, TOP)

    def x(power: float) -> float:
        return left + (width - left - 3 * EDGE) * (power - first) / (last - first)

    parts = [text(below, width - EDGE, bottom + 38, "faint", "end")]
    for tick in up.ticks():
        parts.append(line("grid", left, up.at(tick), width - EDGE, up.at(tick)))
        parts.append(text(signed(tick), left - 8, up.at(tick) + 4, "faint", "end"))
    for power in range(math.ceil(first), math.floor(last) + 1):
        parts.append(line("grid", x(power), TOP, x(power), bottom))
        parts.append(text(amount(10**power), x(power), bottom + 20, "faint", "middle"))
    way = [(x(power), up.at(point.value.difference)) for power, point in zip(powers, points, strict=True)]
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in way)
    parts.append(f'<polyline class="curve ours" style="fill: none" points="{places}"/>')
    errors = [
        [(x(power), up.at(point.value.difference + sign * point.value.error)) for sign in (-1, 1)]
        for power, point in zip(powers, points, strict=True)
    ]
    names = Names([*itertools.pairwise(way), *((low, high) for low, high in errors)])
    for (across, y), (low, high), point in zip(way, errors, points, strict=True):
        parts += [
            line("error ours", *low, *high),
            f'<circle class="ours" cx="{across:.1f}" cy="{y:.1f}" r="5"/>',
            # Towards the side that has more room.
            names.beside(across, y, point.name, to_the_right=across < width / 2),
        ]
    return card(title, width, bottom + BOTTOM + 12, parts)


def amount(number: float) -> str:
    """A power of ten in words."""
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if number >= size:
            return f"{number / size:g} {word}"
    return f"{number:g}"


def pace(tc: str) -> str:
    """A clock or a number of nodes as people say it."""
    return re.sub(r"^nodes=(\d+)$", r"\1 nodes", tc)


def paths(title: str, ways: list[Path], points: int) -> str:
    """Small pictures of many paths on one scale, with room for so many points in each."""
    columns, wide, high, label = 3, 290, 48, 22
    width = EDGE + columns * (wide + EDGE)
    lines = math.ceil(len(ways) / columns)
    most = max((abs(value) for way in ways for value in way.values), default=0.0)
    up = Axis((-most, most), high, 0)
    parts = []
    for number, way in enumerate(ways):
        left = EDGE + number % columns * (wide + EDGE)
        top = TOP + number // columns * (high + label + EDGE) + label
        places = ((left + wide * at / points, top + up.at(value)) for at, value in enumerate(way.values))
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts += [
            text(way.name, left, top - 8, "faint"),
            text(way.remark, left + wide, top - 8, "faint", "end"),
            line("grid", left, top + up.at(0), left + wide, top + up.at(0)),
            f'<polyline class="curve ours" style="fill: none" points="{places}"/>',
        ]
    return card(title, width, TOP + lines * (high + label + EDGE) + EDGE, parts)
