//! Singular extensions: a hash move that is much better than all others is searched deeper.

use super::Aborted;
use super::node::{Node, NonPv};
use super::parameters as p;
use super::report::Bound;
use super::worker::Worker;
use crate::types::{Move, Score};

/// Lines may grow by extensions to so many times the depth of the iteration, lest they never end.
const LONGEST_LINE: usize = 2;

/// What the search without the hash move says.
pub(super) enum Verdict {
    /// Search the hash move this many plies deeper; negative is less deep.
    Extend(i32),
    /// Multicut: several moves beat beta, so that the node most likely fails high with this score.
    Cut(Score),
}

impl Worker {
    /// Searches all moves but the hash move to half the depth, with a window below its score. If all
    /// fail low the hash move is singular, and extended by a ply, or by two or three if they fail
    /// low by far; if another beats beta as well, the node is cut (multicut); otherwise, where the
    /// hash move should fail high, it is searched less deep (negative extension).
    #[inline(always)]
    pub(super) fn singular_extension(&mut self, node: &Node, mv: Move) -> Result<Verdict, Aborted> {
        let Some(entry) = node.entry.filter(|entry| {
            node.ply > 0
                && Some(mv) == node.hash_move
                && node.excluded.is_none()
                && node.depth >= p::singular_depth()
                && entry.depth >= node.depth - p::singular_entry()
                && entry
                    .bound
                    .is_some_and(|bound| bound.includes(Bound::Lower))
                && !entry.score.is_decisive()
                && node.ply < LONGEST_LINE * self.root_depth as usize
        }) else {
            return Ok(Verdict::Extend(0));
        };

        // What was once on a principal variation has to stand out more.
        let scale = if node.table_pv && !node.pv { 2 } else { 1 };
        let beta = entry.score - node.depth * p::singular_margin() * scale / 16;
        self.stack[node.ply].excluded = Some(mv);
        let score = self.search::<NonPv>(
            beta - 1,
            beta,
            (node.depth - 1) / 2,
            node.ply,
            node.cut_node,
        );
        self.stack[node.ply].excluded = None;
        let score = score?;

        let so_far = self.stack[node.ply].double_extensions;
        Ok(if score < beta {
            let far = !node.pv && so_far < p::double_limit() as u32;
            let twice = far && score < beta - p::double_margin();
            let thrice = twice && mv.is_quiet() && score < beta - p::triple_margin();
            Verdict::Extend(1 + i32::from(twice) + i32::from(thrice))
        } else if score >= node.beta && !score.is_decisive() {
            Verdict::Cut(score)
        } else if entry.score >= node.beta {
            Verdict::Extend(-if node.pv {
                p::singular_less_pv()
            } else {
                p::singular_less_beta()
            })
        } else if node.cut_node {
            Verdict::Extend(-p::singular_less_cut())
        } else {
            Verdict::Extend(0)
        })
    }
}
