#!/usr/bin/env python3
"""Fit the chances to win, draw and lose that `UCI_ShowWDL` tells to the engine's own games.

Reads games of the engine against itself in PGN, as fastchess writes them with scores in
the comments, and prints the constants for src/engine/wdl.rs.

A game is won with the chance of a logistic curve over the score, whose middle (half the
games won) and spread depend on the material left: pawn 1, minor 3, rook 5, queen 9, of
both sides together. Both are parabolas; the six numbers that make the outcomes most
likely are found by SciPy. The table after them shows how well they fit.

Needs the packages chess and scipy.

Example:

    fastchess -engine cmd=prelate name=a -engine cmd=prelate name=b \\
        -each nodes=20000 -openings file=openings.epd format=epd order=random \\
        -rounds 500 -games 2 -repeat -concurrency 2 -pgnout file=games.pgn
    scripts/wdl.py games.pgn
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import numpy as np
from scipy.optimize import minimize

from common import Progress, Trouble, arguments, at_least_one

SCORE = re.compile(r"^([+-]?\d+\.\d+)/\d+")
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
FULL = 78  # the material at the start
MOST = 10.0  # scores above that many pawns say nothing about the curve
FEWEST = 1000  # positions to fit six numbers to
POINTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}

Row = tuple[float, float, int]  # centipawns, share of the material, won 1 drawn 0 lost -1


def material(board: chess.Board) -> int:
    """Pawn 1, minor 3, rook 5, queen 9, of both sides."""
    return sum(
        value * chess.popcount(board.pieces_mask(kind, color))
        for kind, value in VALUES.items()
        for color in chess.COLORS
    )


def rows(path: Path, skip: int) -> Iterator[Row]:
    """Scores and results of a file's games, from the view of the side that moves."""
    progress, games = Progress(), 0
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            while game := chess.pgn.read_game(file):
                games += 1
                progress.show(f"{path}: {games} games")
                won = POINTS.get(game.headers.get("Result", "*"))
                if won is None:
                    continue
                board = game.board()
                for ply, node in enumerate(game.mainline()):
                    score = SCORE.match(node.comment)
                    if score is not None and ply >= skip and abs(float(score[1])) <= MOST:
                        sign = 1 if board.turn == chess.WHITE else -1
                        yield 100 * float(score[1]), material(board) / FULL, sign * won
                    board.push(node.move)
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    finally:
        progress.clear()


def chances(numbers: np.ndarray, score: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The chances to win and to lose."""
    middle = np.polyval(numbers[:3], share)
    spread = np.maximum(np.polyval(numbers[3:], share), 1)
    win = 1 / (1 + np.exp(np.clip((middle - score) / spread, -500, 500)))
    lose = 1 / (1 + np.exp(np.clip((middle + score) / spread, -500, 500)))
    return win, lose


def fit(score: np.ndarray, share: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The parabolas of middle and spread, highest power first."""

    def surprise(numbers: np.ndarray) -> float:
        win, lose = chances(numbers, score, share)
        likely = np.where(won > 0, win, np.where(won < 0, lose, 1 - win - lose))
        return float(-np.log(np.maximum(likely, 1e-9)).mean())

    start = np.array([0.0, 0.0, 150.0, 0.0, 0.0, 60.0])
    steps = np.vstack([start, start + np.diag([60.0, 60.0, 60.0, 30.0, 30.0, 30.0])])
    return minimize(
        surprise,
        start,
        method="Nelder-Mead",
        options={"initial_simplex": steps, "maxiter": 5000, "xatol": 0.01, "fatol": 1e-9},
    ).x


def show(numbers: np.ndarray, score: np.ndarray, share: np.ndarray, won: np.ndarray) -> None:
    """The constants as Rust, then what they say beside what happened."""
    for name, part in (("HALF_WON", numbers[:3]), ("SPREAD", numbers[3:])):
        print(f"const {name}: [f64; 3] = [{', '.join(f'{number:.1f}' for number in part)}];")
    win, lose = chances(numbers, score, share)
    print(f"\n{len(score)} positions\n{'score':>12} {'material':>9} {'positions':>9} {'won':>13} {'lost':>13}")
    for low in range(-300, 301, 100):
        for least, most in ((0.0, 0.4), (0.4, 0.7), (0.7, 1.1)):
            here = (abs(score - low) < 50) & (share >= least) & (share < most)
            if (count := int(here.sum())) < 100:
                continue
            share_won, share_lost = (won[here] > 0).mean(), (won[here] < 0).mean()
            print(
                f"{low:>6} +-50 {78 * least:>4.0f}-{78 * min(most, 1):<4.0f} {count:>9}"
                f" {share_won:>6.1%}{win[here].mean():>7.1%} {share_lost:>6.1%}{lose[here].mean():>7.1%}"
            )


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("files", metavar="PGN", nargs="+", type=Path, help="games of the engine against itself")
    parser.add_argument(
        "--skip", metavar="N", type=at_least_one, default=10, help="plies of each game left out (default: 10)"
    )
    args = parser.parse_args()
    try:
        found = [row for path in args.files for row in rows(path, args.skip)]
        if len(found) < FEWEST:
            raise Trouble(f"only {len(found)} positions with a score: play more games, with scores in the comments")
    except Trouble as trouble:
        print(f"wdl.py: {trouble}", file=sys.stderr)
        return 2
    score, share, won = (np.array(column, dtype=float) for column in zip(*found, strict=True))
    show(fit(score, share, won), score, share, won)
    return 0


if __name__ == "__main__":
    sys.exit(main())
