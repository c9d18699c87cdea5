"""Pictures of measurements as SVG: cards with a ground of their own, to be read on any page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from common import Elo

EDGE, ROW, TOP, BOTTOM = 16, 28, 50, 40  # in pixels, as all measures here
PLOT, FIGURES = 380, 104
LETTER = 7.5  # the width to allow for one
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
