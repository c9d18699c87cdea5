//! Iterative deepening with aspiration windows, and the decision when to stop.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Aborted;
use super::clock::Clock;
use super::limits::Limits;
use super::parameters as p;
use super::report::{Bound, Info, Outcome, Report};
use super::root::{RootMove, RootMoves};
use super::worker::Worker;
use crate::movegen;
use crate::position::Game;
use crate::types::{MAX_PLY, Move, Score};

/// What the iterations so far say about how settled the choice is.
#[derive(Default)]
struct Stability {
    best: Option<Move>,
    /// Iterations in which the best move stayed the same.
    same: u32,
    /// The score of the last iteration, and a slow average of all.
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
        self.last = Some(best.score);
        let score = f64::from(best.score.0);
        self.average = Some(
            self.average
                .map_or(score, |average| (3.0 * average + score) / 4.0),
        );
    }

    /// How much of the usual time this position deserves, given the part of the nodes that went
    /// into the best move: little where it is clear, much where it is not.
    fn time_factor(&self, best_nodes: f64) -> f64 {
        let part = |percent: i32, factor: f64| 1.0 + f64::from(percent) / 100.0 * factor;
        let stability = [0.6, 0.25, 0.1, 0.0, -0.05, -0.1, -0.15][self.same.min(6) as usize];
        let falling = match (self.average, self.last) {
            (Some(average), Some(last)) => ((average - f64::from(last.0)) / 60.0).clamp(-0.2, 0.5),
            _ => 0.0,
        };
        part(p::time_nodes(), 0.75 - best_nodes)
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
        self.root = RootMoves::new(movegen::legal(self.position()).into_iter().filter(wanted));
        if limits.mate.is_none() {
            self.rank_root();
        }
        let completed = self.deepen(lines.clamp(1, self.root.all().len().max(1)));
        self.tell_counts();
        Outcome {
            completed,
            line: self.exact_line(0),
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

    /// Deepens until a limit is reached; the depth of the last finished iteration.
    fn deepen(&mut self, lines: usize) -> u32 {
        let deepest = self
            .limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, MAX_PLY as u32 - 1);
        let mut stability = Stability::default();
        let mut completed = 0;
        if self.root.all().is_empty() {
            self.report_lines(lines);
            return completed;
        }
        if let Some(moves) = self.limits.mate.filter(|_| self.is_main)
            && self.prove_mate(moves) == Ok(true)
        {
            self.report_lines(1);
            return self.root_depth as u32;
        }
        for depth in 1..=deepest {
            self.root_depth = depth as i32;
            let result = self.iterate(lines);
            self.report_lines(lines);
            if result.is_err() {
                break;
            }
            completed = depth;
            let Some(best) = self.root.best() else { break };
            stability.note(best);
            if self.is_enough(&stability) {
                break;
            }
        }
        completed
    }

    /// One iteration: every line in turn.
    fn iterate(&mut self, lines: usize) -> Result<(), Aborted> {
        self.root.begin_iteration();
        for line in 0..lines {
            self.root.line = line;
            self.seldepth = 0;
            let result = self.aspire();
            self.root.sort_settled();
            result?;
        }
        Ok(())
    }

    /// Searches the root with a narrow window around the last score, widened as it fails.
    fn aspire(&mut self) -> Result<(), Aborted> {
        let previous = self
            .root
            .first_of_line()
            .map_or(Score::DRAW, |root| root.previous);
        let mut width = p::aspiration_window() + previous.0.saturating_mul(previous.0) / 30_000;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if self.root_depth >= 4 && !previous.is_decisive() && previous > -Score::INFINITE {
            alpha = (previous - width).max(-Score::INFINITE);
            beta = (previous + width).min(Score::INFINITE);
        }
        let mut depth = self.root_depth;
        loop {
            let result = self.search::<true>(alpha, beta, depth, 0, false);
            self.root.sort_line();
            let score = result?;
            if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = (score - width).max(-Score::INFINITE);
                depth = self.root_depth;
            } else if score >= beta {
                beta = (score + width).min(Score::INFINITE);
                // The move is better than thought; how much better, a shallower search tells.
                depth = (depth - 1).max(self.root_depth - 3).max(1);
            } else {
                return Ok(());
            }
            if !self.is_quick() {
                self.report_line(
                    self.root.line,
                    if score <= alpha {
                        Bound::Upper
                    } else {
                        Bound::Lower
                    },
                );
            }
            width += (width * p::aspiration_growth() / 128).max(1);
            if width > 800 || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether the search is too young for anybody to read its news.
    fn is_quick(&self) -> bool {
        self.clock.elapsed().as_secs() < 3
    }

    /// Whether the next iteration is not worth beginning.
    fn is_enough(&self, stability: &Stability) -> bool {
        let Some(best) = self.root.best() else {
            return true;
        };
        if self.shared.stop.load(Ordering::Relaxed) {
            return true;
        }
        let mate = self.limits.mate.zip(best.score.mate_in());
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
        // Helpers leave it to the first thread to say when time is well spent.
        if !self.is_main {
            return false;
        }
        let part = best.nodes as f64 / self.nodes.max(1) as f64;
        let forced = if self.root.all().len() == 1 { 0.1 } else { 1.0 };
        self.clock.is_enough(forced * stability.time_factor(part))
    }

    fn report_lines(&mut self, lines: usize) {
        self.report_damage();
        for line in 0..lines {
            self.report_line(line, Bound::Exact);
        }
    }

    fn report_line(&mut self, line: usize, bound: Bound) {
        let info = self.line_info(line, bound);
        if let Some(report) = &mut self.report {
            report(Report::Info(info));
        }
    }

    /// A line as the search has left it, numbered from 0.
    pub(super) fn exact_line(&mut self, line: usize) -> Info {
        self.line_info(line, Bound::Exact)
    }

    /// A line with the state of the search: of the last iteration if this one has not come to
    /// it, the bare evaluation if none has.
    fn line_info(&mut self, line: usize, bound: Bound) -> Info {
        let depth = self.root_depth as u32;
        let (score, depth, pv, seldepth) = match self.root.all().get(line) {
            Some(root) if root.score > -Score::INFINITE => (
                root.shown(root.score),
                depth,
                root.pv.to_vec(),
                root.seldepth,
            ),
            Some(root) if root.previous > -Score::INFINITE => (
                root.shown(root.previous),
                depth - 1,
                root.pv.to_vec(),
                root.seldepth,
            ),
            Some(root) => {
                let eval = self.variation.evaluate();
                (root.shown(eval), 1, root.pv.to_vec(), 1)
            }
            None if self.position().in_check() => (Score::mated(0), 0, Vec::new(), 0),
            None => (Score::DRAW, 0, Vec::new(), 0),
        };
        // Without a move the game is over.
        let certain = self.root.all().get(line).is_none_or(RootMove::is_known);
        Info {
            depth,
            seldepth,
            multi_pv: line + 1,
            score,
            bound,
            certain,
            nodes: self.all_nodes(),
            time: self.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.all_table_hits(),
            pv,
        }
    }
}
