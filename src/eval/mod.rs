//! Floor 4: what a position is worth, behind one face.

pub mod classical;
pub mod endgame;
pub mod nnue;

use std::sync::Arc;

use crate::position::{Position, Undo};
use crate::types::Score;
use nnue::features::Change;
use nnue::{Accumulators, Network};

/// The value of any position for the side to move, computed from scratch: by a network, or without
/// one by the hand-made evaluation.
pub fn evaluate(position: &Position, network: Option<Arc<Network>>) -> Score {
    let mut evaluator = Evaluator::default();
    evaluator.set_network(network);
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
    network: Option<Accumulators>,
}

impl Evaluator {
    /// Evaluates by a network from the next [`Evaluator::reset`] on, or without one by hand-made
    /// terms.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network.map(Accumulators::new);
    }

    /// Begins a new line of play at a position.
    pub fn reset(&mut self, root: &Position) {
        if let Some(network) = &mut self.network {
            network.reset(root.board());
        }
    }

    /// Hears of a move that has just been made.
    #[inline]
    pub fn push(&mut self, undo: &Undo) {
        if let Some(network) = &mut self.network {
            network.push(Change::of(undo));
        }
    }

    /// Hears that the last move is taken back.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(network) = &mut self.network {
            network.pop();
        }
    }

    /// The value for the side to move of the position that the line of play has come to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        match &mut self.network {
            Some(network) => nnue::evaluate(position, network),
            None => classical::evaluate(position, &mut self.pawns),
        }
    }

    /// Forgets everything, so that the next game does not depend on the last.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }
}
