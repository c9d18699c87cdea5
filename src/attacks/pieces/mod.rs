//! What several pieces attack together. One interface, the fastest backend the target has.

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512dq"
))]
mod fill;
#[cfg(any(
    test,
    not(all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512dq"
    ))
))]
mod one_by_one;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512dq"
))]
use fill as backend;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512dq"
)))]
use one_by_one as backend;

use crate::types::{Bitboard, Square};

/// What knights, bishops, rooks and queens attack, each role together, when `occupied` squares block
/// the sliders.
// Always, so that the sets need not go through memory before they are joined.
#[inline(always)]
pub fn of_pieces(pieces: [Bitboard; 4], occupied: Bitboard) -> [Bitboard; 4] {
    backend::of_pieces(pieces, occupied)
}

/// What a bishop and what a rook on a square attack.
#[inline(always)]
pub fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    backend::bishop_and_rook(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// More pieces than a side ever has, on any squares, among blockers of every density.
    #[test]
    fn all_at_once_attack_what_each_does() {
        let mut random = SmallRng::seed_from_u64(3);
        for round in 0..20_000 {
            let mut sparse =
                || random.random::<u64>() & random.random::<u64>() & random.random::<u64>();
            let pieces = [(); 4].map(|()| Bitboard(sparse() & sparse()));
            let blockers = match round % 3 {
                0 => sparse(),
                1 => sparse() | sparse(),
                _ => sparse() | sparse() | sparse() | sparse(),
            };
            let occupied = pieces
                .into_iter()
                .fold(Bitboard(blockers), |all, set| all | set);
            let expected = one_by_one::of_pieces(pieces, occupied);
            assert_eq!(
                of_pieces(pieces, occupied),
                expected,
                "{pieces:?}, {occupied:?}"
            );
            for square in Square::all() {
                let expected = one_by_one::bishop_and_rook(square, occupied);
                assert_eq!(bishop_and_rook(square, occupied), expected, "{square}");
            }
        }
    }
}
