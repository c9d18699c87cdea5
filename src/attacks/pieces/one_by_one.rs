//! Square by square.

use crate::attacks::{bishop, knight, queen, rook};
use crate::types::{Bitboard, Square};

/// What knights, bishops, rooks and queens attack, each role together, when `occupied` squares block
/// the sliders.
#[inline(always)]
pub fn of_pieces(
    [knights, bishops, rooks, queens]: [Bitboard; 4],
    occupied: Bitboard,
) -> [Bitboard; 4] {
    let all = |pieces: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
        let mut set = Bitboard::EMPTY;
        for square in pieces {
            set |= attacks(square, occupied);
        }
        set
    };
    [
        all(knights, |square, _| knight(square)),
        all(bishops, bishop),
        all(rooks, rook),
        all(queens, queen),
    ]
}

/// What a bishop and what a rook on a square attack.
#[inline(always)]
pub fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    [bishop(square, occupied), rook(square, occupied)]
}
