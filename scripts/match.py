#!/usr/bin/env python3
"""Play a match between two UCI engines with real clocks, and watch their conduct.

Every game runs through python-chess, as it would through a GUI: openings are played
with both colours, clocks run from `go` (or `stop` after a wrong guess while pondering)
to `bestmove`, and games end by the rules: mate, stalemate, dead position, threefold
repetition, fifty moves. Counted for either engine:

    illegal moves    also moves in the wrong notation, and a move before it is asked for
    crashes          the process ended, or no longer answers `isready`
    time losses      with the milliseconds by which the clock was overrun
    illegal PVs      variations in `info` lines, or ponder moves, that cannot be played
    stray answers    a `bestmove` that nobody asked for, or without a scored `info` line
                     directly before it
    warnings         whatever else python-chess complains of, as a GUI would

The exit status is 1 if the engine itself (not the opponent) did any of this. Needs the
`chess` package from PyPI.

Example:

    scripts/match.py --engine target/release/prelate --opponent stockfish \\
        --opponent-option UCI_LimitStrength=true --opponent-option UCI_Elo=2000 \\
        --games 200 --tc 1+0.01 --book openings.epd --chess960-share 0.5 --jobs 2
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import re
import shlex
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from multiprocessing.util import Finalize
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from common import Elo, arguments, at_least_one, elo, option

GRACE = 5.0  # seconds after its flag has fallen until a silent engine is given up
RESULTS = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}


@dataclass(frozen=True)
class TimeControl:
    """`[MOVES/]SECONDS[+INCREMENT]`; without MOVES the time is for the whole game."""

    text: str
    moves: int
    base: float
    increment: float

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        parts = re.fullmatch(r"(?:(\d+)/)?(\d+\.?\d*|\.\d+)(?:\+(\d+\.?\d*|\.\d+))?", text)
        if not parts or not float(parts[2]):
            raise argparse.ArgumentTypeError(f"{text!r} is not [MOVES/]SECONDS[+INCREMENT]")
        return cls(text, int(parts[1] or 0), float(parts[2]), float(parts[3] or 0))

    def limit(self, clocks: dict[chess.Color, float], played: int) -> chess.engine.Limit:
        """What an engine is told that has played so many moves."""
        return chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=self.increment,
            black_inc=self.increment,
            remaining_moves=self.moves - played % self.moves if self.moves else None,
        )

    def bonus(self, played: int) -> float:
        """What is added to the clock after so many moves."""
        return self.increment + (self.base if self.moves and played % self.moves == 0 else 0)


@dataclass(frozen=True)
class Opening:
    """A position to start from."""

    fen: str
    chess960: bool

    def board(self) -> chess.Board:
        return chess.Board(self.fen, chess960=self.chess960)


@dataclass(frozen=True)
class Settings:
    """The rules of the match that hold for every game."""

    tc: TimeControl
    margin: float
    max_plies: int
    ponder: tuple[bool, bool]  # whether either player thinks on the other's time


@dataclass
class Conduct:
    """What an engine did wrong, and how close its flag came to falling."""

    illegal_moves: int = 0
    crashes: int = 0
    overshoots: list[float] = field(default_factory=list)
    illegal_pvs: int = 0
    stray_answers: int = 0
    warnings: int = 0
    least_left: float = math.inf
    notes: list[str] = field(default_factory=list)

    def add(self, other: Conduct) -> None:
        self.illegal_moves += other.illegal_moves
        self.crashes += other.crashes
        self.overshoots += other.overshoots
        self.illegal_pvs += other.illegal_pvs
        self.stray_answers += other.stray_answers
        self.warnings += other.warnings
        self.least_left = min(self.least_left, other.least_left)
        self.notes += other.notes

    @property
    def clean(self) -> bool:
        moves_and_clock = self.illegal_moves or self.crashes or self.overshoots
        return not (moves_and_clock or self.illegal_pvs or self.stray_answers or self.warnings)

    def __str__(self) -> str:
        late = f" (worst by {max(self.overshoots):.0f} ms)" if self.overshoots else ""
        left = f"; least time left {self.least_left:.0f} ms" if math.isfinite(self.least_left) else ""
        return (
            f"illegal moves {self.illegal_moves}, crashes {self.crashes}, "
            f"time losses {len(self.overshoots)}{late}, illegal PVs {self.illegal_pvs}, "
            f"stray answers {self.stray_answers}, warnings {self.warnings}{left}"
        )


@dataclass(eq=False)
class Game:
    """A finished game; `moves` holds each move with the seconds then left on the mover's clock."""

    opening: Opening
    white: int
    moves: list[tuple[chess.Move, float]] = field(default_factory=list)
    winner: chess.Color | None = None
    reason: str = ""
    conducts: tuple[Conduct, Conduct] = field(default_factory=lambda: (Conduct(), Conduct()))

    @property
    def score(self) -> float:
        """The first player's points."""
        return 0.5 if self.winner is None else float(self.winner == (self.white == 0))


