#!/usr/bin/env python3
"""Compare the nodes per second of UCI engines, searching the same positions in turn.

All engines are started once and take turns, position by position and round by round,
so that what else the machine does falls on all of them alike. Since that only ever
slows, a position counts with the fastest of its rounds; the last line is the geometric
mean. Ratios are to the first column, with the lowest and highest of a single round.

On a machine that wavers, two builds that differ by a hundredth are told apart by many
short searches: with --nodes each is of so many nodes, some 20 ms, and compared with
the first engine's just before or after it. Where its file and its memory lie makes
the same program faster or slower by some hundredths for as long as it runs, so with
--nodes each engine is started again now and then, from a new copy of its file alone:
an engine must not need others beside it. The last lines then have the mean of the
starts' medians of these ratios and its standard error, which takes a minute to come
below 0.003.

With more than one number of threads every engine has a column for each: the second
column of one engine then says what its threads add.

Example:

    scripts/speed.py target/release/prelate /usr/games/ethereal-chess
    scripts/speed.py target/release/prelate --threads 1,2 --time 2 --rounds 3
    scripts/speed.py ./prelate-base target/release/prelate --nodes 20000
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from itertools import chain
from operator import truediv
from pathlib import Path

from common import Progress, Trouble, arguments, at_least_one, clock, option, seconds
from uci import GRACE, Engine

POSITIONS = {
    "opening": "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 b kq - 0 8",
    "open middlegame": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "closed middlegame": "r1bq1rk1/pp1n1pbp/3p1np1/2pPp3/2P1P3/2N1BP2/PP1QN1PP/R3KB1R w KQ - 0 10",
    "attack on the king": "r2q1rk1/1b1nbppp/p2ppn2/1p4P1/3NPP2/2N1B3/PPPQ3P/2KR1B1R b - - 0 12",
    "queens and rooks": "3r1rk1/pp3ppp/2q1p3/8/3P4/1Q2R3/PP3PPP/3R2K1 w - - 0 22",
    "rooks and pawns": "8/5pk1/1p4p1/p1r4p/P1R4P/1P4P1/5PK1/8 w - - 0 36",
    "minor pieces": "8/1p3pk1/p2p2p1/2pP1b1p/P1P1n2P/1P2BNP1/5PK1/8 w - - 0 34",
    "pawns": "8/5pk1/1p2p1p1/p2pP2p/P2P1P1P/1P3KP1/8/8 w - - 0 40",
}
NODES = re.compile(r"^info .*\bnodes (\d+)")
ROUNDS_PER_START = 10  # with --nodes: some three seconds for two engines


class Racer:
    """An engine with a number of threads, and the nodes per second it made in each round."""

    def __init__(self, command: str, threads: int, args: argparse.Namespace) -> None:
        self.command, self.threads, self.args = command, threads, args
        self.copy: Path | None = None
        self.engine = self.started(command)
        self.title = self.name = self.engine.name
        self.speeds: list[list[float]] = [[] for _ in POSITIONS]

    def started(self, command: str) -> Engine:
        wanted = dict(self.args.option) | ({"Threads": self.threads} if self.threads > 1 else {})
        return Engine(command, {"Hash": self.args.hash, "Threads": self.threads}, wanted)

    def start_again(self, folder: Path) -> None:
        """Starts a new copy of the engine's file in a folder, in place of the last one."""
        self.close()
        program, *words = shlex.split(self.command)
        found = shutil.which(program)
        if found is None:
            raise Trouble(f"cannot find {program}")
        descriptor, name = tempfile.mkstemp(Path(found).suffix, f"{Path(found).stem}-", folder)
        os.close(descriptor)
        self.copy = Path(shutil.copy2(found, name))
        self.engine = self.started(shlex.join([name, *words]))

    def close(self) -> None:
        self.engine.close()
        if self.copy:
            self.copy.unlink()
            self.copy = None

    def search(self, fen: str) -> float:
        """Nodes per second, up to the last line that told its nodes."""
        args, engine = self.args, self.engine
        engine.new_game()
        engine.send(f"position fen {fen}")
        start = told = time.perf_counter()
        if args.nodes:
            engine.send(f"go nodes {args.nodes}")
        else:
            engine.send(f"go movetime {round(args.time * 1000)}")
        nodes = 0
        for line in engine.lines_until("bestmove", args.time + GRACE):
            if match := NODES.match(line):
                nodes, told = int(match[1]), time.perf_counter()
        if not nodes:
            raise Trouble(f"{self.command} told no nodes for {fen}")
        return nodes / (told - start)

    def best(self, position: int) -> float:
        return max(self.speeds[position])

    def mean(self) -> float:
        return statistics.geometric_mean(map(self.best, range(len(POSITIONS))))

    def means(self) -> list[float]:
        """The geometric mean of each round."""
        return [statistics.geometric_mean(speeds) for speeds in zip(*self.speeds, strict=True)]


def entitle(racers: list[Racer], args: argparse.Namespace) -> None:
    """Give each a title that no other has, if possible: its name, else its command; its threads."""
    names = Counter(racer.name for racer in racers)
    for racer in racers:
        if names[racer.name] > len(args.threads):
            racer.title = racer.command
        if len(args.threads) > 1:
            racer.title += f" x{racer.threads}"


