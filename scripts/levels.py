#!/usr/bin/env python3
"""Measure the levels of UCI_LimitStrength, and write the table of them into the README.

Every level plays the one 200 Elo below it, and Stockfish at the same UCI_Elo where
Stockfish has such a level. No clocks run: a level is bound by nodes and depth of its
own, and Stockfish thinks for a fixed number of nodes. So neither the speed of the
machine matters nor what else it does.

The games are kept as PGN in a folder. A run goes on with what is there: stop it when
you like, ask for more games, or delete the files of levels that have changed. To move
a level, change its row in src/search/level.rs.

fastchess is found in PATH, or where FASTCHESS says.

Example:

    scripts/levels.py target/release/prelate --games 200 --anchor-games 100 \\
        --book openings.epd --readme README.md
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

import fastchess
from common import Elo, Progress, Trouble, arguments, at_least_one, clock
from ladder import Result, from_pgn
from uci import GRACE

STEP = 200  # Elo between two levels
WANTED = range(70, 83)  # per cent that a level is to score against the one below
UCI_ELO = re.compile(r"^option name UCI_Elo type spin .*\bmin (\d+) max (\d+)", re.MULTILINE)
HEAD = "| `UCI_Elo` | against 200 less | Elo | against Stockfish's | Elo |\n|---|---|---|---|---|\n"
BEYOND = 64  # plies, more than any level looks ahead
LONGEST = 200  # moves of a game, which is a draw then


@dataclass(frozen=True)
class Player:
    """An engine at a level."""

    engine: str
    command: str
    level: int
    limit: str

    @property
    def name(self) -> str:
        return f"{self.engine} {self.level}"

    def arguments(self) -> list[str]:
        """What fastchess has to know."""
        return [
            "-engine", f"cmd={self.command}", f"name={self.name}", self.limit,
            "option.UCI_LimitStrength=true", f"option.UCI_Elo={self.level}",
        ]  # fmt: skip


@dataclass(frozen=True)
class Match:
    """Two players and where their games are."""

    first: Player
    second: Player
    games: int
    pgn: Path

    def result(self) -> Result | None:
        """What has been played so far, from the first player's side."""
        return from_pgn(self.pgn, self.first.name) if self.pgn.exists() else None

    def missing(self) -> int:
        """Games still to play, a whole number of pairs."""
        result = self.result()
        return max(0, self.games - (result.games if result else 0) + 1) // 2 * 2

    def play(self, args: argparse.Namespace, number: int) -> Iterator[int]:
        """Play the missing games; yields how many are done."""
        command = [
            fastchess.find(), *self.first.arguments(), *self.second.arguments(),
            "-each", "option.Hash=16", "-rounds", str(number // 2), "-games", "2", "-repeat",
            "-concurrency", str(args.concurrency), "-maxmoves", str(LONGEST), "-recover",
            "-srand", str(args.seed if args.seed is not None else time.time_ns() % 2**31),
            "-pgnout", f"file={self.pgn}", "append=true", "-config", f"outname={self.pgn.with_suffix('.json')}",
        ]  # fmt: skip
        if args.book:
            kind = "pgn" if args.book.suffix == ".pgn" else "epd"
            command += ["-openings", f"file={args.book}", f"format={kind}", "order=random"]
        said = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout
            done = 0
            try:
                for line in process.stdout:
                    said.append(line)
                    if line.startswith("Finished game"):
                        done += 1
                        yield done
            except BaseException:
                process.terminate()  # its games would mix with those of the next run
                raise
        if process.returncode:
            raise Trouble(f"fastchess failed:\n{''.join(said[-5:])}")
        if fouls := fastchess.fouls("".join(said)):
            print(f"{self.first.name} - {self.second.name}: {fouls} games ended by a fault", file=sys.stderr)


def range_of(command: str) -> range:
    """The ratings that an engine can be limited to."""
    try:
        said = subprocess.run(
            [command], input="uci\nquit\n", capture_output=True, text=True, timeout=GRACE, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Trouble(f"cannot ask {command}: {error}") from error
    if not (found := UCI_ELO.search(said)):
        raise Trouble(f"{command} has no option UCI_Elo")
    return range(int(found[1]), int(found[2]) + 1)


def matches(args: argparse.Namespace) -> list[Match]:
    """All that is to be played, the weakest first: their games are quick."""
    own, others = range_of(args.engine), range_of(args.stockfish)
    levels = args.levels or list(own[::STEP])
    if unknown := [level for level in levels if level not in own]:
        raise Trouble(f"levels are {own[0]} to {own[-1]}, not {unknown[0]}")

    def prelate(level: int) -> Player:
        return Player("Prelate", args.engine, level, f"depth={BEYOND}")

    found = []
    for level in levels:
        if (below := level - STEP) in own:
            found.append(Match(prelate(level), prelate(below), args.games, args.folder / f"{level}-{below}.pgn"))
        if level in others:
            anchor = Player("Stockfish", args.stockfish, level, f"nodes={args.anchor_nodes}")
            pgn = args.folder / f"{level}-stockfish.pgn"
            found.append(Match(prelate(level), anchor, args.anchor_games, pgn))
    return found


def play_all(todo: list[Match], args: argparse.Namespace) -> None:
    progress, start = Progress(), time.monotonic()
    try:
        for number, match in enumerate(todo, 1):
            if not (missing := match.missing()):
                continue
            title = f"{match.first.name} - {match.second.name} ({number} of {len(todo)})"
            for done in match.play(args, missing):
                progress.show(f"{title}: {done} of {missing} games, {clock(time.monotonic() - start)}")
            progress.clear()
            if result := match.result():
                print(f"{title}: {percent(result)}, Elo {result.elo}", flush=True)
    finally:
        progress.clear()


def percent(result: Result) -> str:
    return f"{100 * result.score:.1f} % of {result.games} games"


def rounded(elo: Elo) -> str:
    return f"{elo.difference:+.0f} ± {elo.error:.0f}".replace("-", "−")


def table(todo: list[Match]) -> str:
    """The results as Markdown, a row for each level."""
    cells: dict[int, dict[str, tuple[str, str]]] = {}
    for match in todo:
        row = cells.setdefault(match.first.level, {})
        if result := match.result():
            row[match.second.engine] = percent(result), rounded(result.elo)
    rows = []
    for level, row in sorted(cells.items()):
        facts = [fact for engine in ("Prelate", "Stockfish") for fact in row.get(engine, ("", ""))]
        rows.append(f"| {level} | {' | '.join(facts)} |\n")
    return HEAD + "".join(rows)


def write(text: str, readme: Path) -> None:
    """Put the table in the place of the old one."""
    try:
        before, head, after = readme.read_text(encoding="utf-8").partition(HEAD)
        if not head:
            raise Trouble(f"{readme} has no table to replace")
        rest = "".join(dropwhile(lambda line: line.startswith("|"), after.splitlines(keepends=True)))
        readme.write_text(before + text + rest, encoding="utf-8")
    except OSError as error:
        raise Trouble(f"{readme}: {error.strerror}") from error


def judge(todo: list[Match]) -> bool:
    """Whether every level scores what it should against the one below; says which do not."""
    good = True
    for match in todo:
        result = match.result()
        if match.second.engine == "Prelate" and result and round(100 * result.score) not in WANTED:
            wanted = f"{WANTED[0]} to {WANTED[-1]} %"
            print(f"level {match.first.level} scores {percent(result)}, wanted {wanted}", file=sys.stderr)
            good = False
    return good


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    add = parser.add_argument
    add("engine", metavar="ENGINE", help="the binary")
    add("--stockfish", metavar="CMD", default="stockfish", help="the binary to compare with (default: stockfish)")
    add(
        "--folder",
        metavar="DIR",
        type=Path,
        default=Path("target/levels"),
        help="where the games are (default: target/levels)",
    )
    add("--levels", metavar="ELO", type=at_least_one, nargs="+", help="only these levels (default: all)")
    add("--games", metavar="N", type=at_least_one, default=200, help="against the level below (default: 200)")
    add("--anchor-games", metavar="N", type=at_least_one, default=100, help="against Stockfish (default: 100)")
    add("--anchor-nodes", metavar="N", type=at_least_one, default=25_000,
        help="for each of Stockfish's moves (default: 25000)")  # fmt: skip
    add("--book", metavar="FILE", type=Path, help="openings, .epd or .pgn (default: the start position)")
    add("--concurrency", metavar="N", type=at_least_one, default=1, help="games at once (default: 1)")
    add("--seed", metavar="N", type=int, help="of the order of the openings (default: another every time)")
    add("--readme", metavar="FILE", type=Path, help="replace the table in this file")
    return parser.parse_args()


def main() -> int:
    args = parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        todo = matches(args)
        play_all(todo, args)
        text = table(todo)
        print(text, end="")
        if args.readme:
            write(text, args.readme)
        return 0 if judge(todo) else 1
    except KeyboardInterrupt:
        print("interrupted: what was played is kept", file=sys.stderr)
        return 130
    except (Trouble, OSError) as trouble:
        print(f"levels.py: {trouble}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
