//! Floor 4: what a position is worth, behind one face.

pub mod classical;
pub mod nnue;

use crate::position::{Position, Undo};
use crate::types::Score;

/// The value of any position for the side to move, computed from scratch.
pub fn evaluate(position: &Position) -> Score {
    let mut evaluator = Evaluator::default();
    evaluator.reset(position);
    evaluator.evaluate(position)
}

/// An evaluator with the memory it needs from one position to the next; one for each thread.
///
/// It follows a line of play: [`Evaluator::reset`] at its first position, [`Evaluator::push`]
/// after every move, null moves included, and [`Evaluator::pop`] for every move taken back. The
/// hand-made evaluation needs none of them.
#[derive(Default)]
pub struct Evaluator {
    pawns: classical::PawnCache,
}

impl Evaluator {
    /// Begins a new line of play at a position.
    #[inline]
    pub fn reset(&mut self, _root: &Position) {}

    /// Hears of a move that has just been made.
    #[inline]
    pub fn push(&mut self, _undo: &Undo) {}

    /// Hears that the last move is taken back.
    #[inline]
    pub fn pop(&mut self) {}

    /// The value for the side to move of the position that the line of play has come to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        classical::evaluate(position, &mut self.pawns)
    }

    /// Forgets everything, so that the next game does not depend on the last.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }
}
