//! Attacks of bishops, rooks and queens. One interface, the fastest backend the target has.
//!
//! Hyperbola quintessence works everywhere and is the reference; where the processor has the
//! parallel bit extract of BMI2, table look-ups take its place, and with AVX-512 a fill that needs
//! no table, which would have to share the caches with everything else.

#[cfg(all(target_feature = "avx512f", target_feature = "avx512dq"))]
pub mod fill;
pub mod hyperbola;
#[cfg(target_feature = "bmi2")]
pub mod pext;

cfg_select! {
    all(target_feature = "avx512f", target_feature = "avx512dq") => { use fill as backend; }
    target_feature = "bmi2" => { use pext as backend; }
    _ => { use hyperbola as backend; }
}

use crate::types::{Bitboard, Square};

/// The name of the backend in use, for reports of a build.
pub use backend::NAME as BACKEND;

/// The squares a bishop on `square` attacks when `occupied` squares block its way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    backend::bishop(square, occupied)
}

/// The squares a rook on `square` attacks when `occupied` squares block its way.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    backend::rook(square, occupied)
}

/// What a bishop and what a rook on a square attack.
#[inline]
pub fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    backend::bishop_and_rook(square, occupied)
}

/// The squares a queen on `square` attacks: those of a bishop and those of a rook.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    let [diagonal, straight] = bishop_and_rook(square, occupied);
    diagonal | straight
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Walks from `square` in each direction until the edge or an occupied square.
    fn walk(square: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (file_step, rank_step) in directions {
            let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let here = Square::from_index((rank * 8 + file) as usize);
                attacks |= here.into();
                if occupied.has(here) {
                    break;
                }
            }
        }
        attacks
    }

    /// Every relevant blocker set of a few squares would take minutes; thousands of random
    /// ones of every density for each square take none.
    #[test]
    fn every_backend_agrees_with_a_ray_walker() {
        let mut random = SmallRng::seed_from_u64(1);
        for square in Square::all() {
            for round in 0..2_000 {
                let noise: u64 = random.random();
                let occupied = Bitboard(match round % 3 {
                    0 => noise & random.random::<u64>(),
                    1 => noise,
                    _ => noise & random.random::<u64>() & random.random::<u64>(),
                });
                let diagonal = walk(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                let straight = walk(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)]);
                assert_eq!(hyperbola::bishop(square, occupied), diagonal, "{square}");
                assert_eq!(hyperbola::rook(square, occupied), straight, "{square}");
                #[cfg(target_feature = "bmi2")]
                {
                    assert_eq!(pext::bishop(square, occupied), diagonal, "{square}");
                    assert_eq!(pext::rook(square, occupied), straight, "{square}");
                }
                assert_eq!(bishop(square, occupied), diagonal, "{square}");
                assert_eq!(rook(square, occupied), straight, "{square}");
                assert_eq!(queen(square, occupied), diagonal | straight, "{square}");
            }
        }
    }
}
