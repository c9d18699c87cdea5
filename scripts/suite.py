#!/usr/bin/env python3
"""Run a UCI engine over EPD test suites and count what it solves.

A position says in its EPD operations what solving it means:

    bm / am      the engine's move is one of the best, and none of the bad, moves
    c8 + c9      as well, points for its move (the Strategic Test Suite: c9 lists
                 moves in UCI notation and c8 the points of each)
    ce +M3, dm 3 the engine reports a mate in at most three moves, asked by `go mate 3`
                 within the limit (the search is stopped as soon as it does)

Positions are put as programs for analysis put them, with UCI_AnalyseMode on where the engine
has it; with --game it is off. The move that counts is the one the engine plays when its limit
is used up; every position begins with `ucinewgame`. Beside the count stands how soon they are
solved: the nodes after which the engine stays with a solution, as a geometric mean in which an
unsolved position counts twice what was spent on it. Two engines that solve as many are told
apart by it. An illegal answer solves nothing and is told even with --quiet; the suites go on,
and the exit status is then 2. Needs the `chess` package from PyPI.

Example:

    scripts/suite.py --engine target/release/prelate --time 0.1 --jobs 2 wacnew.epd --min 280
"""

from __future__ import annotations

import argparse
import math
import queue
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import chess

from common import Progress, Trouble, arguments, at_least_one, option, seconds
from uci import GRACE, Engine

OPERATION = re.compile(r'([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s";]+))*)\s*(?:;|$)')
OPERAND = re.compile(r'"([^"]*)"|([^\s";]+)')
SCORE = re.compile(r"\bscore mate (-?\d+)(?! upperbound)\b")
NODES = re.compile(r"^info .*\bnodes (\d+)")
FIRST_MOVE = re.compile(r"^info (?!.*\bmultipv (?!1 )).*\bpv (\S+)")


@dataclass(frozen=True)
class Position:
    """One line of a suite."""

    name: str
    board: chess.Board
    best: list[chess.Move] = field(default_factory=list)
    avoid: list[chess.Move] = field(default_factory=list)
    points: dict[chess.Move, int] = field(default_factory=dict)
    mate: int | None = None

    def solved_by(self, move: chess.Move) -> bool:
        """Whether a move is a solution, where no mate is asked for."""
        return move not in self.avoid and (not self.best or move in self.best)

    @property
    def goal(self) -> str:
        """What solving the position takes, in words."""
        wanted = " or ".join(map(self.board.san, self.best))
        if self.mate:
            return f"mate in {self.mate}" + (f" by {wanted}" if wanted else "")
        unwanted = " or ".join(map(self.board.san, self.avoid))
        return ", ".join(filter(None, [wanted, unwanted and f"not {unwanted}"]))


@dataclass(frozen=True)
class Answer:
    """What the engine made of a position."""

    position: Position
    said: str  # the move as the engine put it
    mate: int | None
    settled: int  # nodes after which it has stayed with a solution
    nodes: int  # nodes in all

    @property
    def move(self) -> chess.Move | None:
        """What was said, if it is a legal move."""
        return read_move(self.position.board, self.said)

    @property
    def solved(self) -> bool:
        if self.move is None:
            return False
        if self.position.mate:
            return self.mate is not None and self.mate <= self.position.mate
        return self.position.solved_by(self.move)

    @property
    def cost(self) -> int:
        """Nodes to the solution; twice those spent where there is none."""
        return max(1, self.settled if self.solved else 2 * self.nodes)

    @property
    def points(self) -> int:
        return self.position.points.get(self.move, 0) if self.move else 0

    def __str__(self) -> str:
        played = self.position.board.san(self.move) if self.move else f"'{self.said}'"
        if self.move is None:
            played += f", which is illegal in {self.position.board.fen()}"
        elif self.position.mate:
            played += f" (mate in {self.mate})" if self.mate else " (no mate)"
        elif self.position.points:
            played += f" ({self.points} of {max(self.position.points.values())} points)"
        return f"{self.position.name}: expected {self.position.goal}; played {played}"


def read_move(board: chess.Board, text: str) -> chess.Move | None:
    """A move in UCI notation, if it is a legal one."""
    try:
        return board.parse_uci(text) or None  # the null move is false
    except ValueError:
        return None


def read_position(line: str, name: str) -> Position:
    """Parse one EPD line, forgiving what suites in the wild get wrong."""
    fields = line.split(None, 4)
    board = chess.Board(" ".join(fields[:4]) + " 0 1")
    if not board.is_valid():
        raise ValueError("the position is not a legal one")
    operations = {
        found[1]: [quoted or plain for quoted, plain in OPERAND.findall(found[2])]
        for found in OPERATION.finditer(fields[4] if len(fields) > 4 else "")
    }

    def moves(opcode: str) -> list[chess.Move]:
        texts = (text.rstrip(",!?") for text in operations.get(opcode, []))
        return [board.parse_san(text) for text in texts if text != opcode]

    mate = re.fullmatch(r"\+M(\d+)|(\d+)", "".join(operations.get("ce", operations.get("dm", []))))
    position = Position(
        name=" ".join(operations.get("id", [name])),
        board=board,
        best=moves("bm"),
        avoid=moves("am"),
        points=read_points(board, operations),
        mate=int(mate[1] or mate[2]) if mate and (mate[1] or "dm" in operations) else None,
    )
    if not position.goal:
        raise ValueError("no bm, am, dm or ce +M says what solves the position")
    return position


def read_points(board: chess.Board, operations: dict[str, list[str]]) -> dict[chess.Move, int]:
    """The scored moves of a Strategic Test Suite line: points in c8, moves in c9."""
    if not {"c8", "c9"} <= operations.keys():
        return {}
    points = " ".join(operations["c8"]).split()
    moves = " ".join(operations["c9"]).split()
    return {board.parse_uci(move): int(score) for move, score in zip(moves, points, strict=True)}


