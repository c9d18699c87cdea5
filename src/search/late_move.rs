//! The search of one move: principal variation search, with late move reductions. Moves ordered late
//! are searched less deep and with a null window, until they surprise.

use super::Aborted;
use super::learning::{bonus, malus};
use super::node::{Kind, Node, NonPv, Pv};
use super::parameters as p;
use super::reduction::PLY;
use super::worker::Worker;
use crate::types::{Move, Score};

/// In a broad search, how many plies deeper than the best move the root's other moves are searched. Not
/// one of the parameters: they are tuned by games, where no search is broad.
const BROAD_ROOT: i32 = 3;
/// In a broad search, the last ply at which late moves are reduced by a ply less.
const BROAD_PLY: usize = 2;

impl Worker {
    /// Principal variation search of a move that has been made: the first move with the full window,
    /// the others with a null window and reduced depth, and again without either if they fail high.
    #[inline(always)]
    pub(super) fn search_move<K: Kind>(
        &mut self,
        node: &Node,
        mv: Move,
        number: usize,
        extension: i32,
        history: i32,
        best: Score,
    ) -> Result<Score, Aborted> {
        let (alpha, beta, next) = (node.alpha, node.beta, node.ply + 1);
        let mut depth = node.depth - 1 + extension;
        let mut score = alpha;
        let is_first = number == 1;
        // What a sacrifice is worth shows late, and until then it looks like any bad move.
        let broad = self.broad && K::ROOT && !is_first;
        if broad {
            depth += BROAD_ROOT;
        }

        if !broad && node.depth >= p::reduction_depth() && number > 1 + usize::from(K::ROOT) {
            let reduction = self.late_move_reduction(node, mv, number, history);
            let reduced = (depth - reduction).clamp(1, depth.max(1) + i32::from(K::PV));
            self.stack[node.ply].reduction = depth - reduced;
            let result = self.search::<NonPv>(-alpha - 1, -alpha, reduced, next, true);
            self.stack[node.ply].reduction = 0;
            score = -result?;
            if score > alpha && reduced < depth {
                // Well above the best score: a ply deeper. Hardly above it: a ply less.
                let much = p::deeper_margin() + p::deeper_per_ply() * depth / 16;
                depth += i32::from(score > best + much);
                depth -= i32::from(score < best + p::shallower_margin());
                if reduced < depth {
                    score =
                        -self.search::<NonPv>(-alpha - 1, -alpha, depth, next, !node.cut_node)?;
                }
                if mv.is_quiet() {
                    let bonus = if score > alpha {
                        bonus(depth)
                    } else {
                        -malus(depth)
                    };
                    let made = self.stack[node.ply].made;
                    let past = self.stack.past(node.ply);
                    self.history.update_reply(made, past, bonus);
                }
            }
        } else if !K::PV || !is_first {
            score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, next, !node.cut_node)?;
        }
        if K::PV && (is_first || score > alpha) {
            score = -self.search::<Pv>(-beta, -alpha, depth, next, false)?;
        }
        Ok(score)
    }

    /// Late move reduction: by how many plies to reduce a move that has just been made. Less than one
    /// is no reduction.
    #[inline(always)]
    fn late_move_reduction(&self, node: &Node, mv: Move, number: usize, history: i32) -> i32 {
        let quiet = mv.is_quiet();
        let mut reduction = self.reductions.base(node.depth, number, quiet);
        // In an expected cut node one of the first moves should already have failed high.
        if node.cut_node {
            reduction += p::reduction_cut_node();
        }
        // Nodes that are or were on a principal variation (ttPv) are worth more depth.
        if node.pv {
            reduction -= p::reduction_pv();
        }
        if node.table_pv {
            reduction -= p::reduction_table_pv();
        }
        // Where the evaluation is not improving, late moves hardly help.
        if !node.improving {
            reduction += p::reduction_improving();
        }
        // Checks are searched deeper.
        if self.position().in_check() {
            reduction -= p::reduction_check();
        }
        // The hash move is a capture: the other moves will hardly do better.
        if node.hash_move.is_some_and(|best| !best.is_quiet()) {
            reduction += p::reduction_noisy_table_move();
        }
        // Searched as deeply before without a cutoff: the node is difficult.
        if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
            reduction -= p::reduction_known();
        }
        // The replies refute one move after the other: this is most likely an all node.
        if self.stack[node.ply + 1].cutoffs > p::cutoffs_tolerated() as u32 {
            reduction += p::reduction_cutoffs();
        }
        // The answers to a sacrifice, and how it goes on.
        if self.broad && node.ply <= BROAD_PLY {
            reduction -= PLY;
        }
        let divisor = if quiet {
            p::reduction_history_divisor()
        } else {
            p::reduction_capture_history_divisor()
        };
        reduction -= history * PLY / divisor;
        reduction / PLY
    }
}
