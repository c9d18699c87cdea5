//! Endgame tables at the root: the ranking of its moves, and what it promises.

use super::worker::Worker;
use crate::tablebase::Wdl;
use crate::types::{Move, Score};

impl Worker {
    /// Ranks the moves of the root by the tables, if they have them all.
    ///
    /// The search then chooses within the best group, and without asking the tables any more, so
    /// that in a win it looks for a mate and in a draw for what is hardest to hold.
    pub(super) fn rank_root(&mut self) {
        let Some(tables) = self.probing.tables.as_ref() else {
            return;
        };
        if self.position().board().occupied().count() > self.probe_pieces {
            return;
        }
        let Some(ranked) = tables.root(self.variation.game(), self.probing.fifty_moves) else {
            return;
        };
        self.probe_pieces = 0;
        self.table_hits += ranked.len() as u64;
        for (place, ranked) in ranked.iter().enumerate() {
            // Every win has a score of its own, the sooner it makes progress the better.
            let ply = if ranked.wdl > Wdl::Draw { 1 + place } else { 1 };
            let score = self.probing.score(ranked.wdl, ply);
            self.root.rank(ranked.mv, ranked.group, score);
        }
        self.root.sort_line();
    }

    /// The score of a root move: where the tables promise a win it is worth at least that, however
    /// little the search has seen of it, so that without a mate in sight the move that makes
    /// progress is the best.
    pub(super) fn keep_promise(&mut self, mv: Move, score: Score, alpha: Score) -> Score {
        match self.root.promised_win(mv) {
            Some(win) if win > score => {
                if score <= alpha {
                    // Only the move is known, no line of play below it.
                    self.stack.clear_pv(1);
                }
                win
            }
            _ => score,
        }
    }
}
