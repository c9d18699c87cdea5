//! The line of play under search: the one door through which the search makes and takes back moves
//! and asks what a position is worth, so that the evaluation hears of every move.

use std::sync::Arc;

use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::position::{Game, Position};
use crate::types::{MAX_PLY, Move, Score};

/// Who hears of positions whose static evaluation the search asks for, and of the answer.
pub type EvaluationListener = Box<dyn FnMut(&Position, Score) + Send>;

/// The game with the moves that the search has tried, and the evaluator that follows them.
#[derive(Default)]
pub(super) struct Variation {
    game: Game,
    evaluator: Evaluator,
    listener: Option<EvaluationListener>,
}

impl Variation {
    /// Begins at the last position of a game, with room for the longest line of a search.
    pub(super) fn begin(&mut self, game: &Game) {
        self.game.clone_from(game);
        self.game.reserve(MAX_PLY + 8);
        self.evaluator.reset(self.game.position());
    }

    /// Evaluates by a network from the next search on, or without one by hand-made terms.
    pub(super) fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.evaluator.set_network(network);
    }

    /// Who hears of evaluations from now on.
    pub(super) fn set_listener(&mut self, listener: Option<EvaluationListener>) {
        self.listener = listener;
    }

    /// Forgets what the evaluator remembers of other positions.
    pub(super) fn forget(&mut self) {
        self.evaluator.clear();
    }

    /// The game up to the present position.
    #[inline]
    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    /// What the game would come to by a line of legal moves, for reports: it takes memory.
    pub(super) fn game_after(&self, line: &[Move]) -> Game {
        let mut game = self.game.clone();
        for &mv in line {
            game.make(mv);
        }
        game
    }

    /// The present position.
    #[inline]
    pub(super) const fn position(&self) -> &Position {
        self.game.position()
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        self.evaluator.push(self.game.make(mv));
    }

    /// Passes the move to the opponent. Not while in check.
    #[inline]
    pub(super) fn make_null(&mut self) {
        self.evaluator.push(self.game.make_null());
    }

    /// Takes back the last move, null or not.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.game.unmake();
        self.evaluator.pop();
    }

    /// The static evaluation of the present position, for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(self.game.position());
        if let Some(listener) = &mut self.listener {
            listener(self.game.position(), score);
        }
        score
    }
}
