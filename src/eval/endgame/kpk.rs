//! King and pawn against king, exactly: a table of all positions, worked out when first asked for. It takes
//! the pawns from the seventh rank back, and all squares of the bare king at once, until nothing new comes
//! out (after Stockfish's bitbase, which asks position by position).

use std::sync::LazyLock;

use crate::attacks;
use crate::types::{Bitboard, Color, File, Rank, Square};

/// Pawns on the files a to d and the ranks two to seven; the other half of the board is a mirror.
const PAWNS: usize = 4 * 6;

/// Where the bare king has lost against a pawn of White's: by the square of White's king.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Lost {
    /// With White to move.
    white_moves: [Bitboard; 64],
    /// With the bare king to move.
    bare_moves: [Bitboard; 64],
}

/// By the pawn.
static LOST: LazyLock<Box<[Lost; PAWNS]>> = LazyLock::new(|| {
    let mut lost = Box::new([Lost::NOWHERE; PAWNS]);
    // The steps of a pawn lead to those behind it in the table.
    for index in (0..PAWNS).rev() {
        lost[index] = Lost::solve(pawn_at(index), &lost);
    }
    lost
});

/// Whether the side with the pawn wins.
pub fn is_win(strong: Color, king: Square, pawn: Square, bare: Square, to_move: Color) -> bool {
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let seen = |square: Square| Square::from_index(square.relative_to(strong).index() ^ mirror);
    let lost = &LOST[index_of(seen(pawn))];
    let by_king = if to_move == strong {
        &lost.white_moves
    } else {
        &lost.bare_moves
    };
    by_king[seen(king).index()].has(seen(bare))
}

/// The place of a pawn in the table.
fn index_of(pawn: Square) -> usize {
    pawn.file().index() + 4 * (pawn.rank().index() - 1)
}

/// The pawn at a place in the table.
fn pawn_at(index: usize) -> Square {
    Square::from_index(index % 4 + 8 * (index / 4 + 1))
}

impl Lost {
    const NOWHERE: Self = Self {
        white_moves: [Bitboard::EMPTY; 64],
        bare_moves: [Bitboard::EMPTY; 64],
    };

    /// Solves all positions with a pawn, where those with the pawns ahead of it are solved. What stays open
    /// is never won.
    fn solve(pawn: Square, solved: &[Self; PAWNS]) -> Self {
        let mut lost = Self::NOWHERE;
        let kings = || Square::all().filter(|&king| king != pawn);
        for king in kings() {
            lost.white_moves[king.index()] = by_pawn(pawn, king, solved);
        }
        loop {
            let before = lost;
            for king in kings() {
                let white = &mut lost.white_moves[king.index()];
                for to in attacks::king(king) {
                    *white |= lost.bare_moves[to.index()];
                }
                *white &= apart(pawn, king) & !attacks::pawn(Color::White, pawn);
                lost.bare_moves[king.index()] = in_every_move(pawn, king, *white);
            }
            if lost == before {
                return lost;
            }
        }
    }
}

/// Squares that the bare king can be on: shared with nobody, and not beside the other king.
fn apart(pawn: Square, king: Square) -> Bitboard {
    !(attacks::king(king) | king.into() | pawn.into())
}

/// Where the bare king has lost because the pawn promotes and stays on the board, or by what its steps
/// lead to.
fn by_pawn(pawn: Square, king: Square, solved: &[Lost; PAWNS]) -> Bitboard {
    let once = pawn.forward(Color::White);
    if king == once {
        return Bitboard::EMPTY;
    }
    if pawn.rank() == Rank::Seventh {
        let beside = attacks::king(once);
        let takes = if beside.has(king) {
            Bitboard::EMPTY
        } else {
            beside
        };
        return !(takes | once.into());
    }
    let mut lost = solved[index_of(once)].bare_moves[king.index()];
    let twice = once.forward(Color::White);
    if pawn.rank() == Rank::Second && king != twice {
        lost |= solved[index_of(twice)].bare_moves[king.index()] & !Bitboard::from(once);
    }
    lost
}

/// Where the bare king has lost when it is to move, if it has with White to move on `lost`: it is mated, or
/// each of its moves leads there.
fn in_every_move(pawn: Square, king: Square, lost: Bitboard) -> Bitboard {
    let checks = attacks::pawn(Color::White, pawn);
    // The pawn's square is among them if nobody protects it.
    let free = !(attacks::king(king) | checks);
    let stalemate = !(attacks::kings(free) | checks);
    apart(pawn, king) & !attacks::kings(free & !lost) & !stalemate
}
