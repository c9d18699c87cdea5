//! Endgame tables in the tree: results of nodes below the root.

use super::entry::Entry;
use super::limits::Probing;
use super::report::Bound;
use super::worker::Worker;
use crate::tablebase::Wdl;
use crate::types::{MAX_PLY, Score};

impl Probing {
    /// The score of a result `ply` plies from the root.
    pub(super) fn score(&self, wdl: Wdl, ply: usize) -> Score {
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
}
