//! Endgame tables in the search: results in the tree, and the ranking of the root's moves.

use super::entry::Entry;
use super::limits::Probing;
use super::report::{Bound, Report};
use super::worker::Worker;
use crate::tablebase::Wdl;
use crate::types::{MAX_PLY, Move, Score};

impl Probing {
    /// The score of a result `ply` plies from the root.
    fn score(&self, wdl: Wdl, ply: usize) -> Score {
        let win = Score::TABLE_WIN - ply as i32;
        match wdl {
            Wdl::Win => win,
            Wdl::Loss => -win,
            Wdl::Draw => Score::DRAW,
            Wdl::CursedWin if self.fifty_moves => CURSED_WIN,
            Wdl::BlessedLoss if self.fifty_moves => -CURSED_WIN,
            Wdl::CursedWin => win,
            Wdl::BlessedLoss => -win,
        }
    }
}

/// A win that the fifty-move rule makes a draw: better than a plain draw, as the opponent may err.
const CURSED_WIN: Score = Score(2);
/// How many plies deeper than its node a result of the tables is stored.
const EXTRA_DEPTH: i32 = 6;

impl Worker {
    /// The result of a node below the root, as an entry of the hash table. Only after a capture or
    /// pawn move: the tables know nothing of the half-moves played since.
    #[inline]
    pub(super) fn probe_tables(&mut self, depth: i32, ply: usize) -> Option<Entry> {
        let pieces = self.position().board().occupied().count();
        if pieces > self.probe_pieces
            || self.position().state().halfmoves != 0
            || pieces == self.probe_pieces && depth < self.probing.depth
        {
            return None;
        }
        self.ask_tables(depth, ply)
    }

    /// The probe itself, rare and therefore kept out of the code of every node.
    #[inline(never)]
    fn ask_tables(&mut self, depth: i32, ply: usize) -> Option<Entry> {
        let wdl = self
            .probing
            .tables
            .as_ref()?
            .wdl(self.variation.position())?;
        self.table_hits += 1;
        let score = self.probing.score(wdl, ply);
        // A win may be a mate, which scores more.
        let bound = if score.is_win() {
            Bound::Lower
        } else if score.is_loss() {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Some(Entry {
            mv: None,
            score: score.to_table(ply),
            eval: None,
            depth: (depth + EXTRA_DEPTH).min(MAX_PLY as i32 - 1),
            bound: Some(bound),
            pv: false,
        })
    }

    /// Ranks the moves of the root by the tables, if they have them all.
    ///
    /// The search then chooses within the best group, and without asking the tables any more, so
    /// that in a win it looks for a mate and in a draw for what is hardest to hold.
    pub(super) fn rank_root(&mut self) {
        let Some(tables) = self.probing.tables.as_ref() else {
            return;
        };
        if self.position().board().occupied().count() > self.probe_pieces {
            return;
        }
        let Some(ranked) = tables.root(self.variation.game(), self.probing.fifty_moves) else {
            return;
        };
        self.probe_pieces = 0;
        self.table_hits += ranked.len() as u64;
        for (place, ranked) in ranked.iter().enumerate() {
            // Every win has a score of its own, the sooner it makes progress the better.
            let ply = if ranked.wdl > Wdl::Draw { 1 + place } else { 1 };
            let score = self.probing.score(ranked.wdl, ply);
            self.root.rank(ranked.mv, ranked.group, score);
        }
        self.root.sort_line();
    }

    /// The score of a root move: where the tables promise a win it is worth at least that, however
    /// little the search has seen of it, so that without a mate in sight the move that makes
    /// progress is the best.
    pub(super) fn keep_promise(&mut self, mv: Move, score: Score, alpha: Score) -> Score {
        match self.root.promised_win(mv) {
            Some(win) if win > score => {
                if score <= alpha {
                    // Only the move is known, no line of play below it.
                    self.stack[1].pv.clear();
                }
                win
            }
            _ => score,
        }
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
}
