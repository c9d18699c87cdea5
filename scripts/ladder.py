#!/usr/bin/env python3
"""Keep the matches that were played, scripts/strength.csv, and draw what they say.

    ladder.py add    append a match, given by its PGN, by what fastchess printed, or by
                     figures, then draw
    ladder.py draw   draw what is there, for the README

A row is a match of the engine at COMMIT: OPPONENT is the commit or the engine that it
played, TC the clock (`2+0.02`) or the nodes for a move (`nodes=10000`). Elo and error
(95 % confidence) follow from the games, by pairs where they were played in pairs,
unless they are given. What is not known any more stays empty.

Two pictures are drawn. strength.svg is one scale for all players, fitted to all matches;
scripts/versions.csv has the names of commits that deserve one, the latest last, against
which errors are told. networks.svg shows how the networks of scripts/networks.csv grew:
what each gained over the evaluation by hand, and the positions it has learned from.

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

import fastchess
import picture
import scale
from common import Elo, Trouble, arguments, at_least_one, elo, expected
from picture import Bar

HERE = Path(__file__).resolve().parent
LADDER, VERSIONS, NETWORKS = HERE / "strength.csv", HERE / "versions.csv", HERE / "networks.csv"
STRENGTH, GROWTH = HERE / "strength.svg", HERE / "networks.svg"
# The engine whose strength is zero: one that never changes and that most versions have met.
ANCHOR = "Ethereal 12.00"
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
# What an engine of this repository is called in the files.
COMMIT = re.compile(r"[0-9a-f]{7}")
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


def table(path: Path) -> list[dict[str, str]]:
    """The lines of a file, by the names of its columns; none if it is not there."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error


def read(path: Path) -> list[Row]:
    try:
        return [Row.read(cells) for cells in table(path)]
    except (KeyError, TypeError, ValueError) as error:
        raise Trouble(f"{path}: {error}") from error


def write(rows: list[Row], path: Path) -> None:
    columns = [field.name for field in fields(Row)]
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows([getattr(row, column) for column in columns] for row in rows)


def names() -> dict[str, str]:
    """What the commits that have a name are called."""
    return {cells["commit"]: cells["name"] for cells in table(VERSIONS)}


def draw_scale(rows: list[Row]) -> str:
    """The picture of all players that matches join to the anchor, the strongest first."""
    called = names()
    matches = [scale.Match(row.commit, row.opponent, row.games, row.score, row.error) for row in rows]
    latest = next(reversed(called), ANCHOR)
    games: Counter[str] = Counter()
    for row in rows:
        games.update({row.commit: row.games, row.opponent: row.games})
    ratings = sorted(scale.fit(matches, ANCHOR, latest).items(), key=lambda item: -item[1].difference)

    def bar(name: str, rating: Elo) -> Bar:
        is_commit = COMMIT.fullmatch(name) is not None
        label = f"Prelate, {called[name]}" if name in called else f"Prelate {name}" if is_commit else name
        return Bar(label, f"{games[name]} games", rating, is_commit)

    bars = [bar(name, rating) for name, rating in ratings]
    title = f"Strength in Elo above {ANCHOR}, with errors at 95 % confidence against the latest version"
    return picture.scale(title, bars)


def draw_networks() -> str | None:
    """The picture of the networks; `None` before there is one."""
    bars = [
        Bar(cells["name"], f"{int(cells['positions']) / 1e6:,.0f} million positions, {cells['core_hours']} core-hours",
            Elo(float(cells["elo"]), float(cells["error"])), ours=True)
        for cells in table(NETWORKS)
    ]  # fmt: skip
    return picture.scale("Networks: Elo above the evaluation by hand at 8,000 nodes a move", bars) if bars else None


def draw(rows: list[Row]) -> None:
    STRENGTH.write_text(draw_scale(rows), encoding="utf-8")
    print(f"{STRENGTH}: {len(rows)} matches")
    if networks := draw_networks():
        GROWTH.write_text(networks, encoding="utf-8")
        print(GROWTH)


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
        draw(rows)
    except (Trouble, OSError, KeyError, ValueError) as trouble:
        print(f"ladder.py: {trouble}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
