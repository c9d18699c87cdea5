//! Pruning: leaving out nodes and moves that will hardly change the result.
//!
//! Of whole nodes: razoring, reverse futility, null move and probcut, never in check nor in the
//! principal variation. Of single moves: late move pruning, futility, history and static exchange
//! evaluation, never while the best score is a proven loss.

use super::Aborted;
use super::entry::Entry;
use super::node::{Node, NonPv};
use super::parameters as p;
use super::picker::{Candidate, Picker, Wanted};
use super::reduction::PLY;
use super::report::Bound;
use super::worker::Worker;
use crate::movegen;
use crate::types::{Move, Role, Score};

impl Worker {
    /// Razoring: far below alpha near the leaves only captures can help. If quiescence search says
    /// that they do not, its score stands.
    #[inline(always)]
    pub(super) fn razor(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let margin = p::razoring_base() + p::razoring_square() * node.depth * node.depth;
        if node.depth > p::razoring_depth() || node.eval + margin > node.alpha {
            return Ok(None);
        }
        let score = self.quiesce::<NonPv>(node.alpha, node.alpha + 1, node.ply)?;
        Ok((score <= node.alpha && !score.is_decisive()).then_some(score))
    }

    /// Reverse futility pruning (static null move): so far above beta near the leaves that the
    /// opponent's next move will hardly change that.
    #[inline(always)]
    pub(super) fn reverse_futility(&self, node: &Node) -> Option<Score> {
        let improving = p::reverse_futility_improving() * i32::from(node.improving);
        let opponent_worsening =
            p::reverse_futility_worsening() * i32::from(node.opponent_worsening);
        let margin = p::reverse_futility_margin() * node.depth - improving - opponent_worsening;
        let prune = node.depth <= p::reverse_futility_depth()
            && node.eval - margin.max(p::reverse_futility_least()) >= node.beta
            && !node.beta.is_loss()
            && !node.eval.is_win()
            && !node.table_pv;
        prune.then_some(node.beta + (node.eval.0 - node.beta.0) * p::reverse_futility_trust() / 128)
    }

    /// Null move pruning: if even passing keeps the score above beta, a move will too (Chrilly
    /// Donninger). Only in expected cut nodes; not with pawns only, for fear of zugzwang; and verified
    /// at high depth, where errors are costly, by a search without null moves.
    #[inline(always)]
    pub(super) fn null_move(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let static_eval = self.stack[node.ply].eval.unwrap_or(node.eval);
        let passed_before =
            self.stack.made_before(node.ply, 1) == super::history::Continuation::NONE;
        let side = self.position().side();
        if !node.cut_node
            || node.depth < p::null_depth()
            || node.eval < node.beta
            || static_eval < node.beta + p::null_static_base() - p::null_static_depth() * node.depth
            || passed_before
            || node.ply < self.null_from_ply
            || self.position().board().non_pawns(side).is_empty()
            || node.beta.is_loss()
        {
            return Ok(None);
        }
        let margin = (node.eval.0 - node.beta.0) / p::null_margin_divisor();
        let reduction = p::null_base()
            + node.depth / p::null_depth_divisor()
            + margin.min(p::null_margin_limit());
        let depth = node.depth - reduction;

        self.make_null(node.ply);
        let (alpha, beta) = (-node.beta, -node.beta + 1);
        let score = self.search::<NonPv>(alpha, beta, depth, node.ply + 1, false);
        self.unmake();
        let score = -score?;
        if score < node.beta {
            return Ok(None);
        }
        // A mate after a null move is not proven.
        let score = if score.is_decisive() {
            node.beta
        } else {
            score
        };
        if node.depth < p::null_verified_depth() || self.null_from_ply > 0 {
            return Ok(Some(score));
        }
        // Not in the first three quarters of the verification, or it would verify nothing.
        self.null_from_ply = node.ply + 3 * depth.max(0) as usize / 4;
        let verified = self.search::<NonPv>(node.beta - 1, node.beta, depth, node.ply, false);
        self.null_from_ply = 0;
        Ok((verified? >= node.beta).then_some(score))
    }

