//! Writes a move to each square of a set into a list ("splat"): one after the other, or all at once where
//! the build has the instructions of AVX-512 for that, which leave no loop whose end the processor could
//! guess wrong.

use crate::types::{Bitboard, MoveKind, MoveList, Square};

cfg_select! {
    all(target_feature = "avx512bw", target_feature = "avx512vbmi2") => {
        pub(super) use at_once::{pawns, piece};
    }
    _ => { pub(super) use one_by_one::{pawns, piece}; }
}

#[cfg(any(
    test,
    not(all(target_feature = "avx512bw", target_feature = "avx512vbmi2"))
))]
mod one_by_one {
    use super::{Bitboard, MoveKind, MoveList, Square};
    use crate::types::Move;

    /// Adds the moves of a piece from one square to each of a set.
    #[inline]
    pub fn piece(moves: &mut MoveList, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            moves.push(Move::new(from, to, kind));
        }
    }

    /// Adds the moves of pawns to each of a set of squares, from so many squares before it.
    #[inline]
    pub fn pawns(moves: &mut MoveList, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            moves.push(Move::new(to.offset(-step), to, kind));
        }
    }
}

#[cfg(all(target_feature = "avx512bw", target_feature = "avx512vbmi2"))]
mod at_once {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cvtepu8_epi16,
        _mm512_maskz_compress_epi8, _mm512_mullo_epi16, _mm512_set1_epi16, _mm512_storeu_si512,
    };

    use bytemuck::cast;

    use super::{Bitboard, MoveKind, MoveList, Square};
    use crate::types::MOVES_AT_ONCE;

    /// What a square is multiplied with to stand where a move has its target, and its origin.
    const TARGET: u16 = 1 << 6;
    const ORIGIN: u16 = 1;

    /// Adds the moves of a piece from one square to each of a set.
    #[inline(always)]
    pub fn piece(moves: &mut MoveList, from: Square, targets: Bitboard, kind: MoveKind) {
        let targets = targets & !Bitboard::square(from);
        let more = from.index() as u16 | (kind as u16) << 12;
        // SAFETY: the build is for processors that have these instructions, and no square of the set is
        // the one that the piece leaves.
        unsafe { add(moves, targets, TARGET, more) }
    }

    /// Adds the moves of pawns to each of a set of squares, from so many squares before it.
    #[inline(always)]
    pub fn pawns(moves: &mut MoveList, targets: Bitboard, step: i8, kind: MoveKind) {
        assert!(step != 0, "a pawn moves to where it stands");
        let back = i16::from(-step) as u16;
        let more = back.wrapping_add((kind as u16) << 12);
        // SAFETY: the build is for processors that have these instructions, and a step leads to another
        // square.
        unsafe { add(moves, targets, TARGET + ORIGIN, more) }
    }

    /// Adds a move for each square of a set: its bits are those of the square times a factor, and more.
    ///
    /// # Safety
    ///
    /// These must be the bits of moves.
    #[inline]
    #[target_feature(enable = "avx512bw,avx512vbmi2")]
    unsafe fn add(moves: &mut MoveList, targets: Bitboard, factor: u16, more: u16) {
        const SQUARES: [u8; 64] = {
            let mut squares = [0; 64];
            let mut square = 0;
            while square < 64 {
                squares[square] = square as u8;
                square += 1;
            }
            squares
        };
        let (len, count) = (moves.len(), targets.count().min(MOVES_AT_ONCE));
        assert!(
            moves.remaining_capacity() >= MOVES_AT_ONCE,
            "a list has room"
        );
        let squares: __m512i = cast(SQUARES);
        let squares = _mm512_maskz_compress_epi8(targets.0, squares);
        let squares = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(squares));
        let bits = _mm512_mullo_epi16(squares, _mm512_set1_epi16(factor as i16));
        let bits = _mm512_add_epi16(bits, _mm512_set1_epi16(more as i16));
        // SAFETY: within the list's memory, as has just been checked.
        let end = unsafe { moves.as_mut_ptr().add(len) };
        // SAFETY: there is room for a register.
        unsafe { _mm512_storeu_si512(end.cast(), bits) };
        // SAFETY: so many moves have been written.
        unsafe { moves.set_len(len + count) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MOVES_AT_ONCE;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Sets as large as those of queens and pawns, until the list is full but for one of them.
    #[test]
    fn a_list_is_the_same_whoever_writes_it() {
        let mut random = SmallRng::seed_from_u64(6);
        for _ in 0..1_000 {
            let (mut one_by_one, mut list) = (MoveList::new(), MoveList::new());
            while list.remaining_capacity() >= MOVES_AT_ONCE {
                let sparse = Bitboard(random.random::<u64>() & random.random::<u64>());
                let from = Square::from_index(random.random_range(0..64));
                let targets = sparse & !Bitboard::square(from);
                let kind = [MoveKind::Quiet, MoveKind::Capture][random.random_range(0..2)];
                if targets.count() < MOVES_AT_ONCE {
                    one_by_one::piece(&mut one_by_one, from, targets, kind);
                    piece(&mut list, from, targets, kind);
                }
                let step = [7, 8, 9, 16][random.random_range(0..4)];
                // Of White, then of Black.
                let rank = 8 * random.random_range(2..6);
                for (step, rank) in [(step, rank), (-step, 56 - rank)] {
                    let targets = Bitboard((random.random::<u64>() & 0x7E) << rank);
                    let kind = [MoveKind::DoublePush, MoveKind::Capture][random.random_range(0..2)];
                    if list.remaining_capacity() >= MOVES_AT_ONCE {
                        one_by_one::pawns(&mut one_by_one, targets, step, kind);
                        pawns(&mut list, targets, step, kind);
                    }
                }
                assert_eq!(list, one_by_one);
            }
        }
    }
}
