//! Progress reports: the lines of the root as listeners get to know them.

use std::time::Duration;

use super::report::{Bound, Info, Report};
use super::root::{Finding, RootMove};
use super::stack::Line;
use super::worker::Worker;
use crate::types::{Move, Score};

/// How long nothing is reported from within an iteration: nobody could read it.
const QUIET: Duration = Duration::from_secs(3);
/// By how much the search blurs draws, see [`Worker::draw_score`].
const BLUR: i32 = 1;

impl RootMove {
    /// What is told of the move when no search of it is under way: its latest finding. Of a
    /// single line whose search was aborted outside the aspiration window, it is the exact
    /// finding before, if that is recent; in multi-PV the order of the lines would not fit.
    fn told(&self, single: bool) -> Option<&Finding> {
        match &self.latest {
            Some(latest) if latest.bound != Bound::Exact && single => {
                self.recent_exact(latest).or(Some(latest))
            }
            Some(latest) => Some(latest),
            None => self.exact.as_ref(),
        }
    }

    /// The last exact finding if it is not older than the iteration before `latest`.
    fn recent_exact(&self, latest: &Finding) -> Option<&Finding> {
        let exact = self.exact.as_ref();
        exact.filter(|exact| exact.depth + 1 >= latest.depth)
    }
}

impl Worker {
    /// Reports each line as its last search has left it, and what went wrong meanwhile.
    pub(super) fn report_lines(&mut self) {
        self.report_damage();
        // The games of a data generator are full of searches that nobody listens to.
        if self.report.is_none() {
            return;
        }
        for line in 0..self.root.lines {
            let info = self.line_info(line);
            self.tell(Report::Info(info));
        }
    }

    /// Reports that the search of the current line has failed high or low.
    pub(super) fn report_bound(&mut self) {
        if self.report.is_none() || self.clock.elapsed() < QUIET {
            return;
        }
        if let Some(root) = self.root.first_of_line()
            && let Some(latest) = &root.latest
        {
            let info = self.info(self.root.line, Some(root), latest);
            self.tell(Report::Info(info));
        }
    }

    /// Reports the root move whose search begins, with its number among all.
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.is_main && self.report.is_some() && self.clock.elapsed() >= QUIET {
            let (depth, number) = (self.root_depth as u32, number + self.root.line);
            self.tell(Report::Current { depth, mv, number });
        }
    }

    fn tell(&mut self, report: Report) {
        if let Some(listener) = &mut self.report {
            listener(report);
        }
    }

    /// A line, numbered from 0, as the last search of it has left it. Without a search that is
    /// what endgame tables or the bare evaluation say, without a legal move the end of the game.
    pub(super) fn line_info(&mut self, line: usize) -> Info {
        let bare = |score, depth, mv: Option<Move>| Finding {
            score,
            bound: Bound::Exact,
            depth,
            seldepth: depth as usize,
            pv: Line::from_iter(mv),
        };
        let Some(root) = self.root.all().get(line) else {
            let score = if self.position().in_check() {
                Score::mated(0)
            } else {
                Score::DRAW
            };
            return self.info(line, None, &bare(score, 0, None));
        };
        if let Some(found) = root.told(self.root.lines == 1) {
            return self.info(line, Some(root), found);
        }
        let score = if root.has_score() {
            root.previous
        } else {
            self.variation.evaluate()
        };
        self.info(line, Some(root), &bare(score, 1, Some(root.mv)))
    }

    /// Tells of a table that proved damaged.
    pub(super) fn report_damage(&mut self) {
        if self.is_main
            && let Some(tables) = &self.probing.tables
            && let Some(report) = &mut self.report
            && let Some(damage) = tables.take_damage()
        {
            report(Report::Remark(damage.to_owned()));
        }
    }

    /// A finding for a line, of the given root move if there is any, with the state of the search.
    fn info(&self, line: usize, root: Option<&RootMove>, found: &Finding) -> Info {
        let dead = self.position().board().is_dead();
        let known = root.and_then(|root| root.known_instead_of(found.score));
        let (score, bound) = match known {
            Some(known) => (known, Bound::Exact),
            None if dead || found.score.0.abs() <= BLUR => (Score::DRAW, found.bound),
            None => (found.score, found.bound),
        };
        Info {
            depth: found.depth,
            seldepth: found.seldepth,
            multi_pv: line + 1,
            score,
            bound,
            // Without a move the game is over.
            certain: dead || root.is_none_or(RootMove::is_known),
            nodes: self.all_nodes(),
            time: self.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.all_table_hits(),
            pv: self.full_line(root, found),
        }
    }

    /// The line of a finding. Behind a bound it is the line of the exact score before, or what
    /// the hash table knows; the table also has the answer to ponder on if the line lacks it.
    fn full_line(&self, root: Option<&RootMove>, found: &Finding) -> Vec<Move> {
        let (line, length) = match found.bound {
            Bound::Exact => (found, 2),
            _ => match root.and_then(|root| root.recent_exact(found)) {
                Some(exact) => (exact, 2),
                None => (found, found.depth as usize),
            },
        };
        let mut pv = line.pv.to_vec();
        self.lengthen(&mut pv, length);
        pv
    }

    /// Lengthens a line that is not empty by moves from the hash table, as long as those are
    /// known and the game is not drawn, to at most `length` moves.
    fn lengthen(&self, pv: &mut Vec<Move>, length: usize) {
        if pv.is_empty() || pv.len() >= length {
            return;
        }
        while pv.len() < length {
            let game = self.variation.game_after(pv);
            if game.is_drawn(pv.len()) {
                return;
            }
            let entry = self.shared.table.probe(game.position().key());
            // Two positions may share a key.
            let mv = entry.and_then(|entry| entry.mv);
            let Some(mv) = mv.filter(|&mv| game.position().is_legal(mv)) else {
                return;
            };
            pv.push(mv);
        }
    }
}
