#!/usr/bin/env python3
"""Keep the ladder of measured strength, scripts/strength.csv, and draw it as an SVG.

    ladder.py add    append a match, given by its PGN, by what fastchess printed, or by
                     figures, then draw
    ladder.py draw   draw what is there, for the README

A row is a match of the engine at COMMIT: OPPONENT is the commit or the engine that it
played, TC the clock (`2+0.02`) or the nodes for a move (`nodes=10000`). Elo and error
(95 % confidence) follow from the games, by pairs where they were played in pairs,
unless they are given. What is not known any more stays empty.

Example:

    scripts/ladder.py add --opponent 1a2b3c4 --tc 2+0.02 --pgn match.pgn --player new
    scripts/ladder.py add --commit 5d6e7f8 --opponent "Ethereal 12.00" --tc 2+0.02 \\
        --wins 150 --draws 90 --losses 60
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from pathlib import Path
from xml.sax.saxutils import escape

import fastchess
from common import Elo, Trouble, arguments, at_least_one, elo, expected

HERE = Path(__file__).resolve().parent
LADDER, PICTURE = HERE / "strength.csv", HERE / "strength.svg"
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """A match, as its line of the file has it."""

    commit: str
    opponent: str
    tc: str
    games: int
    wins: int | None
    draws: int | None
    losses: int | None
    score: float
    elo: float | None
    error: float | None

    @classmethod
    def read(cls, cells: dict[str, str]) -> Row:
        def number(name: str) -> int | None:
            return int(cells[name]) if cells[name] else None

        def real(name: str) -> float | None:
            return float(cells[name]) if cells[name] else None

        return cls(
            cells["commit"], cells["opponent"], cells["tc"], int(cells["games"]),
            number("wins"), number("draws"), number("losses"), float(cells["score"]), real("elo"), real("error"),
        )  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What a match came to; the counts of wins, draws and losses may be lost."""

    games: int
    counts: tuple[int, int, int] | None
    elo: Elo

    @classmethod
    def of(cls, counts: tuple[int, int, int], difference: Elo | None = None) -> Result:
        wins, draws, losses = counts
        if not sum(counts):
            raise Trouble("no games")
        return cls(sum(counts), counts, difference or elo({1.0: wins, 0.5: draws, 0.0: losses}))

    @property
    def score(self) -> float:
        if not self.counts:
            return expected(self.elo.difference)
        wins, draws, _ = self.counts
        return (wins + draws / 2) / self.games

    def row(self, commit: str, opponent: str, tc: str) -> Row:
        known = math.isfinite(self.elo.difference)
        wins, draws, losses = self.counts or (None, None, None)
        return Row(
            commit, opponent, tc, self.games, wins, draws, losses, round(self.score, 4),
            round(self.elo.difference, 1) if known else None, round(self.elo.error, 1) if known else None,
        )  # fmt: skip


