#!/usr/bin/env python3
"""Compare networks by what they say of quiet positions, against the deep scores of a judge.

Step 1, `label`, takes positions out of games in PGN, or samples of search trees as `prelate
imitate` writes them, has the judge search each, and keeps those where its best move is no
capture. Step 2, `rank`, asks the engine for its static evaluation of them by each network, and
prints the mean squared difference in points (times 10,000) and what it is against the first
network, with its error at 95 % confidence; then the same by the number of men, with the scale
that suits the network best. Each stage of the game has a scale of its own, since judges differ
in what a pawn counts early and late: at one scale for all, networks seem to learn or to forget
that only differ in this. Ranking takes seconds. It is no match, and what wins here must win one:
up to prelate-5 networks that came nearer to the judge were the stronger, after prelate-8 they
were not.

A search chooses between moves, and most of what positions differ by is the same for all
moves of one. Between the two steps, `siblings` has the judge search the positions for
their ten best moves and keeps what quiet ones lead to. Of these `rank` compares only how
they differ from the mean of their own family. Of positions of the tree this has told the
stronger of any two networks that were built in (src/train/README.md has the figures); it takes some
3,000 families, which a judge searches in a few minutes.

The judge may be another engine: positions are only judged by it, never learned from.
Games should begin with the openings of matches. At fixed nodes an engine plays both games
of a pair against itself alike: what is there twice is read once.

Needs the package chess but for `rank`. Examples:

    fastchess -engine cmd=prelate name=a -engine cmd=prelate name=b -each nodes=8000 \\
        -openings file=openings.epd format=epd order=random -rounds 200 -games 2 -repeat \\
        -concurrency 2 -pgnout file=games.pgn
    scripts/judge.py label games.pgn --judge stockfish --nodes 30000 --output positions.csv
    scripts/judge.py rank positions.csv prelate-8.nnue trial.nnue
    prelate imitate tree.samples --samples 400000 --part 0.02 --nodes 1000 --sensible
    scripts/judge.py label tree.samples --judge stockfish --output positions.csv
    scripts/judge.py siblings positions.csv --judge stockfish --count 4000 --nodes 150000 \\
        --output siblings.csv
    scripts/judge.py rank siblings.csv prelate-8.nnue trial.nnue
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import re
import struct
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from common import SAMPLES, Progress, Trouble, arguments, at_least_one
from uci import Engine

# A sample, as src/train/sample.rs describes it: where pieces stand, what they are, and what is not needed here.
SAMPLE = struct.Struct("<Q16s8x")
PIECES = dict(enumerate("PNBRQK")) | dict(enumerate("pnbrqk", 8))  # by their codes

POINT = 120  # a score of so many centipawns counts as e to 1 for the better side
LARGEST = 1000  # centipawns beyond which a position is left out: nobody doubts who wins
FEWEST = 5  # men
STAGES = ((4, 9), (10, 15), (16, 21), (22, 26), (27, 32))  # men, to show where networks differ
SCALES = [step / 50 for step in range(5, 81)]
SCORE = re.compile(r" score cp (-?\d+)\b")
LINE = re.compile(r" multipv (\d+) .*score cp (-?\d+) .*\bpv (\S+) (\S+)")
MOVES = 10  # of a position, the best ones, whose positions make a family
CLOSE = 400  # centipawns beyond which a position's moves are left out
REFUSAL = re.compile(r"^info string (EvalFile: .+)", re.MULTILINE)
EVALUATION = re.compile(r"^evaluation ([+-]\d+\.\d+) pawns \(White", re.MULTILINE)


@dataclass(frozen=True)
class Judged:
    """A position and its score, in centipawns for the side to move."""

    fen: str
    score: int
    family: int | None = None

    @property
    def men(self) -> int:
        return sum(letter.isalpha() for letter in self.fen.split()[0])


def quiet_positions(path: Path, each: int, count: int) -> list[str]:
    """Some positions of games, so many of each and in all at most, none in check and none whose move was a capture or promotion."""
    import chess.pgn

    chooser, games, found = random.Random(1), set(), []
    with path.open(encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            board, moves = game.board(), list(game.mainline_moves())
            if (key := (board.fen(), tuple(moves))) in games:
                continue
            games.add(key)
            quiet = []
            for move in moves:
                calm = not (board.is_check() or board.is_capture(move) or move.promotion)
                if calm and len(board.piece_map()) >= FEWEST:
                    quiet.append(board.fen())
                board.push(move)
            found += chooser.sample(quiet, min(each, len(quiet)))
    return chooser.sample(found, min(count, len(found)))


def sampled_positions(path: Path, count: int) -> list[str]:
    """Some of the positions of a file of samples, all different, with White to move and without castling."""
    size = (path.stat().st_size - len(SAMPLES)) // SAMPLE.size
    places = random.Random(1).sample(range(size), min(count, size))
    found = {}
    with path.open("rb") as file:
        for place in sorted(places):
            begin = file.seek(len(SAMPLES) + place * SAMPLE.size)
            position = sampled_position(*SAMPLE.unpack(file.read(SAMPLE.size)))
            if position is None:
                raise Trouble(f"{path}: at byte {begin} is no sample; is the file damaged?")
            found[position] = None
    return list(found)


def sampled_position(occupied: int, codes: bytes) -> str | None:
    """The position of a sample in FEN; none if it is damaged."""
    known = [PIECES.get(code) for two in codes for code in (two & 15, two >> 4)][: occupied.bit_count()]
    if None in known or len(known) < occupied.bit_count():
        return None
    pieces = iter(known)
    board = [next(pieces) if occupied >> square & 1 else "1" for square in range(64)]
    ranks = ("".join(board[first : first + 8]) for first in range(56, -1, -8))
    placed = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(ranks))
    return f"{placed} w - - 0 1"


def judge(command: str, nodes: int, fens: list[str], tell: Callable[[], None]) -> list[Judged]:
    """What a search says of positions, without those that turn out not to be quiet."""
    import chess

    engine, judged = Engine(command, {"Hash": 64, "Threads": 1}, {}), []
    try:
        for fen in fens:
            engine.send(f"position fen {fen}")
            engine.send(f"go nodes {nodes}")
            score = None
            for line in engine.lines_until("bestmove", None):
                if " score " in line and "bound" not in line:
                    score = SCORE.search(line)
            tell()
            board, best = chess.Board(fen), line.split()[1]
            if best == "(none)":
                continue
            move = chess.Move.from_uci(best)
            if score and abs(int(score[1])) <= LARGEST and not (board.is_capture(move) or move.promotion):
                judged.append(Judged(fen, int(score[1])))
    finally:
        engine.close()
    return judged


def families(command: str, nodes: int, fens: list[str], tell: Callable[[], None]) -> list[Judged]:
    """What a search says of the quiet moves of positions, where it is not about captures or checks.

    Families are numbered within the list.
    """
    import chess

    engine, judged = Engine(command, {"Hash": 64, "Threads": 1}, {"MultiPV": MOVES}), []
    try:
        for number, fen in enumerate(fens):
            engine.new_game()
            engine.send(f"position fen {fen}")
            engine.send(f"go nodes {nodes}")
            lines = {}
            for text in engine.lines_until("bestmove", None):
                if "bound" not in text and (line := LINE.search(text)):
                    lines[line[1]] = line
            family = []
            for line in lines.values():
                board = chess.Board(fen)
                for move in (chess.Move.from_uci(line[3]), chess.Move.from_uci(line[4])):
                    if board.is_capture(move) or move.promotion or board.is_check():
                        break
                    board.push(move)
                else:
                    board.pop()
                    family.append(Judged(board.fen(en_passant="fen"), -int(line[2]), number))
            if len(family) >= 3:
                judged += family
            tell()
    finally:
        engine.close()
    return judged


def searched(
    args: argparse.Namespace, fens: list[str], search: Callable[[str, int, list[str], Callable[[], None]], list[Judged]]
) -> list[list[Judged]]:
    """What searches in some threads say, each of its share of the positions."""
    progress, done = Progress(), 0

    def tell() -> None:
        nonlocal done
        done += 1
        progress.show(f"{done} of {len(fens)} positions")

    shares = [fens[thread :: args.threads] for thread in range(args.threads)]
    with ThreadPoolExecutor(args.threads) as threads:
        found = list(threads.map(lambda share: search(args.judge, args.nodes, share, tell), shares))
    progress.clear()
    return found


def label(args: argparse.Namespace) -> None:
    with args.source.open("rb") as file:
        are_samples = file.read(len(SAMPLES)) == SAMPLES
    if are_samples:
        fens = sampled_positions(args.source, args.count)
    else:
        fens = quiet_positions(args.source, args.each, args.count)
    if not fens:
        raise Trouble(f"{args.source}: no {'samples' if are_samples else 'games with quiet positions'}")
    judged = [one for share in searched(args, fens, judge) for one in share]
    with args.output.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows((one.fen, one.score) for one in judged)
    print(f"{args.output}: {len(judged)} positions, {len(fens) - len(judged)} were not quiet or decided")


def siblings(args: argparse.Namespace) -> None:
    fens = [one.fen for one in read(args.positions) if abs(one.score) <= CLOSE]
    if not fens:
        raise Trouble(f"{args.positions}: no positions within {CLOSE} centipawns")
    shares = searched(args, random.Random(1).sample(fens, min(args.count, len(fens))), families)
    numbers: dict[tuple[int, int | None], int] = {}
    rows = [
        (one.fen, one.score, numbers.setdefault((share, one.family), len(numbers)))
        for share, judged in enumerate(shares)
        for one in judged
    ]
    with args.output.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    print(f"{args.output}: {len(rows)} positions in {len(numbers)} families")


def read(path: Path) -> list[Judged]:
    with path.open(newline="", encoding="utf-8") as file:
        try:
            return [Judged(fen, *map(int, numbers)) for fen, *numbers in csv.reader(file)]
        except (TypeError, ValueError) as error:
            raise Trouble(f"{path}: not what 'label' or 'siblings' writes: {error}") from error


def evaluations(engine: str, network: str, positions: list[Judged]) -> list[float]:
    """Static evaluations in centipawns for the side to move."""
    lines = f"setoption name EvalFile value {network}\n"
    lines += "".join(f"position fen {one.fen}\neval\n" for one in positions)
    try:
        told = subprocess.run([engine], input=lines, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"cannot start {engine}: {error.strerror}") from error
    # The engine would go on with the network it had.
    if refusal := REFUSAL.search(told.stdout):
        raise Trouble(refusal[1])
    found = EVALUATION.findall(told.stdout)
    # The network's own evaluation comes first, that by hand may follow.
    times, rest = divmod(len(found), len(positions))
    if not found or rest:
        raise Trouble(f"{engine} with {network}: {len(found)} evaluations of {len(positions)} positions")
    sides = (1 if one.fen.split()[1] == "w" else -1 for one in positions)
    return [100 * side * float(text) for side, text in zip(sides, found[::times], strict=True)]


def points(score: float) -> float:
    return 1 / (1 + math.exp(-score / POINT))


def errors(scores: list[float], scale: float, positions: list[Judged]) -> list[float]:
    """Squared differences, in families from the mean of the family's, which counts as known."""
    pairs = zip(scores, positions, strict=True)
    gaps = [points(scale * score) - points(one.score) for score, one in pairs]
    shared: dict[int, list[float]] = defaultdict(list)
    for gap, one in zip(gaps, positions, strict=True):
        if one.family is not None:
            shared[one.family].append(gap)
    found = []
    for gap, one in zip(gaps, positions, strict=True):
        family = shared[one.family] if one.family is not None else []
        free = len(family) / (len(family) - 1) if len(family) > 1 else 1.0
        found.append(1e4 * free * (gap - (mean(family) if family else 0.0)) ** 2)
    return found


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else math.nan


