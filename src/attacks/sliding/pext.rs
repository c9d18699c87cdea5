//! Sliding attacks by table: the blockers that matter, packed by `pext`, are the index.

use std::arch::x86_64::_pext_u64;

use super::hyperbola;
use crate::types::{Bitboard, File, Rank, Square};

/// Where a square's attack sets begin in the table, and which blockers tell them apart.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    offset: u32,
}

/// All attack sets of one kind of slider, square after square.
struct Table<const SIZE: usize> {
    entries: [Entry; 64],
    attacks: [Bitboard; SIZE],
}

macro_rules! build {
    ($slider:path, $size:expr) => {{
        let mut table = Table {
            entries: [Entry { mask: 0, offset: 0 }; 64],
            attacks: [Bitboard::EMPTY; $size],
        };
        let mut next = 0;
        let mut index = 0;
        while index < 64 {
            let square = Square::from_index(index);
            let mask = relevant(square, $slider(square, Bitboard::EMPTY));
            table.entries[index] = Entry {
                mask,
                offset: next as u32,
            };
            // Subtracting the mask steps through its subsets in the order of their pext.
            let mut blockers = 0_u64;
            loop {
                table.attacks[next] = $slider(square, Bitboard(blockers));
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

impl<const SIZE: usize> Table<SIZE> {
    #[inline]
    fn get(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.entries[square.index()];
        // SAFETY: this module is compiled only where the whole program may use BMI2.
        let packed = unsafe { _pext_u64(occupied.0, entry.mask) };
        self.attacks[entry.offset as usize + packed as usize]
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