players: list[Player] = []  # this and the next are set once in every worker process
rules: Settings


class Foul(Exception):
    """The end of a game by something an engine must not do."""


class Connection(chess.engine.UciProtocol):
    """A UCI connection that times the answers and keeps the variations it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: float | None = None
        self.answered = 0.0
        self.answer = ""
        self.early = False
        self.pondering = False
        self.searches = 0  # that are not answered
        self.said = ""
        self.strays: list[str] = []
        self.thread = threading.get_ident()
        self.variations: list[tuple[chess.Board, str]] = []
        self.complaints: deque[str] = deque(maxlen=3)

    def send_line(self, line: str) -> None:
        self.searches += line.startswith("go")
        if line == "ucinewgame":
            self.asked = None
        elif line.startswith("go ponder"):
            self.pondering = True
        elif line in ("stop", "ponderhit") or line.startswith("go "):
            self.pondering = False
            self.asked = self.asked or time.perf_counter()
        super().send_line(line)

    def line_received(self, line: str) -> None:
        if line.startswith("bestmove"):
            self.answered = time.perf_counter()
            self.answer = line
            self.early |= self.pondering
            self.searches -= 1
            if self.searches < 0 or not (self.said.startswith("info ") and " score " in self.said):
                self.strays.append(f"{line!r} after {self.said!r}")
            self.variations.append((self.board, line.removeprefix("bestmove").replace(" ponder ", " ", 1)))
        elif line.startswith("info ") and " pv " in (facts := line.partition(" string ")[0]):
            self.variations.append((self.board, facts.partition(" pv ")[2]))
        self.said = line
        super().line_received(line)

    def error_line_received(self, line: str) -> None:
        self.complaints.append(line)


class Player:
    """One of the two engines: its process, started anew after a foul, and its conduct."""

    def __init__(self, command: str, options: dict[str, str], ponder: bool = False) -> None:
        self.command = command
        self.options = options
        self.ponder = ponder
        self.conduct = Conduct()
        self.engine: chess.engine.SimpleEngine | None = None

    def start(self) -> chess.engine.SimpleEngine:
        """The running engine, idle and ready for a new game."""
        if self.engine:
            try:
                self.engine.ping()
                return self.engine
            except (chess.engine.EngineError, TimeoutError) as error:
                self.conduct.crashes += 1
                self.note(f"between two games: {self.describe(error)}")
                self.stop()
        self.engine = chess.engine.SimpleEngine.popen(Connection, shlex.split(self.command))
        self.engine.configure(self.options)
        return self.engine

    def stop(self) -> None:
        if self.engine:
            self.engine.close()
            self.engine = None

    @property
    def connection(self) -> Connection:
        assert self.engine
        assert isinstance(self.engine.protocol, Connection)
        return self.engine.protocol

    def warn(self, text: str) -> None:
        self.conduct.warnings += 1
        self.note(f"python-chess warns: {text}")

    def note(self, text: str) -> None:
        if len(self.conduct.notes) < 5:
            self.conduct.notes.append(text)

    def describe(self, error: Exception) -> str:
        complaints = " | ".join(self.connection.complaints)
        return (str(error) or "no answer") + (f" [{complaints}]" if complaints else "")

    def move(self, board: chess.Board, limit: chess.engine.Limit, game: Game) -> tuple[chess.Move, float]:
        """Its move and the seconds that took; a Foul if there is no legal move in time."""
        assert self.engine
        clock = limit.white_clock if board.turn else limit.black_clock
        assert clock is not None
        connection = self.connection
        connection.asked = None
        watchdog = threading.Timer(clock + GRACE, self.engine.close)
        watchdog.start()
        begin = time.perf_counter()
        try:
            move = self.engine.play(board, limit, game=game, ponder=self.ponder).move
        except chess.engine.EngineTerminatedError as error:
            if (spent := time.perf_counter() - begin) < clock + GRACE:
                self.conduct.crashes += 1
                self.note(f"{board.fen()}: {self.describe(error)}")
                raise Foul("crash") from error
            self.flag_falls(board, spent - clock)
        except chess.engine.EngineError:
            move = None
        finally:
            watchdog.cancel()
        answer = connection.answer
        if not move or answer.split()[1] != board.uci(move) or connection.early:
            self.conduct.illegal_moves += 1
            self.note(f"{board.fen()}: {answer!r}" + (" while still pondering" if connection.early else ""))
            raise Foul("illegal move")
        spent = connection.answered - (connection.asked or begin)
        self.check_lines()
        left = clock - spent
        self.conduct.least_left = min(self.conduct.least_left, left * 1000)
        if left < -rules.margin / 1000:
            self.flag_falls(board, -left)
        return move, spent

    def flag_falls(self, board: chess.Board, overshoot: float) -> None:
        self.conduct.overshoots.append(overshoot * 1000)
        self.note(f"{board.fen()}: {overshoot * 1000:.0f} ms over its time")
        raise Foul("time loss")

    def check_lines(self) -> None:
        connection = self.connection
        strays, connection.strays = connection.strays, []
        self.conduct.stray_answers += len(strays)
        for stray in strays:
            self.note(f"stray {stray}")
        shown, connection.variations = connection.variations, []
        for root, variation in shown:
            board = root.copy(stack=False)
            if not any(board.legal_moves):
                continue  # it was let ponder on the end of the game, where any answer will do
            for text in variation.split():
                try:
                    move = board.parse_uci(text)
                    if board.uci(move) != text:
                        raise ValueError("wrong notation")
                    board.push(move)
                except ValueError:
                    self.conduct.illegal_pvs += 1
                    self.note(f"{root.fen()}: {text} in the variation {variation.strip()}")
                    break


def verdict(board: chess.Board, max_plies: int) -> tuple[chess.Color | None, str] | None:
    """Winner and reason if the rules end the game here."""
    if outcome := board.outcome(claim_draw=False):
        return outcome.winner, outcome.termination.name.lower().replace("_", " ")
    if board.is_repetition(3):
        return None, "threefold repetition"
    if board.is_fifty_moves():
        return None, "fifty moves"
    if len(board.move_stack) >= max_plies:
        return None, f"stopped after {max_plies} plies"
    return None


class Warnings(logging.Handler):
    """Charges what python-chess complains of to the engine in whose thread it does so."""

    def emit(self, record: logging.LogRecord) -> None:
        for player in players:
            if player.engine and player.connection.thread == record.thread:
                player.warn(record.getMessage())


def begin_work(sides: list[tuple[str, dict[str, str]]], settings: Settings) -> None:
    """Set up a worker process; its engines ignore Ctrl-C as it does."""
    global rules
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    rules = settings
    players.extend(Player(*side, ponder) for side, ponder in zip(sides, settings.ponder, strict=True))
    for player in players:
        Finalize(player, player.stop, exitpriority=0)  # else its thread would keep the process alive
    logging.getLogger("chess.engine").setLevel(logging.WARNING)
    logging.getLogger("chess.engine").addHandler(Warnings())
    logging.getLogger("chess.engine").propagate = False


def play(opening: Opening, white: int) -> Game:
    """Play one game; `white` says which of the two players has the white pieces."""
    game = Game(opening, white)
    board = opening.board()
    clocks = {chess.WHITE: rules.tc.base, chess.BLACK: rules.tc.base}
    seats = {chess.WHITE: players[white], chess.BLACK: players[1 - white]}
    for player, conduct in zip(players, game.conducts, strict=True):
        player.conduct = conduct
        player.start()
    while not (end := verdict(board, rules.max_plies)):
        turn, player = board.turn, seats[board.turn]
        played = len(board.move_stack) // 2
        try:
            move, spent = player.move(board, rules.tc.limit(clocks, played), game)
        except Foul as foul:
            player.stop()
            end = not turn, str(foul)
            break
        clocks[turn] = max(0.0, clocks[turn] - spent) + rules.tc.bonus(played + 1)
        game.moves.append((move, clocks[turn]))
        board.push(move)
    game.winner, game.reason = end
    return game


@dataclass
class Match:
    """The running result, from the first player's side, and everything that happened."""

    names: tuple[str, str]
    games: int
    scores: Counter[float] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    conducts: tuple[Conduct, Conduct] = field(default_factory=lambda: (Conduct(), Conduct()))

    def add(self, game: Game) -> None:
        self.scores[game.score] += 1
        self.reasons[game.reason] += 1
        for total, conduct in zip(self.conducts, game.conducts, strict=True):
            total.add(conduct)

    @property
    def played(self) -> int:
        return self.scores.total()

    @property
    def score(self) -> str:
        return f"+{self.scores[1.0]} ={self.scores[0.5]} -{self.scores[0.0]}"

    @property
    def elo(self) -> Elo:
        return elo(self.scores)

    def summary(self) -> str:
        won, drawn, lost = self.scores[1.0], self.scores[0.5], self.scores[0.0]
        percent = 100 * (won + drawn / 2) / self.played
        lines = [
            f"{self.names[0]} against {self.names[1]}: {self.played} games",
            f"  won {won}, drawn {drawn}, lost {lost} ({percent:.1f} %): Elo {self.elo} (95 %)",
            "  ends: " + ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common()),
        ]
        for name, conduct in zip(self.names, self.conducts, strict=True):
            lines.append(f"  {name}: {conduct}")
        return "\n".join(lines)


