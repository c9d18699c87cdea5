//! Iterative deepening with aspiration windows and multi-PV, and the decision when to stop.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Aborted;
use super::clock::Clock;
use super::limits::Limits;
use super::node::Root;
use super::parameters as p;
use super::report::{Outcome, Report};
use super::root::{RootMove, RootMoves};
use super::worker::Worker;
use crate::movegen;
use crate::position::Game;
use crate::types::{MAX_PLY, Move, Score};

/// Depth in plies of a search for a mate that there is not: some move has to be the answer.
const WITHOUT_MATE: u32 = 8;

/// Depth in plies from which iterations have an aspiration window; before, scores jump.
const FIRST_ASPIRATION_DEPTH: i32 = 4;
/// The square of the last score, divided by this, widens the aspiration window: large scores vary
/// more.
const ASPIRATION_SCORE_DIVISOR: i32 = 30_000;
/// Half the width in centipawns from which an aspiration window is given up.
const WIDEST_ASPIRATION: i32 = 800;
/// How many plies shallower the search becomes at most while it fails high.
const MAX_FAIL_HIGH_REDUCTION: i32 = 3;

/// What is added to the soft limit for a best move that changed in this iteration, in the last one,
/// and so on, as parts of `time_stability`.
const STABILITY: [f64; 7] = [0.6, 0.25, 0.1, 0.0, -0.05, -0.1, -0.15];
/// By how many centipawns a score has to fall below its average to add all of `time_falling`.
const FALL: f64 = 60.0;
/// How much of `time_falling` counts: less for a score that rises, half for one that falls.
const FALLING: RangeInclusive<f64> = -0.2..=0.5;
/// The share of the nodes spent on the best move at which `time_nodes` changes nothing.
const USUAL_SHARE: f64 = 0.75;
/// The part of the soft limit for the only legal move: long enough for a score.
const FORCED: f64 = 0.1;

/// How stable the best move and its score were from iteration to iteration.
#[derive(Default)]
struct Stability {
    best: Option<Move>,
    /// How many iterations ago the best move changed.
    same: u32,
    /// The score of the last iteration, and a moving average in which it counts a quarter.
    last: Option<Score>,
    average: Option<f64>,
}

impl Stability {
    fn note(&mut self, best: &RootMove) {
        self.same = if self.best == Some(best.mv) {
            self.same + 1
        } else {
            0
        };
        self.best = Some(best.mv);
        self.last = Some(best.score());
        let score = f64::from(best.score().0);
        self.average = Some(
            self.average
                .map_or(score, |average| (3.0 * average + score) / 4.0),
        );
    }

    /// The factor for the soft limit, given the share of the nodes that was spent on the best
    /// move: small if the choice is clear, large if it is not.
    fn time_factor(&self, best_nodes: f64) -> f64 {
        let part = |percent: i32, factor: f64| 1.0 + f64::from(percent) / 100.0 * factor;
        let last = STABILITY.len() - 1;
        let stability = STABILITY[last.min(self.same as usize)];
        let falling = match (self.average, self.last) {
            (Some(average), Some(last)) => {
                ((average - f64::from(last.0)) / FALL).clamp(*FALLING.start(), *FALLING.end())
            }
            _ => 0.0,
        };
        part(p::time_nodes(), USUAL_SHARE - best_nodes)
            * part(p::time_stability(), stability)
            * part(p::time_falling(), falling)
    }
}

impl Worker {
    /// Searches a game's position until a limit is reached. Without a legal move there is
    /// nothing to search, and the outcome says so.
    pub fn run(
        &mut self,
        game: &Game,
        limits: &Limits,
        clock: Arc<Clock>,
        lines: usize,
    ) -> Outcome {
        self.variation.begin(game);
        self.limits = limits.clone();
        self.clock = clock;
        self.begin();
        let wanted = |mv: &Move| limits.moves.is_empty() || limits.moves.contains(mv);
        let moves = movegen::legal(self.position()).into_iter().filter(wanted);
        self.root = RootMoves::new(moves, lines);
        if limits.mate.is_none() {
            self.rank_root();
        }
        self.deepen();
        self.publish_counts();
        Outcome {
            line: self.line_info(0),
        }
    }