def race(racers: list[Racer], args: argparse.Namespace, folder: Path) -> None:
    """Let all search all positions, in turn."""
    progress = Progress()
    total = args.rounds * len(POSITIONS) * len(racers)
    done, start = 0, time.monotonic()
    for turn in range(args.rounds):
        if args.nodes and turn % ROUNDS_PER_START == 0:
            for racer in racers:
                racer.start_again(folder)
        for index, fen in enumerate(POSITIONS.values()):
            # None is always the first: after a pause a processor may need a moment to be at its fastest.
            for racer in racers if turn % 2 == 0 else reversed(racers):
                spent = time.monotonic() - start
                left = (total - done) * (spent / done if done else args.time)
                progress.show(f"round {turn + 1} of {args.rounds}: {done} of {total} searches, {clock(left)} left")
                racer.speeds[index].append(racer.search(fen))
                done += 1
    progress.clear()


def in_pairs(racer: Racer, first: Racer) -> str:
    """The mean of the starts' medians of the ratios of searches beside each other, with its standard error."""
    medians = []
    for begin in range(0, len(first.speeds[0]), ROUNDS_PER_START):
        own, base = (
            chain.from_iterable(speeds[begin : begin + ROUNDS_PER_START] for speeds in one.speeds)
            for one in (racer, first)
        )
        medians.append(statistics.median(map(truediv, own, base)))
    error = f" +- {statistics.stdev(medians) / math.sqrt(len(medians)):.3f}" if len(medians) > 1 else ""
    starts = "start" if len(medians) == 1 else "starts"
    return f"{racer.title}: {statistics.mean(medians):.3f}{error} times {first.title} ({len(medians)} {starts})"


def table(racers: list[Racer], args: argparse.Namespace) -> str:
    """Thousands of nodes per second, and the ratio of the others to the first."""
    first, *others = racers
    width = max(map(len, POSITIONS))
    widths = [max(len(racer.title), 14) for racer in racers]

    def row(name: str, cells: list[str]) -> str:
        columns = (f"{cell:>{size}}" for cell, size in zip(cells, widths, strict=True))
        return f"{name:<{width}}  " + "  ".join(columns)

    lines = ["thousands of nodes per second", row("", [racer.title for racer in racers])]

    def compared(name: str, speeds: list[float]) -> None:
        base, *rest = speeds
        cells = [f"{speed / 1000:.0f} {speed / base:6.3f}" for speed in rest]
        lines.append(row(name, [f"{base / 1000:.0f}", *cells]))

    for index, name in enumerate(POSITIONS):
        compared(name, [racer.best(index) for racer in racers])
    compared("geometric mean", [racer.mean() for racer in racers])
    if args.nodes:
        return "\n".join([*lines, *(in_pairs(racer, first) for racer in others)])
    for racer in others:
        ratios = [own / base for own, base in zip(racer.means(), first.means(), strict=True)]
        ratio, rounds = racer.mean() / first.mean(), len(ratios)
        span = f"{min(ratios):.3f} to {max(ratios):.3f} in {rounds} rounds" if rounds > 1 else "one round"
        lines.append(f"{racer.title}: {ratio:.3f} times {first.title}, which is {1 / ratio:.3f} times it ({span})")
    return "\n".join(lines)


def numbers(text: str) -> list[int]:
    return [at_least_one(word) for word in text.split(",")]


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    add = parser.add_argument
    add("engines", metavar="CMD", nargs="+", help="command lines of the engines, the first to compare with")
    add("-t", "--time", metavar="S", type=seconds, default=1.0, help="seconds a search (default: 1)")
    add("-n", "--nodes", metavar="N", type=at_least_one,
        help="many searches of so many nodes instead, compared in pairs")  # fmt: skip
    add("-r", "--rounds", metavar="N", type=at_least_one,
        help="searches of each position (default: 3, or 200 with --nodes)")  # fmt: skip
    add("--hash", metavar="MB", type=at_least_one, default=16, help="hash table (default: 16)")
    add("--threads", metavar="N[,N]", type=numbers, default=[1], help="search threads (default: 1)")
    add("-o", "--option", metavar="NAME=VALUE", type=option, action="append", default=[],
        help="another UCI option, for all engines; may be repeated")  # fmt: skip
    args = parser.parse_args()
    args.rounds = args.rounds or (200 if args.nodes else 3)
    return args


def main() -> int:
    args = parse_args()
    racers: list[Racer] = []
    with tempfile.TemporaryDirectory(prefix="speed-", ignore_cleanup_errors=True) as folder:
        try:
            for command in args.engines:
                for threads in args.threads:
                    racers.append(Racer(command, threads, args))
            entitle(racers, args)
            race(racers, args, Path(folder))
        except Trouble as trouble:
            print(f"speed.py: {trouble}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130
        finally:
            for racer in racers:
                racer.close()
    print(table(racers, args))
    return 0


if __name__ == "__main__":
    sys.exit(main())
