//! Sliding attacks by table: the blockers that matter, packed by `pext`, are the index, and what is
//! found is the attack set, packed the same way. So the table takes a quarter of the cache.

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::hyperbola;
use crate::types::{Bitboard, File, Rank, Square};

/// The name of this backend.
pub const NAME: &str = "pext";

/// Where a square's attack sets begin in the table, which blockers tell them apart, and the squares
/// that are attacked if there is none.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    reach: u64,
    offset: u32,
}

/// All attack sets of one kind of slider, square after square: one bit for each square in reach.
struct Table<const SIZE: usize> {
    entries: [Entry; 64],
    attacks: [u16; SIZE],
}

macro_rules! build {
    ($slider:path, $size:expr) => {{
        let mut table = Table {
            entries: [Entry {
                mask: 0,
                reach: 0,
                offset: 0,
            }; 64],
            attacks: [0; $size],
        };
        let mut next = 0;
        let mut index = 0;
        while index < 64 {
            let square = Square::from_index(index);
            let reach = $slider(square, Bitboard::EMPTY);
            let mask = relevant(square, reach);
            let moves = moves(reach.0);
            table.entries[index] = Entry {
                mask,
                reach: reach.0,
                offset: next as u32,
            };
            // Subtracting the mask steps through its subsets in the order of their pext.
            let mut blockers = 0_u64;
            loop {
                table.attacks[next] = packed($slider(square, Bitboard(blockers)).0, moves);
                next += 1;
                blockers = blockers.wrapping_sub(mask) & mask;
                if blockers == 0 {
                    break;
                }
            }
            index += 1;
        }
        assert!(next == $size);
        table
    }};
}

#[allow(
    long_running_const_eval,
    reason = "100,000 attack sets take about a second"
)]
static BISHOP: Table<5_248> = build!(hyperbola::bishop, 5_248);
#[allow(
    long_running_const_eval,
    reason = "100,000 attack sets take about a second"
)]
static ROOK: Table<102_400> = build!(hyperbola::rook, 102_400);

/// The squares of `attacks` where a blocker makes a difference: a piece on the last square of a
/// line hides nothing behind it.
const fn relevant(square: Square, attacks: Bitboard) -> u64 {
    let files = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
    let ranks = Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0;
    let edges = files & !Bitboard::file(square.file()).0 | ranks & !Bitboard::rank(square.rank()).0;
    attacks.0 & !edges
}

/// For `pext` by this mask in six steps (Warren's "Hacker's Delight", 7-4): the bits that move down
/// by 1, 2, 4, 8, 16 and 32 places.
const fn moves(mut mask: u64) -> [u64; 6] {
    let mut moves = [0; 6];
    let mut gaps = !mask << 1;
    let mut step = 0;
    while step < 6 {
        // Bits above an odd number of gaps.
        let mut odd = gaps ^ gaps << 1;
        odd ^= odd << 2;
        odd ^= odd << 4;
        odd ^= odd << 8;
        odd ^= odd << 16;
        odd ^= odd << 32;
        let moving = odd & mask;
        mask = mask ^ moving | moving >> (1 << step);
        gaps &= !odd;
        moves[step] = moving;
        step += 1;
    }
    moves
}

/// `pext` of a part of the mask that these are the moves of. Without a loop, of which the
/// compiler would take a million turns.
const fn packed(mut set: u64, [by_1, by_2, by_4, by_8, by_16, by_32]: [u64; 6]) -> u16 {
    set = set & !by_1 | (set & by_1) >> 1;
    set = set & !by_2 | (set & by_2) >> 2;
    set = set & !by_4 | (set & by_4) >> 4;
    set = set & !by_8 | (set & by_8) >> 8;
    set = set & !by_16 | (set & by_16) >> 16;
    set = set & !by_32 | (set & by_32) >> 32;
    set as u16
}

impl<const SIZE: usize> Table<SIZE> {
    #[inline]
    fn get(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.entries[square.index()];
        // SAFETY: this module is compiled only where the whole program may use BMI2.
        let blockers = unsafe { _pext_u64(occupied.0, entry.mask) };
        let attacks = self.attacks[entry.offset as usize + blockers as usize];
        // SAFETY: as before.
        Bitboard(unsafe { _pdep_u64(u64::from(attacks), entry.reach) })
    }
}

/// The squares a bishop on `square` attacks when `occupied` squares block its way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP.get(square, occupied)
}

/// The squares a rook on `square` attacks when `occupied` squares block its way.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK.get(square, occupied)
}

/// What a bishop and what a rook on a square attack.
#[inline]
pub fn bishop_and_rook(square: Square, occupied: Bitboard) -> [Bitboard; 2] {
    [bishop(square, occupied), rook(square, occupied)]
}