def read_book(path: Path, chess960: bool) -> list[Opening]:
    """The positions of an EPD or FEN file."""
    openings = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if fields := line.split("#")[0].split():
            counters = fields[4:6] if len(fields) > 5 and all(text.isdecimal() for text in fields[4:6]) else ["0", "1"]
            if len(fields) < 4:
                raise ValueError(f"{path}:{number}: not a position: {line}")
            openings.append(Opening(" ".join(fields[:4] + counters), chess960))
    if not openings:
        raise ValueError(f"{path}: no positions")
    return openings


def choose_openings(args: argparse.Namespace) -> Iterator[Opening]:
    """An endless run of openings, Chess960 among them in the share that was asked for."""
    dice = random.Random(args.seed)
    standard = read_book(args.book, chess960=False) if args.book else [Opening(chess.STARTING_FEN, chess960=False)]
    if args.chess960_book:
        fischer = read_book(args.chess960_book, chess960=True)
    else:
        boards = (chess.Board.from_chess960_pos(number) for number in range(960))
        fischer = [Opening(board.fen(), chess960=True) for board in boards]
    return mix(standard, fischer, args.chess960_share, dice)


def mix(standard: list[Opening], fischer: list[Opening], share: float, dice: random.Random) -> Iterator[Opening]:
    """Shuffle both books and deal from them, from the second as often as `share` says."""
    decks = standard, fischer
    for deck in decks:
        dice.shuffle(deck)
    dealt = [0, 0]
    while True:
        which = int(math.floor((sum(dealt) + 1) * share + 1e-9) > dealt[1])
        opening = decks[which][dealt[which] % len(decks[which])]
        dealt[which] += 1
        if not opening.board().is_valid():
            raise ValueError(f"not a legal position to start from: {opening.fen}")
        yield opening