def at_best_scale(scores: list[float], positions: list[Judged]) -> tuple[float, list[float]]:
    """The scale that suits the scores best, and their errors at it."""
    return min(
        ((scale, errors(scores, scale, positions)) for scale in SCALES),
        key=lambda scaled: mean(scaled[1]),
    )


def rank(args: argparse.Namespace) -> None:
    positions = read(args.positions)
    stages = {
        stage: places
        for stage in STAGES
        if (places := [place for place, one in enumerate(positions) if stage[0] <= one.men <= stage[1]])
    }
    if not stages:
        raise Trouble(f"{args.positions}: no positions")
    heads = "  ".join(f"{f'{low}-{high}':>13}" for low, high in stages)
    print(f"{'difference':>10} {'to first':>16}  {heads} men (scale)")
    first = None
    for network in args.networks:
        scores, found, parts = evaluations(args.engine, network, positions), [], []
        for places in stages.values():
            scale, gaps = at_best_scale([scores[place] for place in places], [positions[place] for place in places])
            found += gaps
            parts.append(f"{mean(gaps):>6.1f} ({scale:.2f})")
        first = first or found
        gaps = [one - other for one, other in zip(found, first, strict=True)]
        middle = mean(gaps)
        error = 1.96 * math.sqrt(mean([(gap - middle) ** 2 for gap in gaps]) / len(gaps))
        print(f"{mean(found):>10.2f} {middle:>+8.2f} +-{error:>5.2f}  {'  '.join(parts)}  {network}", flush=True)


