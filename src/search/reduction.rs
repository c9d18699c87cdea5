//! The table of late move reductions: what depth and move number alone say.

use super::parameters as p;

/// A ply in the units of reductions.
pub(super) const PLY: i32 = 1024;

/// How many depths and move numbers are told apart; those beyond count as the last.
const SIZE: usize = 64;

/// The base reductions by depth and move number, in 1024ths of a ply.
pub(super) struct Reductions {
    /// Constant and logarithmic part, for quiet and for noisy moves, from which the tables were made.
    parameters: [[i32; 2]; 2],
    quiet: Box<[[i32; SIZE]; SIZE]>,
    noisy: Box<[[i32; SIZE]; SIZE]>,
}

impl Reductions {
    /// Logarithmic in depth and in move number (the shape goes back to Fruit and Stockfish).
    pub(super) fn new() -> Self {
        let table = |[base, log]: [i32; 2]| {
            let mut rows = Box::new([[0; SIZE]; SIZE]);
            for (depth, row) in rows.iter_mut().enumerate().skip(1) {
                for (number, entry) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    *entry = base + (f64::from(log) * product) as i32;
                }
            }
            rows
        };
        let parameters @ [quiet, noisy] = Self::parts();
        Self {
            parameters,
            quiet: table(quiet),
            noisy: table(noisy),
        }
    }

    /// The parameters that the tables are computed from.
    #[inline(always)]
    fn parts() -> [[i32; 2]; 2] {
        [
            [p::reduction_quiet_base(), p::reduction_quiet_log()],
            [p::reduction_noisy_base(), p::reduction_noisy_log()],
        ]
    }

    /// Recomputes the tables if a tuner has changed their parameters.
    #[inline(always)]
    pub(super) fn refresh(&mut self) {
        if self.parameters != Self::parts() {
            *self = Self::new();
        }
    }

    /// The base reduction of the `number`-th move of a node.
    #[inline(always)]
    pub(super) fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
    }
}
