#!/usr/bin/env python3
"""Let the engine play itself at very short clocks for long, and watch time, rules and memory.

Both sides of a game are processes of their own, which live as long as the run. Clocks run
from `go` to `bestmove`; half of the games are played under load, with a busy process for each
processor. Counted are:

    time losses      with the milliseconds by which a clock was overrun; a game in which the host
                     of a virtual machine kept its processors for as long is broken off and
                     played again, and how often that was is reported
    illegal moves    checked by python-chess
    crashes          the process ended, or did not answer
    memory           of each process after each game: at most Hash and what the README
                     states, and not growing after the first tenth of the games and one at
                     each time control

The last line is the verdict, and the exit status is 1 if there was anything to count. Needs
Linux and the `chess` package from PyPI. Linux shares the processors out among sessions first,
and one of them may wait for 100 ms and more: start whatever runs beside it from the same shell.

Example:

    scripts/soak.py target/release/prelate --games 5000
    scripts/soak.py target/release/prelate --games 100 --tc 0.1+0.01 --threads 2
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import os
import random
import re
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import chess

from common import Progress, Trouble, arguments, at_least_one, clock
from match import TimeControl, verdict
from uci import Engine

TIME_CONTROLS = "0.1+0.01", "1+0", "40/2"
BESIDES = 19.0  # MiB that the README states besides the hash table
PER_THREAD = 4.0  # and for each thread but the first
GROWTH = 1.0  # MiB by which memory may differ once it has settled
PATIENCE = 10.0  # seconds after its flag has fallen until a silent engine is given up
OPENING = 6  # random half-moves before the engines play
MOST_PLIES = 800
BROKEN_OFF = "broken off"  # the end of a game in which the machine itself stood still


@dataclass
class Findings:
    """What there is to report of some games."""

    games: int = 0
    moves: int = 0
    results: Counter[str] = field(default_factory=Counter)
    overshoots: list[float] = field(default_factory=list)
    illegal: int = 0
    crashes: int = 0
    least_left: float = math.inf
    replies: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)

    def tell(self, what: str) -> None:
        """Say at once what must not be."""
        self.progress.clear()
        print(f"  {what}", flush=True)


class Foul(Exception):
    """The end of a game by something that an engine must not do."""


class Side:
    """One of the two engines, started anew after a foul."""

    def __init__(self, args: argparse.Namespace, findings: Findings) -> None:
        self.args, self.findings = args, findings
        self.engine: Engine | None = None
        self.deadline = math.inf
        threading.Thread(target=self.watch, daemon=True).start()

    def begin(self) -> None:
        """Have it ready for a new game."""
        if not self.engine:
            options = {"Hash": self.args.hash, "Threads": self.args.threads}
            self.engine = Engine(self.args.engine, {}, options)
        self.engine.new_game()

    def end(self) -> None:
        if self.engine:
            self.engine.close()
            self.engine = None

    def memory(self) -> float:
        """What the process takes up, in MiB."""
        assert self.engine
        status = Path(f"/proc/{self.engine.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    def waited(self) -> float:
        """Milliseconds in which its threads or this script were ready to run, but all processors were busy."""
        assert self.engine
        total = 0
        for task in [Path("/proc/self"), *Path(f"/proc/{self.engine.process.pid}/task").iterdir()]:
            with suppress(OSError):
                total += int((task / "schedstat").read_text(encoding="ascii").split()[1])
        return total / 1e6

    def watch(self) -> None:
        """Give up an engine that is silent for too long; a thread runs this."""
        while True:
            time.sleep(1)
            if (engine := self.engine) and time.monotonic() > self.deadline:
                engine.process.kill()

    def ask(self, position: str, go: str, patience: float) -> tuple[str, float]:
        """The word after `bestmove`, and the seconds until it came."""
        assert self.engine
        self.engine.send(position)
        self.deadline = time.monotonic() + patience
        begin = time.perf_counter()
        self.engine.send(go)
        last = ""
        for last in self.engine.lines_until("bestmove", None):
            pass
        spent = time.perf_counter() - begin
        self.deadline = math.inf
        return (last.split() + [""])[1], spent

    def move(self, board: chess.Board, line: str, left: dict[chess.Color, float], tc: TimeControl) -> chess.Move:
        """Its move, the clock being paid for it."""
        own, findings = board.turn, self.findings
        limit = tc.limit(left, board.fullmove_number - 1)
        waited, away = self.waited(), stolen()
        go = f"go wtime {left[True] * 1000:.0f} btime {left[False] * 1000:.0f}"
        go += f" winc {tc.increment * 1000:.0f} binc {tc.increment * 1000:.0f}"
        if limit.remaining_moves:
            go += f" movestogo {limit.remaining_moves}"
        try:
            word, spent = self.ask(line, go, left[own] + PATIENCE)
        except Trouble as trouble:
            findings.crashes += 1
            findings.tell(f"{board.fen()}, {go}: {trouble}")
            self.end()
            raise Foul("crash") from trouble
        findings.moves += 1
        waited = self.waited() - waited
        left[own] -= max(0.0, spent - waited / 1000) if self.args.fair else spent
        if left[own] < 0:
            time.sleep(0.05)  # the system keeps this account by its ticks
            away = stolen() - away
            over = -left[own] * 1000
            findings.tell(
                f"{board.fen()}, {go}: {over:.1f} ms over its time, of {spent * 1000:.1f} ms "
                f"it waited {waited:.1f} ms for a processor, the host was away for {away:.0f} ms"
            )
            if away >= over:
                raise Foul(BROKEN_OFF)
            findings.overshoots.append(over)
        findings.least_left = min(findings.least_left, left[own] * 1000)
        if left[own] < 0:
            raise Foul("time loss")
        left[own] += tc.bonus(board.fullmove_number)
        try:
            move = chess.Move.from_uci(word)
        except ValueError:
            move = chess.Move.null()
        if not board.is_legal(move):
            findings.illegal += 1
            findings.tell(f"{board.fen()}, {go}: '{word}' is not legal")
            raise Foul("illegal move")
        return move


def stolen() -> float:
    """Milliseconds in which the host of a virtual machine kept each of its processors, in the mean."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = int(file.readline().split()[8])
    return ticks * 1000 / os.sysconf("SC_CLK_TCK") / multiprocessing.cpu_count()


