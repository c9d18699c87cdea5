//! Straight lines between two squares: what blocks a check, and where a pinned piece may go.

use super::sliding::hyperbola;
use crate::types::{Bitboard, Square};

struct Lines {
    between: [[Bitboard; 64]; 64],
    through: [[Bitboard; 64]; 64],
}

static LINES: Lines = {
    let mut lines = Lines {
        between: [[Bitboard::EMPTY; 64]; 64],
        through: [[Bitboard::EMPTY; 64]; 64],
    };
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (from, to) = (Square::from_index(a), Square::from_index(b));
            let (one, other) = (Bitboard::square(from), Bitboard::square(to));
            let (rook, bishop) = (
                hyperbola::rook(from, Bitboard::EMPTY),
                hyperbola::bishop(from, Bitboard::EMPTY),
            );
            if a != b && rook.has(to) {
                lines.between[a][b] =
                    Bitboard(hyperbola::rook(from, other).0 & hyperbola::rook(to, one).0);
                let line = rook.0 & hyperbola::rook(to, Bitboard::EMPTY).0;
                lines.through[a][b] = Bitboard(line | one.0 | other.0);
            } else if a != b && bishop.has(to) {
                lines.between[a][b] =
                    Bitboard(hyperbola::bishop(from, other).0 & hyperbola::bishop(to, one).0);
                let line = bishop.0 & hyperbola::bishop(to, Bitboard::EMPTY).0;
                lines.through[a][b] = Bitboard(line | one.0 | other.0);
            }
            b += 1;
        }
        a += 1;
    }
    lines
};

/// The squares strictly between two squares of a common rank, file or diagonal; none otherwise.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

/// The whole rank, file or diagonal that two different squares share; empty if they share none.
#[inline]
pub fn through(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}