def read_suite(path: Path) -> list[Position]:
    """All positions of an EPD file."""
    suite = []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            try:
                suite.append(read_position(line, f"{path.name}:{number}"))
            except ValueError as error:
                raise Trouble(f"{path}:{number}: {error}") from error
    return suite


class Solver(Engine):
    """An engine that searches every position to the same limit."""

    def __init__(self, args: argparse.Namespace) -> None:
        usual = {"Hash": args.hash, "Threads": args.threads, "UCI_AnalyseMode": str(not args.game).lower()}
        super().__init__(args.engine, usual, dict(args.option))
        self.limit, self.patience = limit(args)

    def ask(self, position: Position) -> Answer:
        """Search one position to the limit, or until the mate that is asked for is found."""
        self.new_game()
        self.send(f"position fen {position.board.fen()}")
        goal = f"mate {position.mate} " if position.mate else ""
        self.send(f"go {goal}{self.limit}")
        mate, line, nodes, settled = None, "", 0, None
        for line in self.lines_until("bestmove", self.patience):
            if found := NODES.search(line):
                nodes = int(found[1])
            if position.mate and (score := SCORE.search(line)) and 0 < int(score[1]) <= position.mate:
                if mate is None:
                    self.send("stop")
                mate = int(score[1])
            if first := FIRST_MOVE.search(line):
                move = read_move(position.board, first[1])
                solves = mate if position.mate else move is not None and position.solved_by(move)
                settled = (settled or nodes) if solves else None
        said = "".join(line.split()[1:2])
        return Answer(position, said, mate, settled or nodes, nodes)


def limit(args: argparse.Namespace) -> tuple[str, float | None]:
    """What follows `go`, and how many seconds at most the answer may take."""
    if args.nodes:
        return f"nodes {args.nodes}", None
    if args.depth:
        return f"depth {args.depth}", None
    return f"movetime {round(args.time * 1000)}", args.time + GRACE


def run(name: str, suite: list[Position], engines: list[Solver], quiet: bool) -> tuple[int, int]:
    """Put a whole suite to the engines, print what fails, and return how many are solved and how many
    answers are illegal."""
    idle: queue.SimpleQueue[Solver] = queue.SimpleQueue()
    for engine in engines:
        idle.put(engine)

    def ask(position: Position) -> Answer:
        engine = idle.get()
        try:
            return engine.ask(position)
        finally:
            idle.put(engine)

    solved = illegal = points = 0
    costs = []
    progress = Progress()
    with ThreadPoolExecutor(len(engines)) as pool:
        try:
            for done, answer in enumerate(pool.map(ask, suite), start=1):
                solved += answer.solved
                illegal += answer.move is None
                points += answer.points
                costs.append(math.log(answer.cost))
                if answer.move is None or not answer.solved and not quiet:
                    progress.clear()
                    print(answer, flush=True)
                progress.show(f"{name}: {done} of {len(suite)} done, {solved} solved")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for engine in engines:
                engine.close()
            raise
        finally:
            progress.clear()
    most = sum(max(position.points.values(), default=0) for position in suite)
    scored = f", {points} of {most} points" if most else ""
    soon = f", after {math.exp(sum(costs) / len(costs)):,.0f} nodes" if any(costs) else ""
    print(f"{name}: {solved} of {len(suite)}{scored}{soon}", flush=True)
    return solved, illegal


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument("suites", metavar="EPD", nargs="+", type=Path, help="EPD files")
    parser.add_argument("-e", "--engine", metavar="CMD", required=True, help="the engine's command line")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("-t", "--time", metavar="S", type=seconds, default=1.0, help="seconds a position (default: 1)")
    limits.add_argument("-n", "--nodes", metavar="N", type=at_least_one, help="nodes a position, instead of time")
    limits.add_argument("-d", "--depth", metavar="N", type=at_least_one, help="search depth, instead of time")
    parser.add_argument("--hash", metavar="MB", type=at_least_one, default=64, help="hash table (default: 64)")
    parser.add_argument("--threads", metavar="N", type=at_least_one, default=1, help="search threads (default: 1)")
    parser.add_argument("-g", "--game", action="store_true", help="search as in a game, not as for analysis")
    parser.add_argument("-o", "--option", metavar="NAME=VALUE", type=option, action="append", default=[],
                        help="another UCI option; may be repeated")  # fmt: skip
    parser.add_argument("-j", "--jobs", metavar="N", type=at_least_one, default=1,
                        help="engines to run at once (default: 1)")  # fmt: skip
    parser.add_argument("-m", "--min", metavar="N", type=int, default=0,
                        help="exit status 1 if fewer are solved, in all suites together")  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="do not list the failed positions")
    return parser.parse_args()


def main() -> int:
    args = parse_args()
    engines: list[Solver] = []
    try:
        suites = {path.name: read_suite(path) for path in args.suites}
        for _ in range(args.jobs):
            engines.append(Solver(args))
        results = [run(name, suite, engines, args.quiet) for name, suite in suites.items()]
        solved, illegal = map(sum, zip(*results, strict=True))
    except Trouble as trouble:
        print(f"suite.py: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        for engine in engines:
            engine.close()
    if len(suites) > 1:
        print(f"all: {solved} of {sum(map(len, suites.values()))}")
    if illegal:
        print(f"suite.py: illegal answers: {illegal}", file=sys.stderr)
        return 2
    if solved < args.min:
        print(f"suite.py: {solved} solved, fewer than {args.min}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
