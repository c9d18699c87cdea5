//! Correction history: by how much the static evaluation was wrong in similar positions, learnt from
//! the scores of their search.

use bytemuck::allocation::zeroed_box;

use super::history::Continuation;
use super::parameters as p;
use super::prefetch::prefetch;
use crate::position::Position;
use crate::types::{Color, Score};

const ENTRIES: usize = 1 << 14;
/// Units of an entry in a centipawn.
const GRAIN: i32 = 256;
/// The sum of the weights of the old average and the new error.
const WEIGHTS: i32 = 256;
/// The most that an entry corrects by, in centipawns.
const LIMIT: i32 = 64;
/// The most that an error counts for, in centipawns.
const ERROR_LIMIT: i32 = 4 * LIMIT;

/// Average errors of the static evaluation by some key and the side to move.
struct Errors(Box<[[i16; 2]; ENTRIES]>);

impl Default for Errors {
    fn default() -> Self {
        Self(zeroed_box())
    }
}

impl Errors {
    #[inline]
    fn get(&self, key: u64, side: Color) -> i32 {
        i32::from(self.0[key as usize % ENTRIES][side.index()])
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(&self.0[key as usize % ENTRIES]);
    }

    /// Moves the average towards `error` centipawns, the further the more `weight` (of 256).
    #[inline]
    fn update(&mut self, key: u64, side: Color, error: i32, weight: i32) {
        let entry = &mut self.0[key as usize % ENTRIES][side.index()];
        let target = error.clamp(-ERROR_LIMIT, ERROR_LIMIT) * GRAIN;
        let moved = (i32::from(*entry) * (WEIGHTS - weight) + target * weight) / WEIGHTS;
        *entry = moved.clamp(-LIMIT * GRAIN, LIMIT * GRAIN) as i16;
    }
}

/// The corrections of one thread.
#[derive(Default)]
pub(super) struct Correction {
    pawns: Errors,
    minors: Errors,
    non_pawns: [Errors; 2],
    /// By the last two moves (continuation correction history).
    moves: Errors,
}

/// The key of the last two moves: which pieces went where.
#[inline]
fn moves_key(last: Continuation, before: Continuation) -> u64 {
    (last.index() as u64).wrapping_mul(0x9E37_79B9)
        ^ (before.index() as u64).wrapping_mul(0x85EB_CA77)
}

impl Correction {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let Self {
            pawns,
            minors,
            non_pawns: [white, black],
            moves,
        } = self;
        for errors in [pawns, minors, white, black, moves] {
            errors.0.fill([0; 2]);
        }
    }

    /// Prefetches all that [`Correction::get`] will read.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, last: Continuation, before: Continuation) {
        let keys = &position.state().keys;
        self.pawns.prefetch(keys.pawns);
        self.minors.prefetch(keys.minors);
        self.non_pawns[0].prefetch(keys.non_pawns[0]);
        self.non_pawns[1].prefetch(keys.non_pawns[1]);
        self.moves.prefetch(moves_key(last, before));
    }

    /// What to add to the evaluation of a position, in centipawns.
    #[inline]
    pub(super) fn get(&self, position: &Position, last: Continuation, before: Continuation) -> i32 {
        let (keys, side) = (&position.state().keys, position.side());
        let sum = p::correct_pawns() * self.pawns.get(keys.pawns, side)
            + p::correct_minors() * self.minors.get(keys.minors, side)
            + p::correct_non_pawns()
                * (self.non_pawns[0].get(keys.non_pawns[0], side)
                    + self.non_pawns[1].get(keys.non_pawns[1], side))
            + p::correct_moves() * self.moves.get(moves_key(last, before), side);
        sum / (128 * GRAIN)
    }

    /// Learns that a search of `depth` plies found the evaluation `error` centipawns too low.
    #[inline]
    pub(super) fn update(
        &mut self,
        position: &Position,
        last: Continuation,
        before: Continuation,
        error: i32,
        depth: i32,
    ) {
        let (keys, side) = (position.state().keys, position.side());
        let weight = (depth + 1).min(p::correct_speed());
        self.pawns.update(keys.pawns, side, error, weight);
        self.minors.update(keys.minors, side, error, weight);
        self.non_pawns[0].update(keys.non_pawns[0], side, error, weight);
        self.non_pawns[1].update(keys.non_pawns[1], side, error, weight);
        self.moves
            .update(moves_key(last, before), side, error, weight);
    }
}

/// Adds a correction to a raw evaluation, without reaching the scores of proven results.
#[inline]
pub(super) fn corrected(raw: Score, correction: i32) -> Score {
    (raw + correction).clamp_to_eval()
}
