//! Attacks of kings, knights and pawns, which no piece in between can stop.

use crate::types::{Bitboard, Color, Square};

const KING: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = kings(Bitboard::square(Square::from_index(index)));
        index += 1;
    }
    table
};

const KNIGHT: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Bitboard::square(Square::from_index(index));
        let near = square.east().0 | square.west().0;
        let far = square.east().east().0 | square.west().west().0;
        table[index] = Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8);
        index += 1;
    }
    table
};

const PAWN: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let square = Bitboard::square(Square::from_index(index));
        table[0][index] = pawns(Color::White, square);
        table[1][index] = pawns(Color::Black, square);
        index += 1;
    }
    table
};

/// The squares a king on `square` attacks.
#[inline]
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that kings on the squares of `set` attack together.
#[inline]
pub const fn kings(set: Bitboard) -> Bitboard {
    let beside = set.east().0 | set.west().0;
    let row = beside | set.0;
    Bitboard(beside | row << 8 | row >> 8)
}

/// The squares a knight on `square` attacks.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of `color` on `square` attacks.
#[inline]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that the pawns of `color` on the squares of `set` attack together.
#[inline]
pub const fn pawns(color: Color, set: Bitboard) -> Bitboard {
    let ahead = set.forward(color);
    Bitboard(ahead.east().0 | ahead.west().0)
}