    /// Probcut: a capture that beats beta by a margin in a shallow search will most likely beat beta
    /// in a deep one (Michael Buro).
    #[inline(always)]
    pub(super) fn probcut(&mut self, node: &Node) -> Result<Option<Score>, Aborted> {
        let beta =
            node.beta + p::probcut_margin() - p::probcut_improving() * i32::from(node.improving);
        let depth = node.depth - p::probcut_reduction();
        let unlikely = node.entry.is_some_and(|entry| {
            let halfmoves = self.position().state().halfmoves;
            let score = entry.score.from_table(node.ply, halfmoves);
            entry.depth > depth && score.is_some_and(|score| score < beta)
        });
        if node.depth < p::probcut_depth()
            || node.beta.is_decisive()
            || beta.is_decisive()
            || unlikely
        {
            return Ok(None);
        }
        let gain = beta.0 - self.stack[node.ply].eval.unwrap_or(node.eval).0;
        let hash_move = node
            .hash_move
            .filter(|&mv| !mv.is_quiet() && movegen::see_at_least(self.position(), mv, gain));
        let past = self.stack.past(node.ply);
        let mut picker = Picker::new(Wanted::Winning(gain), hash_move);
        while let Some(Candidate { mv, .. }) = self.next_candidate(&mut picker, past) {
            if Some(mv) == node.excluded {
                continue;
            }
            self.make(node.ply, mv);
            let mut score = self
                .quiesce::<NonPv>(-beta, -beta + 1, node.ply + 1)
                .map(|score| -score);
            if score.is_ok_and(|score| score >= beta) && depth > 0 {
                score = self
                    .search::<NonPv>(-beta, -beta + 1, depth, node.ply + 1, !node.cut_node)
                    .map(|score| -score);
            }
            self.unmake();
            let score = score?;
            if score >= beta {
                let entry = Entry {
                    mv: Some(mv),
                    score: score.to_table(node.ply),
                    eval: node.raw_eval,
                    depth: depth + 1,
                    bound: Some(Bound::Lower),
                    pv: node.table_pv,
                };
                self.shared.table.store(self.position().key(), entry);
                let score = if score.is_decisive() {
                    score
                } else {
                    score - (beta.0 - node.beta.0)
                };
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    /// Whether a move can be pruned before it is made. For quiet moves the depth that late move
    /// reductions would leave it decides; late move pruning and futility also end all quiet moves
    /// after it.
    #[inline(always)]
    pub(super) fn prune_move(
        &self,
        node: &Node,
        picker: &mut Picker,
        candidate: &Candidate,
        number: usize,
        best: Score,
    ) -> bool {
        let &Candidate {
            mv,
            history,
            quiet_check,
        } = candidate;
        // Captures and checks.
        if !mv.is_quiet() || quiet_check {
            let tolerated =
                p::see_capture() * node.depth + history * p::prune_noisy_history() / 1024;
            return self.is_futile_capture(node, mv, history)
                || self.loses_exchange(mv, -tolerated);
        }
        let reduction =
            self.reductions.base(node.depth, number, true) - history * p::prune_history() / PLY;
        let depth = (node.depth - reduction / PLY).max(0);
        if !self.thorough && self.is_late(node, number, best) || self.is_futile(node, depth) {
            picker.skip_quiets();
            return true;
        }
        let tolerated = p::see_quiet_base() + p::see_quiet() * depth * depth;
        self.has_bad_history(depth, history) || self.loses_exchange(mv, -tolerated)
    }

    /// Late move pruning (move count pruning): enough moves have been tried for this depth. Not while
    /// all of them are far worse than the evaluation: they do not answer some threat, and the move
    /// that does may be late in the order.
    #[inline(always)]
    fn is_late(&self, node: &Node, number: usize, best: Score) -> bool {
        if !node.in_check && best + p::late_moves_threat() < node.eval {
            return false;
        }
        let allowed = p::late_moves() + node.depth * node.depth;
        let declining = allowed * p::late_moves_declining() / 1024;
        number as i32 > if node.improving { allowed } else { declining }
    }

    /// Futility pruning: a quiet move hardly gains so much in so few plies.
    #[inline(always)]
    fn is_futile(&self, node: &Node, depth: i32) -> bool {
        !node.in_check
            && depth <= p::futility_depth()
            && node.eval + p::futility_base() + p::futility_margin() * depth <= node.alpha
            && !node.alpha.is_loss()
    }

    /// Futility pruning of captures: not even what it takes is enough. Not of checks or promotions.
    #[inline(always)]
    fn is_futile_capture(&self, node: &Node, mv: Move, history: i32) -> bool {
        if mv.is_quiet() || mv.is_promotion() || node.in_check {
            return false;
        }
        let position = self.position();
        let victim = position.board().role_on(mv.to()).unwrap_or(Role::Pawn);
        let gain = p::futility_capture_base()
            + p::futility_capture_margin() * node.depth
            + movegen::role_value(victim)
            + history / p::futility_capture_divisor();
        node.depth <= p::futility_capture_depth()
            && node.eval + gain <= node.alpha
            && !node.alpha.is_loss()
            && !position.gives_check(mv)
    }

    /// History pruning: the move has failed too often.
    #[inline(always)]
    fn has_bad_history(&self, depth: i32, history: i32) -> bool {
        depth <= p::history_depth() && history < -p::history_margin() * depth.max(1)
    }

    /// Pruning by static exchange evaluation (SEE): the move loses more material than the threshold.
    #[inline(always)]
    fn loses_exchange(&self, mv: Move, threshold: i32) -> bool {
        !movegen::see_at_least(self.position(), mv, threshold)
    }
}
