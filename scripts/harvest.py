#!/usr/bin/env python3
"""Turn games of matches into data that networks learn from.

Matches decide about changes, and in their games, too, every move has the score of a search.
Reads games in PGN, as fastchess writes them with scores in the comments, and writes those
that ended by the rules in viriformat, as `prelate datagen` does.

Only matches of Prelate against itself, at the same nodes a move: from the games of others
a network would learn what they know.

Needs the package chess from PyPI.

Example:

    fastchess -engine cmd=new name=new -engine cmd=base name=base -each nodes=8000 ... \\
        -pgnout file=match.pgn
    scripts/harvest.py match.pgn --output match.vf
    prelate data match.vf
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from common import Progress, Trouble, arguments

SCORE = re.compile(r"([+-]?)(?:M\d+|(\d+\.\d+))/\d+ ")
OUTCOMES = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}
MATE = 20_000  # centipawns that stand for a mate: as certain as points can tell

# Of viriformat, as src/train/viriformat.rs describes it.
PACKED = 32  # bytes of a start position
CASTLING_ROOK, BLACK, NO_EN_PASSANT = 6, 8, 64
EN_PASSANT, CASTLING, PROMOTION = 1 << 14, 2 << 14, 3 << 14


def games(path: Path) -> Iterator[chess.pgn.Game]:
    """The games of a file, one after the other."""
    with path.open(encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            yield game


def packed(board: chess.Board, outcome: int) -> bytes:
    """The start position."""
    nibbles = bytearray(16)
    for index, square in enumerate(chess.scan_forward(board.occupied)):
        piece = board.piece_at(square)
        assert piece is not None, "an occupied square has a piece"
        castles = chess.BB_SQUARES[square] & board.castling_rights
        code = CASTLING_ROOK if castles else piece.piece_type - 1
        nibbles[index // 2] |= (code | (0 if piece.color else BLACK)) << 4 * (index % 2)
    en_passant = NO_EN_PASSANT
    if board.ep_square is not None and board.has_legal_en_passant():
        en_passant = board.ep_square
    side = (0 if board.turn else 128) | en_passant
    clocks = (min(board.halfmove_clock, 255), min(board.fullmove_number, 65535))
    return struct.pack("<Q16sBBHhBB", board.occupied, nibbles, side, *clocks, 0, outcome, 0)


def encoded(board: chess.Board, move: chess.Move) -> int:
    """A move before it is made; castling as king takes rook."""
    start, end, flags = move.from_square, move.to_square, 0
    if board.is_castling(move):
        flags = CASTLING
        if not board.chess960:
            rook_file = 7 if end > start else 0
            end = chess.square(rook_file, chess.square_rank(start))
    elif board.is_en_passant(move):
        flags = EN_PASSANT
    elif move.promotion:
        flags = PROMOTION | (move.promotion - chess.KNIGHT) << 12
    return start | end << 6 | flags


def record(game: chess.pgn.Game) -> bytes | None:
    """A game in viriformat; none if it did not end by the rules, or not every move has a score."""
    outcome = OUTCOMES.get(game.headers["Result"])
    if outcome is None or game.headers.get("Termination", "normal") != "normal" or game.errors:
        return None
    board = game.board()
    if not board.is_valid():
        return None
    data = [packed(board, outcome)]
    for node in game.mainline():
        score = score_for_white(node.comment, board.turn)
        if score is None:
            return None
        data.append(struct.pack("<Hh", encoded(board, node.move), score))
        board.push(node.move)
    plies = str(len(data) - 1)
    if game.headers.get("PlyCount", plies) != plies:
        return None
    return b"".join(data) + bytes(4)


def score_for_white(comment: str, side: chess.Color) -> int | None:
    """The centipawns in the comment on a move of this side."""
    if (score := SCORE.match(comment)) is None:
        return None
    sign, pawns = score.groups()
    centipawns = min(round(100 * float(pawns)), MATE) if pawns else MATE
    return centipawns if (sign == "-") != side else -centipawns


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="PGN", help="games of matches")
    parser.add_argument("--output", required=True, type=Path, metavar="FILE", help="where to write them")
    args = parser.parse_args()
    try:
        harvest(args.files, args.output)
    except Trouble as trouble:
        print(f"harvest.py: {trouble}", file=sys.stderr)
        return 2
    return 0


def harvest(files: list[Path], output: Path) -> None:
    """Writes the games of all files, and tells how many there are."""
    if missing := [str(path) for path in files if not path.is_file()]:
        raise Trouble(f"{missing[0]}: there is no such file")
    progress = Progress()
    kept = left_out = positions = 0
    try:
        with output.open("xb") as out:
            for game in (game for path in files for game in games(path)):
                data = record(game)
                if data is None:
                    left_out += 1
                    continue
                out.write(data)
                kept += 1
                positions += (len(data) - PACKED) // 4 - 1
                progress.show(f"{kept} games, {positions} positions")
    except FileExistsError as error:
        raise Trouble(f"{output}: it is there already; name another file") from error
    except OSError as error:
        raise Trouble(f"{error.filename}: {error.strerror}") from error
    finally:
        progress.clear()
    print(f"{kept} games, {positions} positions; {left_out} games left out")


if __name__ == "__main__":
    sys.exit(main())
