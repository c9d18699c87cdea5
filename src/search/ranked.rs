//! Moves with their rank in the order of a stage, packed so that the best is the greatest number.

use crate::types::Move;

cfg_select! {
    target_feature = "avx512f" => { pub(super) use in_registers::greatest; }
    _ => { pub(super) use plain::greatest; }
}

/// A move with its rank in the order of its stage and its index in the list, packed into one word.
/// The rank is in the upper half, so that the greatest word is the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(super) struct Ranked(i64);

impl Ranked {
    #[inline]
    pub(super) fn new(mv: Move, rank: i32, place: usize) -> Self {
        Self(i64::from(rank) << 32 | i64::from(Move::to_bits(Some(mv))) << 16).at(place)
    }

    /// The same move at another index.
    #[inline]
    pub(super) const fn at(self, place: usize) -> Self {
        Self(self.0 & !0xFFFF | place as i64)
    }

    #[inline]
    pub(super) const fn place(self) -> usize {
        self.0 as u16 as usize
    }

    #[inline]
    pub(super) const fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 16) as u16)
    }

    #[inline]
    pub(super) const fn rank(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

#[cfg(any(test, not(target_feature = "avx512f")))]
mod plain {
    use super::Ranked;

    /// The greatest of some moves: a plain loop, which the compiler vectorises.
    #[inline]
    pub fn greatest(moves: &[Ranked]) -> Option<Ranked> {
        moves.iter().copied().reduce(Ranked::max)
    }
}

#[cfg(target_feature = "avx512f")]
mod in_registers {
    use std::arch::x86_64::{
        _mm512_mask_loadu_epi64, _mm512_max_epi64, _mm512_reduce_max_epi64, _mm512_set1_epi64,
    };

    use super::Ranked;

    /// The greatest of some moves, eight at a time: lists are short, and with their last moves in the same
    /// loop as the others it ends where the processor expects it more often.
    #[inline(always)]
    pub fn greatest(moves: &[Ranked]) -> Option<Ranked> {
        if moves.is_empty() {
            return None;
        }
        // SAFETY: the build is for processors that have these instructions.
        Some(unsafe { of_eights(moves) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of_eights(moves: &[Ranked]) -> Ranked {
        let least = _mm512_set1_epi64(i64::MIN);
        let mut greatest = least;
        for moves in moves.chunks(8) {
            let lanes = u8::MAX >> (8 - moves.len());
            // SAFETY: so many moves are there, and no others are loaded.
            let moves = unsafe { _mm512_mask_loadu_epi64(least, lanes, moves.as_ptr().cast()) };
            greatest = _mm512_max_epi64(greatest, moves);
        }
        Ranked(_mm512_reduce_max_epi64(greatest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn registers_find_what_a_plain_loop_does() {
        let mut random = SmallRng::seed_from_u64(7);
        for round in 0..10_000 {
            let moves: Vec<_> = (0..round % 50).map(|_| Ranked(random.random())).collect();
            assert_eq!(greatest(&moves), plain::greatest(&moves));
        }
        let least = [Ranked(i64::MIN)];
        assert_eq!(greatest(&least), Some(least[0]));
    }
}
