#!/usr/bin/env python3
"""Use the engine as other programs do, and watch what goes over the wire.

    start        from a temporary folder, `uciok` in less than 50 ms
    lichess-bot  its default options, a short first move, then clocks and pondering,
                 with moves that were expected and others
    chess960     games that begin with Shredder-FEN
    analysis     several lines, ordered and complete
    terminal     rows for people, colours unless NO_COLOR forbids them, UCI when asked for
    judge        judge.py from a game to the comparison of networks, the engine being the judge
    suite        suite.py tells what is solved, and how soon
    harvest      the games of a match become data that the engine reads, whatever moves they have
    fastchess    its own check of conduct, where fastchess is found in PATH or where the
                 environment variable FASTCHESS says

Everywhere a complete `info` line has to stand directly before each `bestmove`, each search
has to be answered once, and python-chess must have nothing to warn of. The exit status is 1
if anything is wrong. Needs the `chess` package from PyPI.

Example:

    scripts/clients.py target/release/prelate
    scripts/clients.py --only start --only terminal target/release/prelate
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.engine

from judge import read as read_judged

if TYPE_CHECKING:
    from collections.abc import Iterator

BLACK_TO_TAKE = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3"  # en passant
READY_IN = 0.050  # seconds from start to `uciok`
PATIENCE = 20.0  # seconds that anything else may take

# As config.yml.default of lichess-bot sets them; the folder need not be there.
LICHESS_OPTIONS: dict[str, chess.engine.ConfigValue] = {
    "Move Overhead": 100,
    "Threads": 4,
    "Hash": 512,
    "SyzygyPath": "./syzygy/",
    "UCI_ShowWDL": True,
}

INFO_KEYS = ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv")


class Wrong(Exception):
    """The engine did something that it must not do."""


def demand(holds: object, what: str) -> None:
    if not holds:
        raise Wrong(what)


class Recorded(chess.engine.UciProtocol):
    """python-chess's side of the wire, with a memory."""

    def __init__(self) -> None:
        super().__init__()
        self.wire: list[str] = []

    def send_line(self, line: str) -> None:
        self.wire.append(f"> {line}")
        super().send_line(line)

    def line_received(self, line: str) -> None:
        self.wire.append(f"< {line}")
        super().line_received(line)

    def count(self, start: str) -> int:
        return sum(line.startswith(start) for line in self.wire)


