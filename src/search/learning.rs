//! What a searched node teaches: bonuses and maluses for the histories of its moves, its entry in the
//! hash table, and the correction of its static evaluation.

use arrayvec::ArrayVec;

use super::entry::Entry;
use super::history::Past;
use super::node::Node;
use super::parameters as p;
use super::report::Bound;
use super::worker::Worker;
use crate::types::{Move, Score};

/// Moves tried at a node without success, for the histories. Few nodes have more; those are not
/// punished.
pub(super) type Tried = ArrayVec<Move, 32>;

impl Worker {
    /// After a cutoff by the hash table: a bonus for its move if that is quiet, and a malus for the
    /// quiet move that led here if it was among the first.
    pub(super) fn learn_from_table(
        &mut self,
        entry: Entry,
        score: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) {
        if score < beta {
            return;
        }
        if let Some(previous) = ply.checked_sub(1) {
            let before = &self.stack[previous];
            if before.number <= p::malus_refuted_number() as usize
                && before.mv.is_some_and(Move::is_quiet)
            {
                let (made, past) = (before.made, self.stack.past(previous));
                let malus = malus(depth) * p::malus_refuted() / 128;
                self.history.update_reply(made, past, -malus);
            }
        }
        if let Some(mv) = entry
            .mv
            .filter(|&mv| mv.is_quiet() && self.position().is_legal(mv))
        {
            let past = self.stack.past(ply);
            self.history
                .update_quiet(self.variation.position(), past, mv, bonus(depth));
        }
    }

    /// After a beta cutoff: a bonus for the move that caused it, a malus for those tried before.
    pub(super) fn learn_from_cutoff(
        &mut self,
        node: &Node,
        mv: Move,
        quiets: &Tried,
        captures: &Tried,
        past: Past,
    ) {
        let position = self.variation.position();
        // A cutoff that the evaluation did not foresee teaches more.
        let depth = node.depth + i32::from(node.eval <= node.alpha);
        let (bonus, malus) = (bonus(depth), malus(depth));
        if mv.is_quiet() {
            self.history.update_quiet(position, past, mv, bonus);
            for &other in quiets {
                self.history.update_quiet(position, past, other, -malus);
            }
        } else {
            self.history.update_capture(position, mv, bonus);
        }
        for &other in captures {
            self.history.update_capture(position, other, -malus);
        }
    }

    /// After a fail-low: a bonus for the quiet move that led here (as in Stockfish).
    #[inline(always)]
    pub(super) fn learn_from_fail_low(&mut self, node: &Node) {
        if node.excluded.is_none()
            && let Some(squares) = self.stack.squares_before(node.ply)
        {
            let bonus = bonus(node.depth) * p::fail_low_bonus() / 128;
            self.history.update_squares(squares, bonus);
        }
    }

    /// Before the node is searched: a bonus for the quiet move that led here if its side's evaluation came
    /// out better than after usual moves, else a malus (as in Stockfish). Moves usually cost some: the turn
    /// itself is worth something, and passes to the opponent.
    #[inline(always)]
    pub(super) fn learn_from_evaluation(&mut self, node: &Node) {
        let (eval, before) = (
            self.stack[node.ply].eval,
            self.stack.eval_before(node.ply, 1),
        );
        if node.excluded.is_none()
            && let (Some(eval), Some(before)) = (eval, before)
            && let Some(squares) = self.stack.squares_before(node.ply)
        {
            let limit = p::evaluation_limit();
            let gain = -(eval.0 + before.0) - p::evaluation_usual();
            let bonus = gain.clamp(-limit, limit) * p::evaluation_bonus();
            self.history.update_squares(squares, bonus);
        }
    }

    /// Stores the result of the node in the hash table, and in the correction history the difference
    /// to its static evaluation.
    pub(super) fn remember(
        &mut self,
        node: &Node,
        best: Score,
        best_move: Option<Move>,
        first_alpha: Score,
    ) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if node.pv && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let ply = node.ply;
        let others = ply == 0 && self.root.line > 0;
        if !others {
            let entry = Entry {
                mv: best_move,
                score: best.to_table(ply),
                eval: node.raw_eval,
                depth: node.depth,
                bound: Some(bound),
                pv: node.table_pv,
            };
            self.shared.table.store(self.position().key(), entry);
        }
        // Not where a capture was best, which the static evaluation cannot foresee, nor where the
        // score is only a bound that the evaluation satisfies.
        if let Some(eval) = self.stack[ply].eval
            && best_move.is_none_or(Move::is_quiet)
            && !best.is_decisive()
            && !(bound == Bound::Lower && best <= eval)
            && !(bound == Bound::Upper && best >= eval)
        {
            let (last, before) = (
                self.stack.made_before(ply, 1),
                self.stack.made_before(ply, 2),
            );
            self.correction.update(
                self.variation.position(),
                last,
                before,
                best.0 - eval.0,
                node.depth,
            );
        }
    }
}

/// The history bonus of a move for a cutoff at this depth.
#[inline]
pub(super) fn bonus(depth: i32) -> i32 {
    (p::bonus_scale() * depth - p::bonus_base()).clamp(0, p::bonus_limit())
}

/// The history malus of the moves tried before a cutoff at this depth.
#[inline]
pub(super) fn malus(depth: i32) -> i32 {
    (p::malus_scale() * depth - p::malus_base()).clamp(0, p::malus_limit())
}