def main() -> int:
    parser = arguments(__doc__)
    steps = parser.add_subparsers(required=True, metavar="label|siblings|rank")
    labelling = steps.add_parser("label", help="have a judge search positions of games or samples")
    labelling.add_argument(
        "source", metavar="FILE", type=Path, help="games in PGN with the openings of matches, or samples"
    )
    labelling.add_argument("--output", metavar="FILE", type=Path, required=True, help="where to write the positions")
    labelling.add_argument("--each", type=at_least_one, default=48, help="positions of a game (default: 48)")
    labelling.add_argument("--count", type=at_least_one, default=20_000, help="positions at most (default: 20000)")
    labelling.set_defaults(run=label)
    relating = steps.add_parser("siblings", help="have a judge search the moves of such positions")
    relating.add_argument("positions", metavar="FILE", type=Path, help="what 'label' has written")
    relating.add_argument("--output", metavar="FILE", type=Path, required=True, help="where to write the families")
    relating.add_argument("--count", type=at_least_one, default=2_000, help="positions at most (default: 2000)")
    relating.set_defaults(run=siblings)
    for searching, nodes in ((labelling, 30_000), (relating, 100_000)):
        searching.add_argument("--judge", metavar="COMMAND", default="stockfish", help="default: stockfish")
        searching.add_argument("--nodes", type=at_least_one, default=nodes, help=f"of each search (default: {nodes})")
        searching.add_argument("--threads", type=at_least_one, default=2, help="searches at once (default: 2)")
    ranking = steps.add_parser("rank", help="compare networks by positions with such scores")
    ranking.add_argument("positions", metavar="FILE", type=Path, help="what 'label' or 'siblings' has written")
    ranking.add_argument(
        "networks", metavar="NETWORK", nargs="+", help="a file, or classical; the first is compared with"
    )
    ranking.add_argument("--engine", default="target/release/prelate", help="default: target/release/prelate")
    ranking.set_defaults(run=rank)
    args = parser.parse_args()
    try:
        args.run(args)
    except Trouble as trouble:
        print(f"judge.py: {trouble}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"judge.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
