//! Sliding attacks by AVX-512, in vectors with a lane for each direction: a piece, or all pieces of a
//! side, run along all of them at the same time (Kogge-Stone fill). There is no table, and no loop over
//! pieces whose end the processor could guess wrong.

use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm_extract_epi64, _mm512_and_si512, _mm512_castsi512_si128,
    _mm512_extracti64x2_epi64, _mm512_mask_blend_epi64, _mm512_or_si512, _mm512_rolv_epi64,
    _mm512_set_epi64, _mm512_set1_epi64, _mm512_shuffle_i64x2, _mm512_slli_epi64,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crate::types::{Bitboard, Square};

/// The name of this backend.
pub const NAME: &str = "fill";

/// Files to the east and ranks to the north of a step.
type Step = (i64, i64);

/// Those of a bishop, then those of a rook; both of a queen.
#[rustfmt::skip]
const SLIDER: [Step; 8] = [
    (1, 1), (-1, 1), (1, -1), (-1, -1),
    (0, 1), (0, -1), (1, 0), (-1, 0),
];
/// The lanes of a rook.
const STRAIGHT: u8 = 0b1111_0000;
#[rustfmt::skip]
const KNIGHT: [Step; 8] = [
    (1, 2), (-1, 2), (2, 1), (-2, 1),
    (1, -2), (-1, -2), (2, -1), (-2, -1),
];

/// By how many bits a step rotates a set to the left.
const fn turn((files, ranks): Step) -> i64 {
    (8 * ranks + files).rem_euclid(64)
}

/// The squares that a step can lead to. On others it comes in over an edge of the board.
const fn targets((files, ranks): Step) -> i64 {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8 - files, square / 8 - ranks);
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            set |= 1 << square;
        }
        square += 1;
    }
    set
}

/// A number for each of eight steps.
macro_rules! lanes {
    ($number:ident, $steps:ident) => {{
        const LANES: [i64; 8] = {
            let mut lanes = [0; 8];
            let mut index = 0;
            while index < 8 {
                lanes[index] = $number($steps[index]);
                index += 1;
            }
            lanes
        };
        let [a, b, c, d, e, f, g, h] = LANES;
        _mm512_set_epi64(h, g, f, e, d, c, b, a)
    }};
}

/// What knights, bishops, rooks and queens attack, each role together, when `occupied` squares block
/// the sliders.
#[inline(always)]
pub fn of_pieces(pieces: [Bitboard; 4], occupied: Bitboard) -> [Bitboard; 4] {
    // SAFETY: the build is for processors that have these instructions.
    unsafe { all_roles(pieces, occupied) }
}

/// The squares a bishop on `square` attacks when `occupied` squares block its way.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_and_rook(square, occupied)[0]
}

/// The squares a rook on `square` attacks when `occupied` squares block its way.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_and_rook(square, occupied)[1]
}

/// What a bishop and what a rook on a square attack.
#[inline(always)]
pub fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    // SAFETY: as above.
    unsafe { both_sliders(square, occupied) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn all_roles(pieces: [Bitboard; 4], occupied: Bitboard) -> [Bitboard; 4] {
    let all = |set: Bitboard| _mm512_set1_epi64(set.0 as i64);
    let [knights, bishops, rooks, queens] = pieces.map(all);
    let knights = step(knights, lanes!(turn, KNIGHT), lanes!(targets, KNIGHT));
    let others = run(_mm512_mask_blend_epi64(STRAIGHT, bishops, rooks), occupied);
    joined(others, run(queens, occupied), knights)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn both_sliders(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    let square = Bitboard::square(square);
    let lines = run(_mm512_set1_epi64(square.0 as i64), occupied);
    let pairs = _mm512_or_si512(lines, _mm512_shuffle_i64x2::<0b10_11_00_01>(lines, lines));
    let halves = _mm512_or_si512(pairs, _mm512_unpackhi_epi64(pairs, pairs));
    let (low, high) = (
        _mm512_castsi512_si128(halves),
        _mm512_extracti64x2_epi64::<2>(halves),
    );
    [low, high].map(|set| Bitboard(_mm_cvtsi128_si64(set) as u64))
}

/// The squares that each lane's pieces come to, up to the first that is occupied.
#[inline]
#[target_feature(enable = "avx512f")]
fn run(set: __m512i, occupied: Bitboard) -> __m512i {
    let (turn_by, to) = (lanes!(turn, SLIDER), lanes!(targets, SLIDER));
    // How far a slider may run: one square, then two, then four at once.
    let turn_by_two = _mm512_slli_epi64::<1>(turn_by);
    let turn_by_four = _mm512_slli_epi64::<2>(turn_by);
    let free = _mm512_and_si512(_mm512_set1_epi64(!occupied.0 as i64), to);
    let free_two = step(free, turn_by, free);
    let free_four = step(free_two, turn_by_two, free_two);
    let set = _mm512_or_si512(set, step(set, turn_by, free));
    let set = _mm512_or_si512(set, step(set, turn_by_two, free_two));
    let set = _mm512_or_si512(set, step(set, turn_by_four, free_four));
    step(set, turn_by, to)
}

/// A step of each lane, onto some squares alone.
#[inline]
#[target_feature(enable = "avx512f")]
fn step(set: __m512i, turn: __m512i, onto: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_rolv_epi64(set, turn), onto)
}

/// The directions of each role joined: knights, bishops, rooks, queens. Those of bishops are the lower
/// half of `others`, those of rooks the upper.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn joined(others: __m512i, queens: __m512i, knights: __m512i) -> [Bitboard; 4] {
    // The lower half becomes that of queens, the upper that of knights, as the others are.
    let both = _mm512_or_si512(
        _mm512_shuffle_i64x2::<0b01_00_01_00>(queens, knights),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(queens, knights),
    );
    let pairs = _mm512_or_si512(
        _mm512_unpacklo_epi64(others, both),
        _mm512_unpackhi_epi64(others, both),
    );
    let quarters = _mm512_or_si512(pairs, _mm512_shuffle_i64x2::<0b10_11_00_01>(pairs, pairs));
    let (low, high) = (
        _mm512_castsi512_si128(quarters),
        _mm512_extracti64x2_epi64::<2>(quarters),
    );
    let [bishops, queens] = [_mm_cvtsi128_si64(low), _mm_extract_epi64::<1>(low)];
    let [rooks, knights] = [_mm_cvtsi128_si64(high), _mm_extract_epi64::<1>(high)];
    [knights, bishops, rooks, queens].map(|set| Bitboard(set as u64))
}