class Warnings(logging.Handler):
    """Keeps what python-chess complains of: moves that cannot be played, lines out of place."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextmanager
def client(engine: Path) -> Iterator[tuple[chess.engine.SimpleEngine, Recorded]]:
    """The engine in a temporary folder, as Cutechess starts it; at the end the wire is judged."""
    warnings = Warnings()
    logger = logging.getLogger("chess.engine")
    logger.addHandler(warnings)
    logger.propagate = False
    with tempfile.TemporaryDirectory(prefix="prelate-") as folder:
        simple = chess.engine.SimpleEngine.popen(Recorded, str(engine), timeout=PATIENCE, cwd=folder)
        protocol = simple.protocol
        assert isinstance(protocol, Recorded)
        try:
            with simple:
                yield simple, protocol
                simple.quit()
            judge(protocol.wire)
            demand(not warnings.texts, f"python-chess warns: {warnings.texts[:3]}")
        except Wrong as error:
            tail = "\n".join(line[:160] for line in protocol.wire[-25:])
            raise Wrong(f"{error}\nThe end of the conversation:\n{tail}") from None
        finally:
            logger.removeHandler(warnings)


def judge(wire: list[str]) -> None:
    """One answer to each search, each directly after a complete line, and nothing after it."""
    searching = 0
    said = ""
    for line in wire:
        if line.startswith("> go"):
            searching += 1
        elif line.startswith("< bestmove"):
            searching -= 1
            demand(searching >= 0, f"an answer that nobody asked for: {line}")
            words = said.split()
            missing = [key for key in INFO_KEYS if key not in words]
            demand(said.startswith("< info depth"), f"before {line} stands: {said}")
            demand(not missing, f"{missing} missing before {line}: {said}")
            first = words[words.index("pv") + 1] == line.split()[2] or "multipv 1 " not in said
            demand(first, f"{line} is not the move of {said}")
        elif line.startswith("< info") and not line.startswith("< info string"):
            demand(searching > 0, f"nobody searches: {line}")
        if line.startswith("<"):
            said = line
    demand(searching <= 0, f"{searching} searches were not answered")


def check_start(engine: Path) -> str:
    """Speaks UCI at once, and stays silent until it is spoken to."""
    times = []
    with tempfile.TemporaryDirectory(prefix="prelate-") as folder:
        for _ in range(5):
            start = time.perf_counter()
            with subprocess.Popen([engine], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                assert process.stdin and process.stdout
                process.stdin.write(b"uci\n")
                process.stdin.flush()
                lines = iter(process.stdout.readline, b"")
                first = next(lines)
                demand(first.startswith(b"id name"), f"it begins with {first!r}")
                demand(any(line.strip() == b"uciok" for line in lines), "no uciok")
                times.append(time.perf_counter() - start)
                process.stdin.write(b"quit\n")
                process.stdin.flush()
                demand(process.wait(PATIENCE) == 0, "it did not leave well")
    best = min(times)
    demand(best < READY_IN, f"uciok after {best * 1000:.0f} ms")
    return f"uciok after {best * 1000:.0f} ms"


def play_moves(
    simple: chess.engine.SimpleEngine,
    board: chess.Board,
    game: object,
    rng: random.Random,
    moves: int,
) -> None:
    """Plays with a clock, pondering; every other answer is the expected one."""
    clocks = {chess.WHITE: 4.0, chess.BLACK: 4.0}
    increment = 0.05
    for number in range(moves):
        if board.is_game_over():
            return
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        start = time.perf_counter()
        result = simple.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=True)
        clocks[board.turn] += increment - (time.perf_counter() - start)
        demand(clocks[board.turn] > 0, "a loss on time")
        demand(result.move and board.is_legal(result.move), f"{result.move} is not legal")
        demand("score" in result.info and "pv" in result.info, "a move without score or line")
        assert result.move
        board.push(result.move)
        if board.is_game_over():
            return
        others = list(board.legal_moves)
        hit = number % 2 == 0 and result.ponder in others
        answer = result.ponder if hit else rng.choice(others)
        assert answer
        # The opponent thinks, too; an early hit meets a search that has hardly begun.
        time.sleep(0.0 if number % 3 == 0 else 0.02)
        board.push(answer)


def check_lichess_bot(engine: Path) -> str:
    """Options, first move and clocks as lichess-bot sends them."""
    rng = random.Random(1)
    with client(engine) as (simple, protocol):
        known = {name.lower() for name in simple.options}
        missing = [name for name in LICHESS_OPTIONS if name.lower() not in known]
        demand(not missing, f"options that are not there: {missing}")
        simple.configure(LICHESS_OPTIONS)
        board = chess.Board()
        game = object()
        first = simple.play(board, chess.engine.Limit(time=0.3), game=game, info=chess.engine.INFO_ALL)
        demand(first.move and board.is_legal(first.move), "no first move")
        demand("wdl" in first.info, "no chances in spite of UCI_ShowWDL")
        play_moves(simple, board, game, rng, 24)
        hits = protocol.count("> ponderhit")
        ponders = sum(" ponder" in line for line in protocol.wire if line.startswith("> go"))
        demand(0 < hits < ponders, f"{hits} hits in {ponders} searches")
        set_ponder = protocol.wire.index("> setoption name Ponder value true")
        hurried = protocol.wire[set_ponder + 1].startswith("> position")
        demand(hurried, "python-chess has asked isready after setoption: nothing was tried")
    return f"{ponders} times pondered, {hits} times rightly"


def check_chess960(engine: Path) -> str:
    """Games from random start positions of Chess960, sent as Shredder-FEN."""
    rng = random.Random(2)
    castled = 0
    with client(engine) as (simple, protocol):
        for number in rng.sample(range(960), 6):
            play_moves(simple, chess.Board.from_chess960_pos(number), object(), rng, 6)
        demand(protocol.count("> setoption name UCI_Chess960 value true"), "not told of Chess960")
        demand(
            any(re.search(r" fen .* [A-H]{2}[a-h]{2} ", line) for line in protocol.wire),
            "no Shredder-FEN",
        )
        # Castling to either side, where the king may hardly move and may move by no step.
        for fen, moves in [
            ("5k2/8/8/8/8/8/8/1R2K2R w HB - 0 1", ["e1h1", "e1b1"]),
            ("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1", ["b1h1"]),
            ("bnrqkrnb/pppppppp/8/8/8/8/PPPPP3/BNRQKR2 w FCfc - 0 1", ["e1f1"]),
        ]:
            board = chess.Board(fen, chess960=True)
            for text in moves:
                move = chess.Move.from_uci(text)
                result = simple.play(board, chess.engine.Limit(depth=4), root_moves=[move])
                demand(result.move == move, f"{text} in {fen} became {result.move}")
                castled += 1
    return f"6 beginnings of games, {castled} castlings"


def check_analysis(engine: Path) -> str:
    """Several lines at once, to a depth and until stopped."""
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    with client(engine) as (simple, _):
        for board in [
            chess.Board(),
            chess.Board(fen),
            chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"),
        ]:
            lines = simple.analyse(board, chess.engine.Limit(depth=8), multipv=4)
            demand(len(lines) == 4, f"{len(lines)} lines instead of 4")
            scores = [line["score"].relative for line in lines]
            demand(scores == sorted(scores, reverse=True), f"not ordered: {scores}")
            demand(len({line["pv"][0] for line in lines}) == 4, "a first move twice")
            demand([line["multipv"] for line in lines] == [1, 2, 3, 4], "wrong numbers")
            for line in lines:
                missing = [key for key in INFO_KEYS if key not in line]
                demand(not missing, f"{missing} missing in line {line['multipv']}")
        with simple.analysis(chess.Board(fen), multipv=3) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 6:
                    break
            analysis.stop()
            demand(analysis.wait().move, "no best move after stop")
    return "4 lines of 3 positions, and one stopped"


# What the line editor writes to move the cursor and to hold back the picture.
CURSOR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(engine: Path, lines: list[tuple[str, str]], **environment: str) -> str:
    """What a person sees who types `lines`, each after the text that it waits for is there."""
    import pty  # not on Windows

    pid, terminal = pty.fork()
    if pid == 0:
        keep = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        os.execve(engine, [str(engine)], keep | {"TERM": "xterm"} | environment)
    seen = ""
    mark = 0
    deadline = time.monotonic() + PATIENCE
    try:
        for text, awaited in lines:
            os.write(terminal, f"{text}\n".encode())
            while awaited not in seen[mark:]:
                demand(time.monotonic() < deadline, f"no {awaited!r} in:\n{seen}")
                if select.select([terminal], [], [], 0.1)[0]:
                    seen += os.read(terminal, 1 << 16).decode(errors="replace")
            mark = len(seen)
        os.write(terminal, b"quit\n")
    finally:
        # The rest has to be read, or the engine could not end.
        while select.select([terminal], [], [], PATIENCE)[0]:
            try:
                if not os.read(terminal, 1 << 16):
                    break
            except OSError:
                break
        os.waitpid(pid, 0)
        os.close(terminal)
    return seen


def check_terminal(engine: Path) -> str:
    """Rows for people, and plain UCI for whoever says `uci`."""
    if os.name != "posix":
        return "skipped for lack of pseudo-terminals"
    search = [
        ("position startpos moves e2e4", ""),
        ("go depth 7", "Best move"),
    ]
    seen = on_terminal(engine, search)
    colour = re.compile(r"\x1b\[[0-9;]*m")
    demand(colour.search(seen), "no colours")
    demand("info depth" not in seen and "bestmove" not in seen, "UCI on a terminal")
    rows = [line for line in seen.splitlines() if "1... " in line and "/" in line]
    demand(len(rows) >= 7, f"{len(rows)} rows instead of 7:\n{seen}")
    plain = on_terminal(engine, search, NO_COLOR="1")
    demand(not colour.search(plain), "colours in spite of NO_COLOR")
    plain = CURSOR.sub("", plain)
    # All columns but the last have their ends below each other.
    rows = [line for line in plain.splitlines() if "1... " in line and "/" in line]
    demand(len({row.index("1... ") for row in rows}) == 1, "rows are not aligned")
    spoken = on_terminal(engine, [("uci", "uciok"), ("go depth 3", "bestmove ")])
    # The editor's thread may put its own between two lines of the search.
    spoken = CURSOR.sub("", spoken)
    demand("\r\ninfo depth 3 " in spoken, f"no UCI after uci:\n{spoken}")
    return f"{len(rows)} rows"


OPENING = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 "
    "10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 *"
)


def check_judge(engine: Path) -> str:
    """Positions of a game, the moves they have, and two networks that are one and the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games, positions, siblings = (folder / file for file in ("games.pgn", "positions.csv", "siblings.csv"))
        games.write_text(OPENING, encoding="utf-8")

        def step(*words: object) -> str:
            script = Path(__file__).with_name("judge.py")
            return output_of(sys.executable, script, *words)

        step("label", games, "--output", positions, "--judge", engine, "--nodes", 500, "--each", 8)
        step("siblings", positions, "--output", siblings, "--judge", engine, "--nodes", 3000)
        ranked = step("rank", siblings, "classical", "classical", "--engine", engine).splitlines()[1:]
        parents, found = map(read_judged, (positions, siblings))
        children = {after.fen(en_passant="fen") for one in parents for after in moves_of(chess.Board(one.fen))}
        families = Counter(one.family for one in found)
        demand(len(families) >= 3 and min(families.values()) >= 3, f"families of {families}")
        demand(all(one.fen in children for one in found), "a position that no move leads to")
        demand(len(ranked) == 2 and " +0.00 +- 0.00 " in ranked[1], f"the same network differs:\n{ranked}")
    return f"{families.total()} positions in {len(families)} families"