def from_pgn(path: Path, player: str) -> Result:
    """The result of all finished games of this player in the file."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    rounds: dict[str, list[float]] = defaultdict(list)
    for tags in headers(text):
        if tags.get("Result") in POINTS and player in (tags.get("White"), tags.get("Black")):
            points = POINTS[tags["Result"]]
            rounds[tags.get("Round", "?")].append(points if tags["White"] == player else 1 - points)
    games = [score for scores in rounds.values() for score in scores]
    if not games:
        raise Trouble(f"{path}: no finished games of {player}")
    paired = all(len(scores) == 2 for scores in rounds.values())
    scores = Counter((sum(pair) / 2 for pair in rounds.values()) if paired else games)
    return Result.of((games.count(1.0), games.count(0.5), games.count(0.0)), elo(scores))


def headers(text: str) -> list[dict[str, str]]:
    """The tags of every game."""
    games: list[dict[str, str]] = []
    for tag in TAG.finditer(text):
        if tag[1] == "Event" or not games:
            games.append({})
        games[-1][tag[1]] = tag[2]
    return games


def from_log(path: Path) -> Result:
    """The last result that fastchess printed into the file."""
    try:
        found = fastchess.summary(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    if not found:
        raise Trouble(f"{path}: no result of fastchess")
    return Result.of((found.wins, found.draws, found.losses), found.elo)


def result(args: argparse.Namespace) -> Result:
    """What the arguments say of the match."""
    counts = (args.wins, args.draws, args.losses)
    given = Elo(args.elo, args.error) if args.elo is not None and args.error is not None else None
    if args.pgn:
        return from_pgn(args.pgn, args.player)
    if args.log:
        return from_log(args.log)
    if None not in counts:
        return Result.of(counts, given)
    if args.games and given:
        return Result(args.games, None, given)
    raise Trouble("a match needs --pgn, --log, --wins --draws --losses, or --games --elo --error")


def short(commit: str) -> str:
    """The short name of a commit."""
    command = ["git", "-C", str(HERE), "rev-parse", "--short=7", "--verify", f"{commit}^{{commit}}"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise Trouble(f"{commit} is no commit here") from error


def read(path: Path) -> list[Row]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [Row.read(cells) for cells in csv.DictReader(file)]
    except FileNotFoundError:
        return []
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise Trouble(f"{path}: {error}") from error


def write(rows: list[Row], path: Path) -> None:
    names = [field.name for field in fields(Row)]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(names)
        table.writerows([getattr(row, name) for name in names] for row in rows)


PLOT, FIGURES, EDGE, ROW, TOP, BOTTOM = 360, 90, 16, 30, 46, 40  # the picture's measures in pixels
LETTER = 7.5  # the width to allow for one
STYLE = """
    .card { fill: #ffffff; stroke: #d0d7de }
    text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-weight: 600; font-size: 15px }
    .faint { fill: #59636e; font-size: 12px }
    .grid { stroke: #d8dee4 }
    .zero { stroke: #818b98 }
    .error { stroke: #0969da; stroke-width: 2 }
    .dot { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .faint { fill: #9198a1 }
      .grid { stroke: #2f353d }
      .zero { stroke: #7d8590 }
      .error { stroke: #58a6ff }
      .dot { fill: #58a6ff }
    }
"""


def players(row: Row) -> str:
    return f"{row.commit} against {row.opponent}"


def pace(row: Row) -> str:
    return f"{row.games} games, " + re.sub(r"^nodes=(\d+)$", r"\1 nodes", row.tc)


def signed(number: float) -> str:
    """A whole number with a sign as print has it."""
    whole = round(number)
    return f"{whole:+}".replace("-", "−") if whole else "0"


class Scale:
    """Where an Elo difference lies on the picture, and which ones get a line."""

    def __init__(self, rows: list[Row]) -> None:
        ends = [0.0, 20.0]
        for row in rows:
            if row.elo is not None and row.error is not None:
                ends += [row.elo - row.error, row.elo + row.error]
        low, high = min(ends), max(ends)
        self.step = next(step for step in (5, 10, 20, 50, 100, 200, 500, 1000) if (high - low) / step <= 8)
        self.low = math.floor(low / self.step) * self.step
        self.high = math.ceil(high / self.step) * self.step
        texts = [max((len(text(row)) for row in rows), default=0) for text in (players, pace)]
        self.left = round(sum(texts) * LETTER) + 3 * EDGE
        self.width = self.left + PLOT + FIGURES

    def x(self, difference: float) -> float:
        return self.left + PLOT * (difference - self.low) / (self.high - self.low)

    def ticks(self) -> range:
        return range(self.low, self.high + 1, self.step)


def svg(rows: list[Row]) -> str:
    """The ladder, a line for each match, the newest last. A card of its own ground, so that it
    can be read on any page."""
    scale = Scale(rows)
    bottom = TOP + ROW * len(rows)
    width, height = scale.width, bottom + BOTTOM
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        "<title>Measured strength: Elo of each match with its error at 95 % confidence</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        f'<text class="title" x="{EDGE}" y="28">Measured strength in Elo, with errors at 95 % confidence</text>',
    ]
    for tick in scale.ticks():
        x = scale.x(tick)
        kind = "grid" if tick else "zero"
        lines.append(f'<line class="{kind}" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>')
        lines.append(f'<text class="faint" x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{signed(tick)}</text>')
    lines += [part for number, row in enumerate(rows) for part in drawn(row, TOP + ROW * (number + 0.5), scale)]
    return "\n".join([*lines, "</svg>", ""])


def drawn(row: Row, y: float, scale: Scale) -> list[str]:
    """One match: who played whom and how on the left, the bar, and the figures on the right."""
    base, end = y + 4.5, scale.width - EDGE
    parts = [
        f'<text x="{EDGE}" y="{base}">{escape(players(row))}</text>',
        f'<text class="faint" x="{scale.left - EDGE}" y="{base}" text-anchor="end">{escape(pace(row))}</text>',
    ]
    if row.elo is None or row.error is None:
        return [*parts, f'<text x="{end}" y="{base}" text-anchor="end">{100 * row.score:.1f} %</text>']
    low, high = scale.x(row.elo - row.error), scale.x(row.elo + row.error)
    parts.append(f'<line class="error" x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}"/>')
    for x in (low, high):
        parts.append(f'<line class="error" x1="{x:.1f}" y1="{y - 5}" x2="{x:.1f}" y2="{y + 5}"/>')
    parts.append(f'<circle class="dot" cx="{scale.x(row.elo):.1f}" cy="{y}" r="5"/>')
    return [*parts, f'<text x="{end}" y="{base}" text-anchor="end">{signed(row.elo)} ± {row.error:.0f}</text>']


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    actions = parser.add_subparsers(dest="action", required=True, metavar="add|draw")
    actions.add_parser("draw", help="draw the ladder again")
    add = actions.add_parser("add", help="append a match, then draw").add_argument
    add("--commit", metavar="REV", default="HEAD", help="the engine that was measured (default: HEAD)")
    add("--opponent", metavar="NAME", required=True, help="what it played: a commit, or another engine's name")
    add("--tc", metavar="TC", required=True, help="SECONDS+INCREMENT, or nodes=N")
    add("--pgn", metavar="FILE", type=Path, help="the games")
    add("--player", metavar="NAME", default="new", help="the engine's name in the PGN (default: new)")
    add("--log", metavar="FILE", type=Path, help="what fastchess printed, the engine being its first")
    for name in ("wins", "draws", "losses"):
        add(f"--{name}", metavar="N", type=int)
    add("--games", metavar="N", type=at_least_one, help="games, where wins, draws and losses are not known")
    add("--elo", metavar="X", type=float, help="the difference, where it is known better")
    add("--error", metavar="X", type=float, help="its error at 95 %% confidence")
    return parser.parse_args()


def main() -> int:
    args = parse_args()
    try:
        rows = read(LADDER)
        if args.action == "add":
            rows.append(row := result(args).row(short(args.commit), args.opponent, args.tc))
            write(rows, LADDER)
            print(f"{row.commit} against {row.opponent}: {row.games} games, {100 * row.score:.1f} %, Elo {row.elo}")
        PICTURE.write_text(svg(rows), encoding="utf-8")
        print(f"{PICTURE}: {len(rows)} matches")
    except (Trouble, OSError) as trouble:
        print(f"ladder.py: {trouble}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