def introduce(sides: list[tuple[str, dict[str, str]]], chess960: bool) -> tuple[str, str]:
    """Start both engines once, to learn their names and that they take their options."""
    names = []
    for command, options in sides:
        player = Player(command, options)
        try:
            engine = player.start()
            if chess960 and "UCI_Chess960" not in engine.options:
                raise ValueError("it has no option UCI_Chess960, so --chess960-share must be 0")
            names.append(engine.id.get("name", command))
        except (OSError, ValueError, chess.engine.EngineError) as error:
            raise ValueError(f"{command}: {str(error) or 'does not answer'}") from error
        finally:
            player.stop()
    first, second = names
    return first, second if second != first else f"{second} (opponent)"


def pgn(game: Game, match: Match, index: int, tc: str) -> chess.pgn.Game:
    """The game with the clocks after every move."""
    record = chess.pgn.Game()
    record.setup(game.opening.board())
    players = match.names[game.white], match.names[1 - game.white]
    record.headers.update(
        Event="Engine match", Date=f"{date.today():%Y.%m.%d}", Round=str(index), White=players[0], Black=players[1],
        Result=RESULTS[game.winner], TimeControl=tc, Termination=game.reason,
    )  # fmt: skip
    del record.headers["Site"]
    node: chess.pgn.GameNode = record
    for move, left in game.moves:
        node = node.add_variation(move)
        node.set_clock(left)
    return record


