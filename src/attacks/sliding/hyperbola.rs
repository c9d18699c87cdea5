//! Hyperbola quintessence: sliding attacks by subtraction, after Gerd Isenberg and Aleks Peshkov.
//!
//! On a line with blockers `o` and a slider `r`, `o - 2r` borrows its way to the nearest blocker
//! above the slider, so `o ^ (o - 2r)` is what the slider attacks in that direction. The other
//! direction is the same on the reversed board.

use crate::types::{Bitboard, Square};

/// The name of this backend.
pub const NAME: &str = "hyperbola quintessence";

/// The lines through a square without the square itself.
#[derive(Clone, Copy)]
struct Masks {
    file: u64,
    rank: u64,
    diagonal: u64,
    antidiagonal: u64,
}

const MASKS: [Masks; 64] = {
    let mut table = [Masks {
        file: 0,
        rank: 0,
        diagonal: 0,
        antidiagonal: 0,
    }; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let files = (b % 8) as i32 - (a % 8) as i32;
            let ranks = (b / 8) as i32 - (a / 8) as i32;
            let bit = 1 << b;
            if a != b {
                if files == 0 {
                    table[a].file |= bit;
                } else if ranks == 0 {
                    table[a].rank |= bit;
                } else if files == ranks {
                    table[a].diagonal |= bit;
                } else if files == -ranks {
                    table[a].antidiagonal |= bit;
                }
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// Attacks along a line that crosses each rank at most once: swapping bytes reverses it.
#[inline]
const fn crossing(slider: u64, occupied: u64, line: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes() << 1)
        .swap_bytes();
    (up ^ down) & line
}

/// Attacks along a rank, where only reversing all bits turns left into right.
#[inline]
const fn along_rank(slider: u64, occupied: u64, line: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(slider.reverse_bits() << 1)
        .reverse_bits();
    (up ^ down) & line
}

/// The squares a bishop on `square` attacks when `occupied` squares block its way.
#[inline]
pub const fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let (slider, masks) = (1 << square.index(), &MASKS[square.index()]);
    Bitboard(
        crossing(slider, occupied.0, masks.diagonal)
            | crossing(slider, occupied.0, masks.antidiagonal),
    )
}

/// The squares a rook on `square` attacks when `occupied` squares block its way.
#[inline]
pub const fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let (slider, masks) = (1 << square.index(), &MASKS[square.index()]);
    Bitboard(crossing(slider, occupied.0, masks.file) | along_rank(slider, occupied.0, masks.rank))
}

/// What a bishop and what a rook on a square attack.
#[inline]
pub const fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    [bishop(square, occupied), rook(square, occupied)]
}