def check_suite(engine: Path) -> str:
    """What solves a position and how soon, and what does not."""
    limit = 3000
    position = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"
    goals = {"bm Rxd8#;": True, "am Rxd8#;": False, "bm h3;": False, "dm 1;": True}
    with tempfile.TemporaryDirectory() as folder:
        for goal, solved in goals.items():
            suite = Path(folder, "suite.epd")
            suite.write_text(f"{position} {goal}\n", encoding="utf-8")
            script = Path(__file__).with_name("suite.py")
            last = output_of(sys.executable, script, "--engine", engine, "--nodes", limit, suite).splitlines()[-1]
            found = re.fullmatch(r"suite.epd: (\d) of 1, after ([\d,]+) nodes", last)
            demand(found, f"{goal} {last}")
            nodes = int(found[2].replace(",", ""))
            demand(int(found[1]) == solved and (nodes <= limit if solved else nodes > limit), f"{goal} {last}")
    return f"{len(goals)} positions"


def moves_of(board: chess.Board) -> Iterator[chess.Board]:
    """The board after each of its moves."""
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        yield after


def check_harvest(engine: Path) -> str:
    """Games of random moves from usual and from shuffled starts."""
    lots = random.Random(1)
    boards = [chess.Board(fen) for fen in (chess.STARTING_FEN, BLACK_TO_TAKE) for _ in range(4)]
    boards += [chess.Board.from_chess960_pos(960 * number // 8) for number in range(8)]
    with tempfile.TemporaryDirectory() as name:
        match, data = Path(name, "match.pgn"), Path(name, "match.vf")
        match.write_text("\n".join(match_game(board, lots) for board in boards), encoding="utf-8")
        script = Path(__file__).with_name("harvest.py")
        told = output_of(sys.executable, script, match, "--output", data)
        plies = sum(len(board.move_stack) for board in boards)
        demand(told == f"{len(boards)} games, {plies} positions; 0 games left out\n", told)
        said = output_of(engine, "data", data, "--first-ply", 0)
    demand(", sound\n" in said and f"positions: {plies}, kept" in said, said)
    demand("for the same side 100.0 %" in said, said)
    return told.strip()


def match_game(board: chess.Board, lots: random.Random) -> str:
    """A game of random moves to its end, as fastchess writes it; the scores know who will win."""
    headers = f'[FEN "{board.fen()}"]\n' + ('[Variant "fischerandom"]\n' if board.chess960 else "")
    moves = []
    while not (outcome := board.outcome()):
        legal = list(board.legal_moves)
        rare = [
            move for move in legal if board.is_castling(move) or board.is_en_passant(move) or board.gives_check(move)
        ]
        move = lots.choice(rare or legal)
        moves.append((board.turn, board.san(move)))
        board.push(move)

    def score(side: chess.Color) -> str:
        if outcome.winner is None:
            return "0.00"
        return "+4.00" if side == outcome.winner else "-4.00"

    text = " ".join(f"{san} {{{score(side)}/9 0.004s}}" for side, san in moves)
    result = outcome.result()
    return f'[Result "{result}"]\n{headers}[PlyCount "{len(moves)}"]\n\n{text} {result}\n'


def output_of(*words: object) -> str:
    """What a program prints that ends well."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    demand(done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


def check_fastchess(engine: Path) -> str:
    """What fastchess asks of every engine."""
    fastchess = os.environ.get("FASTCHESS") or shutil.which("fastchess")
    if not fastchess:
        return "skipped for lack of fastchess (set FASTCHESS to the binary)"
    done = subprocess.run(
        [fastchess, "--compliance", str(engine)],
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    demand(done.returncode == 0 and "passed all" in done.stdout, done.stdout + done.stderr)
    return "passed"


CHECKS: dict[str, Callable[[Path], str]] = {
    "start": check_start,
    "lichess-bot": check_lichess_bot,
    "chess960": check_chess960,
    "analysis": check_analysis,
    "terminal": check_terminal,
    "judge": check_judge,
    "suite": check_suite,
    "harvest": check_harvest,
    "fastchess": check_fastchess,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=Path, help="the engine's binary")
    parser.add_argument("--only", action="append", choices=CHECKS, help="only this; repeatable")
    arguments = parser.parse_args()
    engine: Path = arguments.engine.resolve()
    if not os.access(engine, os.X_OK):
        parser.error(f"{arguments.engine} is not an engine that can be run")
    wrong = 0
    for name in arguments.only or CHECKS:
        start = time.monotonic()
        try:
            text = CHECKS[name](engine)
        except (Wrong, chess.engine.EngineError, TimeoutError, subprocess.TimeoutExpired) as error:
            wrong += 1
            text = f"WRONG: {error or type(error).__name__}"
        print(f"{name:<12} {time.monotonic() - start:5.1f} s  {text}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