def share(text: str) -> float:
    if not re.fullmatch(r"0|1|[01]?\.\d+", text) or float(text) > 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return float(text)


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    add = parser.add_argument
    add("--engine", metavar="CMD", required=True, help="command line of the engine that is tested")
    add("--opponent", metavar="CMD", default="stockfish", help="command line of its opponent (default: stockfish)")
    add("--engine-option", metavar="NAME=VALUE", type=option, action="append", default=[],
        help="a UCI option of the engine; may be repeated")  # fmt: skip
    add("--opponent-option", metavar="NAME=VALUE", type=option, action="append", default=[],
        help="a UCI option of the opponent; may be repeated")  # fmt: skip
    add("--games", metavar="N", type=at_least_one, default=100, help="games to play (default: 100)")
    add("--tc", metavar="TC", type=TimeControl.parse, default="1+0.01",
        help="[MOVES/]SECONDS[+INCREMENT] (default: 1+0.01)")  # fmt: skip
    add("--margin", metavar="MS", type=int, default=0, help="milliseconds a clock may be overrun (default: 0)")
    add("--ponder", choices=("engine", "both"), nargs="?", const="both",
        help="let both engines think on the other's time, or only the one that is tested")  # fmt: skip
    add("--book", metavar="EPD", type=Path, help="openings (default: the start position)")
    add("--chess960-book", metavar="EPD", type=Path, help="Chess960 openings (default: the 960 start positions)")
    add("--chess960-share", metavar="X", type=share, default=0.0,
        help="share of the openings that are Chess960 (default: 0)")  # fmt: skip
    add("--seed", metavar="N", type=int, default=1, help="of the order of the openings (default: 1)")
    add("--max-plies", metavar="N", type=at_least_one, default=1000, help="call it a draw then (default: 1000)")
    add("--pgn", metavar="FILE", type=Path, help="write the games here")
    add("--jobs", metavar="N", type=at_least_one, default=1, help="games to play at once (default: 1)")
    return parser.parse_args()


def report(game: Game, match: Match, index: int) -> None:
    """The running score after a game, and what happened in it."""
    white, black = match.names[game.white], match.names[1 - game.white]
    print(f"{match.played}/{match.games}: {match.score}, Elo {match.elo}; ", end="")
    print(f"game {index}: {white} - {black} {RESULTS[game.winner]} ({game.reason})")
    for name, conduct in zip(match.names, game.conducts, strict=True):
        for note in conduct.notes:
            print(f"  {name}: {note}")
    sys.stdout.flush()


def play_all(args: argparse.Namespace, sides: list[tuple[str, dict[str, str]]], match: Match) -> None:
    """Play the games in worker processes; Ctrl-C ends the match early."""
    settings = Settings(args.tc, args.margin, args.max_plies, (bool(args.ponder), args.ponder == "both"))
    pairs = list(islice(choose_openings(args), (args.games + 1) // 2))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ProcessPoolExecutor(args.jobs, initializer=begin_work, initargs=(sides, settings)) as pool:
        games = {pool.submit(play, pairs[index // 2], index % 2): index + 1 for index in range(args.games)}
        try:
            for future in as_completed(games):
                game, index = future.result(), games[future]
                match.add(game)
                report(game, match, index)
                if args.pgn:
                    with args.pgn.open("a", encoding="utf-8") as file:
                        pgn(game, match, index, args.tc.text).accept(chess.pgn.FileExporter(file))
        except KeyboardInterrupt:
            print("interrupted: waiting for the games that are still played, but not counting them", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)


def main() -> int:
    args = parse_args()
    logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # the processes that play listen themselves
    sides = [(args.engine, dict(args.engine_option)), (args.opponent, dict(args.opponent_option))]
    try:
        match = Match(introduce(sides, args.chess960_share > 0), args.games)
        if args.pgn:
            args.pgn.write_text("", encoding="utf-8")
        play_all(args, sides, match)
    except (OSError, ValueError, chess.engine.EngineError) as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    if not match.played:
        return 130
    print(match.summary())
    conduct = match.conducts[0]
    if not conduct.clean:
        print(f"FAIL: {match.names[0]} did what it must not do in {match.played} games")
        return 1
    print(f"PASS: nothing to complain of in {match.played} games by {match.names[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
