//! What the search does at the root alone: which moves count there, and what becomes of each.

use super::node::Node;
use super::report::Bound;
use super::root::{Finding, UNDERPROMOTION};
use super::stack::line_from;
use super::worker::Worker;
use crate::types::{Move, Score};

impl Worker {
    /// The move to try first: that of the hash table, if it is to be searched, or else the best of the
    /// last iteration; a promotion to a queen before one that is worth the same.
    pub(super) fn root_hash_move(&self, hash_move: Option<Move>) -> Option<Move> {
        let mv = hash_move
            .filter(|&mv| self.root.allows(mv))
            .or_else(|| self.root.first_of_line().map(|root| root.mv))?;
        Some(self.root.queen_instead_of(mv).unwrap_or(mv))
    }

    /// The score of a root move that has been searched, as it counts against the others. Notes what
    /// the move cost, and what it came to if it has become the best.
    pub(super) fn finish_root_move(
        &mut self,
        node: &Node,
        mv: Move,
        number: usize,
        nodes_before: u64,
        score: Score,
    ) -> Score {
        let mut score = self.keep_promise(mv, score, node.alpha);
        // Among moves that are worth about the same, people expect the queen.
        let little = !score.is_win() && score <= node.alpha + UNDERPROMOTION;
        if little && self.root.queen_instead_of(mv).is_some() {
            score = score.min(node.alpha);
        }
        let found = (number == 1 || score > node.alpha).then(|| Finding {
            score,
            bound: Bound::of(score, node.alpha, node.beta),
            depth: self.root_depth as u32,
            seldepth: self.seldepth,
            pv: line_from(mv, self.stack.pv(1)),
        });
        self.root.record(mv, self.nodes - nodes_before, found);
        score
    }
}
