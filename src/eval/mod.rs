//! Floor 4: what a position is worth, behind one face.

pub mod classical;
pub mod nnue;

use crate::position::Position;
use crate::types::Score;

/// An evaluator with the memory it needs from one position to the next; one for each thread.
#[derive(Default)]
pub struct Evaluator {
    pawns: classical::PawnCache,
}

impl Evaluator {
    /// The value of a position for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        classical::evaluate(position, &mut self.pawns)
    }

    /// Forgets everything, so that the next game does not depend on the last.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }
}
