//! Upcoming repetition: can the side to move reach an earlier position with one move?
//!
//! Marcel van Kervinck's method: the keys of two positions that differ by one reversible move
//! differ by that move's own key, and a cuckoo table of all such moves finds it in two look-ups.

use super::{Game, keys};
use crate::attacks;
use crate::types::{Bitboard, Piece, Role, Square};
use std::sync::LazyLock;

const SIZE: usize = 8192;

/// All reversible moves of all pieces but pawns by their keys.
struct Cuckoo {
    keys: [u64; SIZE],
    squares: [(Square, Square); SIZE],
}

fn slots(key: u64) -> (usize, usize) {
    (key as usize % SIZE, (key >> 16) as usize % SIZE)
}

static CUCKOO: LazyLock<Box<Cuckoo>> = LazyLock::new(|| {
    let mut table = Box::new(Cuckoo {
        keys: [0; SIZE],
        squares: [(Square::A1, Square::A1); SIZE],
    });
    for piece in Piece::ALL
        .into_iter()
        .filter(|piece| piece.role() != Role::Pawn)
    {
        for from in Square::all() {
            let reach = match piece.role() {
                Role::Knight => attacks::knight(from),
                Role::Bishop => attacks::bishop(from, Bitboard::EMPTY),
                Role::Rook => attacks::rook(from, Bitboard::EMPTY),
                Role::Queen => attacks::queen(from, Bitboard::EMPTY),
                Role::King => attacks::king(from),
                Role::Pawn => Bitboard::EMPTY,
            };
            for to in reach.into_iter().filter(|&to| from < to) {
                table.insert(
                    keys::piece(piece, from) ^ keys::piece(piece, to) ^ keys::black_to_move(),
                    (from, to),
                );
            }
        }
    }
    table
});

impl Cuckoo {
    /// Puts an entry into one of its two slots; an entry that was there moves to its other one.
    fn insert(&mut self, mut key: u64, mut squares: (Square, Square)) {
        let mut slot = slots(key).0;
        loop {
            std::mem::swap(&mut self.keys[slot], &mut key);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if key == 0 {
                return;
            }
            let (first, second) = slots(key);
            slot = if slot == first { second } else { first };
        }
    }

    #[inline]
    fn find(&self, key: u64) -> Option<(Square, Square)> {
        let (first, second) = slots(key);
        if self.keys[first] == key {
            Some(self.squares[first])
        } else if self.keys[second] == key {
            Some(self.squares[second])
        } else {
            None
        }
    }
}

impl Game {
    /// Whether the side to move can bring back an earlier position, so that it has at least a
    /// draw: one within the tree of a search `ply` half-moves deep, or one that stood twice.
    #[inline]
    pub fn can_repeat(&self, ply: usize) -> bool {
        let past = self.past_keys();
        if past.len() < 3 {
            return false;
        }
        let key = self.position().key();
        let occupied = self.position().board().occupied();
        let cuckoo = &**CUCKOO;
        // `others` is zero while the opponent's pieces are back where they were.
        let newest = past.len() - 1;
        let mut others = key ^ past[newest] ^ keys::black_to_move();
        for distance in (3..=past.len()).step_by(2) {
            let index = past.len() - distance;
            others ^= past[index + 1] ^ past[index] ^ keys::black_to_move();
            if others != 0 {
                continue;
            }
            let Some((from, to)) = cuckoo.find(key ^ past[index]) else {
                continue;
            };
            if (attacks::between(from, to) & occupied).any() {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Before the root: the mover must be ours, and the position must have stood twice.
            let piece = self
                .position()
                .board()
                .piece_on(from)
                .or(self.position().board().piece_on(to));
            let ours = piece.is_some_and(|piece| piece.color() == self.position().side());
            if ours && past[..index].contains(&past[index]) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_reversible_move_once() {
        let entries = CUCKOO.keys.iter().filter(|&&key| key != 0).count();
        assert_eq!(
            entries, 3668,
            "both colours' moves of pieces on an empty board"
        );
        let rook = Piece::WhiteRook;
        let key =
            keys::piece(rook, Square::A1) ^ keys::piece(rook, Square::A8) ^ keys::black_to_move();
        assert_eq!(CUCKOO.find(key), Some((Square::A1, Square::A8)));
    }
}
