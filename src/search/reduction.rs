//! Late move reductions: moves ordered late are searched less deep, until they surprise.

use super::node::Node;
use super::parameters as p;
use super::worker::Worker;
use crate::types::Move;

/// The base reductions by depth and move number, in 1024ths of a ply.
pub(super) struct Reductions {
    /// Constant and logarithmic part of the quiet and of the noisy table.
    made_of: [[i32; 2]; 2],
    quiet: Box<[[i32; 64]; 64]>,
    noisy: Box<[[i32; 64]; 64]>,
}

impl Reductions {
    /// Logarithmic in depth and in move number (the shape goes back to Fruit and Stockfish).
    pub(super) fn new() -> Self {
        let table = |[base, log]: [i32; 2]| {
            let mut rows = Box::new([[0; 64]; 64]);
            for (depth, row) in rows.iter_mut().enumerate().skip(1) {
                for (number, entry) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    *entry = base + (f64::from(log) * product) as i32;
                }
            }
            rows
        };
        let made_of @ [quiet, noisy] = Self::parts();
        Self {
            made_of,
            quiet: table(quiet),
            noisy: table(noisy),
        }
    }

    /// What the tables are to be made of.
    #[inline(always)]
    fn parts() -> [[i32; 2]; 2] {
        [
            [p::reduction_quiet_base(), p::reduction_quiet_log()],
            [p::reduction_noisy_base(), p::reduction_noisy_log()],
        ]
    }

    /// Makes the tables anew if a tuner has changed what they are made of.
    #[inline(always)]
    pub(super) fn refresh(&mut self) {
        if self.made_of != Self::parts() {
            *self = Self::new();
        }
    }

    /// The base reduction of the `number`-th move of a node.
    #[inline(always)]
    pub(super) fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

impl Worker {
    /// By how many plies to reduce a move that has just been made; less than one is none.
    #[inline(always)]
    pub(super) fn late_move_reduction(
        &self,
        node: &Node,
        mv: Move,
        number: usize,
        history: i32,
    ) -> i32 {
        let quiet = mv.is_quiet();
        let mut reduction = self.reductions.base(node.depth, number, quiet);
        // Where a cut is expected, the first moves should give it.
        if node.cut_node {
            reduction += p::reduction_cut_node();
        }
        // The principal variation, past and present, deserves care.
        if node.pv {
            reduction -= p::reduction_pv();
        }
        if node.table_pv {
            reduction -= p::reduction_table_pv();
        }
        // Getting better: quiet moves have a chance. Getting worse: they have not.
        if !node.improving {
            reduction += p::reduction_improving();
        }
        // Forcing moves are searched deeper.
        if self.position().in_check() {
            reduction -= p::reduction_check();
        }
        // The best move of old takes something: the other moves will hardly do better.
        if node.hash_move.is_some_and(|best| !best.is_quiet()) {
            reduction += p::reduction_noisy_table_move();
        }
        // Searched as deeply before, and still not settled: look closer.
        if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
            reduction -= p::reduction_known();
        }
        // The replies refute one move after the other.
        if self.stack[node.ply + 1].cutoffs > 3 {
            reduction += p::reduction_cutoffs();
        }
        let scale = if quiet {
            p::reduction_history()
        } else {
            p::reduction_capture_history()
        };
        reduction -= history * 1024 / scale;
        reduction / 1024
    }
}
