//! What the pieces of a side attack together.

use super::{bishop, knight, queen, rook};
use crate::types::{Bitboard, Square};

/// What knights, bishops, rooks and queens attack, each role together, when `occupied` squares block
/// the sliders.
// Always, so that the sets need not go through memory before they are joined.
#[inline(always)]
pub fn of_pieces(pieces: [Bitboard; 4], occupied: Bitboard) -> [Bitboard; 4] {
    cfg_select! {
        all(target_feature = "avx512f", target_feature = "avx512dq") => {
            super::sliding::fill::of_pieces(pieces, occupied)
        }
        _ => { one_by_one(pieces, occupied) }
    }
}

/// The same, square by square.
#[inline(always)]
pub fn one_by_one(
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
            let expected = one_by_one(pieces, occupied);
            assert_eq!(
                of_pieces(pieces, occupied),
                expected,
                "{pieces:?}, {occupied:?}"
            );
        }
    }
}