    /// Searches a game's position without a pool or a clock, for a single best line.
    pub fn run_alone(&mut self, game: &Game, limits: &Limits) -> Outcome {
        self.shared.begin();
        self.run(
            game,
            limits,
            Arc::new(Clock::new(Default::default(), false)),
            1,
        )
    }

    /// Deepens until a limit is reached, and reports the lines after each iteration and at the end.
    fn deepen(&mut self) {
        if self.root.all().is_empty() {
            return self.report_lines();
        }
        let mut deepest = self.limits.depth.unwrap_or(u32::MAX);
        if let Some(moves) = self.limits.mate.filter(|_| self.is_main) {
            match self.prove_mate(moves) {
                Ok(true) => {
                    self.root.lines = 1;
                    return self.report_lines();
                }
                Ok(false) => {
                    if let Some(report) = &mut self.report {
                        report(Report::Remark(format!("there is no mate in {moves}")));
                    }
                    deepest = deepest.min(WITHOUT_MATE);
                }
                // The first iteration gives an answer nevertheless.
                Err(Aborted) => {}
            }
        }
        let mut stability = Stability::default();
        for depth in 1..=deepest.clamp(1, MAX_PLY as u32 - 1) {
            self.root_depth = depth as i32;
            let result = self.iterate();
            self.report_lines();
            let Some(best) = self.root.best().filter(|_| result.is_ok()) else {
                return;
            };
            stability.note(best);
            if self.is_enough(&stability) {
                return;
            }
        }
    }

    /// One iteration: every line in turn.
    fn iterate(&mut self) -> Result<(), Aborted> {
        self.root.begin_iteration();
        for line in 0..self.root.lines {
            self.root.line = line;
            self.seldepth = 0;
            let result = self.aspire();
            self.root.sort_settled();
            result?;
        }
        Ok(())
    }

    /// Searches the root with an aspiration window: narrow around the last score, and widened on
    /// the side where the search fails.
    fn aspire(&mut self) -> Result<(), Aborted> {
        let previous = self
            .root
            .first_of_line()
            .map_or(Score::DRAW, |root| root.previous);
        let mut width = p::aspiration_window()
            + previous.0.saturating_mul(previous.0) / ASPIRATION_SCORE_DIVISOR;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if self.root_depth >= FIRST_ASPIRATION_DEPTH
            && !previous.is_decisive()
            && previous > -Score::INFINITE
        {
            alpha = (previous - width).max(-Score::INFINITE);
            beta = (previous + width).min(Score::INFINITE);
        }
        let mut depth = self.root_depth;
        loop {
            let result = self.search::<Root>(alpha, beta, depth, 0, false);
            self.root.sort_line();
            let score = result?;
            if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = (score - width).max(-Score::INFINITE);
                depth = self.root_depth;
            } else if score >= beta {
                beta = (score + width).min(Score::INFINITE);
                // The move is better than thought: a shallower search will do to tell how much.
                depth = (depth - 1)
                    .max(self.root_depth - MAX_FAIL_HIGH_REDUCTION)
                    .max(1);
            } else {
                return Ok(());
            }
            self.report_bound();
            width += (width * p::aspiration_growth() / 128).max(1);
            if width > WIDEST_ASPIRATION || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether to stop rather than begin another iteration.
    fn is_enough(&self, stability: &Stability) -> bool {
        let Some(best) = self.root.best() else {
            return true;
        };
        if self.shared.stop.load(Ordering::Relaxed) {
            return true;
        }
        let mate = self.limits.mate.zip(best.score().mate_in());
        if mate.is_some_and(|(wanted, found)| found > 0 && found as u32 <= wanted) {
            return true;
        }
        if self
            .limits
            .soft_nodes
            .is_some_and(|limit| self.all_nodes() >= limit)
            || self
                .limits
                .nodes
                .is_some_and(|limit| self.all_nodes() >= limit)
        {
            return true;
        }
        // Only the main thread manages time.
        if !self.is_main {
            return false;
        }
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let forced = if self.root.all().len() == 1 {
            FORCED
        } else {
            1.0
        };
        self.clock.is_enough(forced * stability.time_factor(share))
    }
}