def opening(dice: random.Random) -> chess.Board:
    """The start position after some random moves."""
    while True:
        board = chess.Board()
        for _ in range(OPENING):
            board.push(dice.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def play(sides: tuple[Side, Side], tc: TimeControl, dice: random.Random, findings: Findings) -> str:
    """A game, and how it ended."""
    board = opening(dice)
    left = {chess.WHITE: tc.base, chess.BLACK: tc.base}
    line = "position startpos moves"
    for move in board.move_stack:
        line += f" {move.uci()}"
    try:
        for side in sides:
            side.begin()
        while not verdict(board, MOST_PLIES):
            move = sides[0 if board.turn else 1].move(board, line, left, tc)
            board.push(move)
            line += f" {move.uci()}"
        for side in sides:
            # With a millisecond left nothing but the way there and back should take time.
            if any(board.legal_moves):
                findings.replies.append(side.ask(line, "go wtime 1 btime 1", PATIENCE)[1] * 1000)
            findings.memory.append(side.memory())
    except Foul as foul:
        return str(foul)
    except Trouble as trouble:
        findings.crashes += 1
        findings.tell(f"between two games: {trouble}")
        for side in sides:
            side.end()
        return "crash"
    return "played"


def burn() -> None:
    """Keep a processor busy."""
    while True:
        pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    """So many busy processes."""
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(processes)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.join()


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    add = parser.add_argument
    add("engine", help="command line of the engine")
    add("--games", metavar="N", type=at_least_one, default=100, help="games to play (default: 100)")
    add("--tc", metavar="TC", type=TimeControl.parse, action="append",
        help=f"[MOVES/]SECONDS[+INCREMENT]; may be repeated (default: {', '.join(TIME_CONTROLS)} in turn)")  # fmt: skip
    add("--hash", metavar="MIB", type=at_least_one, default=16, help="hash table of each engine (default: 16)")
    add("--threads", metavar="N", type=at_least_one, default=1, help="threads of each engine (default: 1)")
    add("--load", choices=["half", "all", "none"], default="half", help="games under load (default: half)")
    add("--fair", action="store_true",
        help="do not charge the time in which all processors were busy: for machines that are not idle")  # fmt: skip
    add("--seed", metavar="N", type=int, default=1, help="of the openings (default: 1)")
    return parser.parse_args()


def soak(args: argparse.Namespace, findings: Findings) -> None:
    """Play the games."""
    controls = itertools.cycle(args.tc or [TimeControl.parse(text) for text in TIME_CONTROLS])
    processors = multiprocessing.cpu_count()
    dice = random.Random(args.seed)
    sides = Side(args, findings), Side(args, findings)
    begin = time.monotonic()
    # Under load and without by turns of all time controls, so that processes seldom come and go.
    turn = 2 * len(args.tc or TIME_CONTROLS)
    try:
        while findings.games < args.games:
            loaded = args.load == "all" or (args.load == "half" and findings.games // turn % 2 == 1)
            with load(processors if loaded else 0):
                for _ in range(min(turn, args.games - findings.games)):
                    tc = next(controls)
                    end = play(sides, tc, dice, findings)
                    findings.games += end != BROKEN_OFF
                    findings.results[end] += 1
                    findings.progress.show(
                        f"{findings.games} of {args.games} games, {findings.moves} moves, "
                        f"{clock(time.monotonic() - begin)}; {describe(findings.results)}"
                    )
    finally:
        findings.progress.clear()
        for side in sides:
            side.end()


def describe(results: Counter[str]) -> str:
    return ", ".join(f"{count} {end}" for end, count in results.most_common())


def report(args: argparse.Namespace, findings: Findings) -> bool:
    """Print what there is to say, the verdict last; whether all is well."""
    allowed = args.hash + BESIDES + PER_THREAD * (args.threads - 1)
    memory = findings.memory or [0.0]
    # The system counts memory once it is used: the longest searches must have been there.
    settled = memory[: max(2 * len(args.tc or TIME_CONTROLS), len(memory) // 10)]
    growth = max(0.0, max(memory) - max(settled))
    faults = len(findings.overshoots) + findings.illegal + findings.crashes
    well = not faults and max(memory) <= allowed and growth <= GROWTH
    if findings.replies:
        print(
            f"  with 1 ms left: answered after {statistics.median(findings.replies):.1f} ms in the median, "
            f"{max(findings.replies):.1f} ms at most"
        )
    print(f"  memory: at most {max(memory):.1f} MiB, {allowed:.0f} are allowed; grown by {growth:.1f} MiB")
    print(
        f"{'PASS' if well else 'FAIL'}: {findings.games} games, {findings.moves} moves, "
        f"time losses {len(findings.overshoots)} ({findings.results[BROKEN_OFF]} broken off), "
        f"illegal moves {findings.illegal}, crashes {findings.crashes}, "
        f"largest memory {max(memory):.1f} MiB, "
        f"longest overshoot {max(findings.overshoots, default=0.0):.1f} ms, "
        f"least time left {findings.least_left:.1f} ms"
    )
    return well


def main() -> int:
    args, findings = parse_args(), Findings()
    try:
        soak(args, findings)
    except KeyboardInterrupt:
        print("interrupted: these are the games so far")
    except (OSError, Trouble) as error:
        print(f"soak.py: {error}", file=sys.stderr)
        return 2
    return 0 if report(args, findings) else 1


if __name__ == "__main__":
    sys.exit(main())
