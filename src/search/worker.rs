//! One thread's search: its board, its memory, and what it shares with the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Aborted;
use super::clock::Clock;
use super::correction::Correction;
use super::entry::Entry;
use super::history::{Continuation, History, Past, Squares, continuation};
use super::limits::{Limits, Probing};
use super::parameters as p;
use super::picker::{Candidate, Picker};
use super::reduction::Reductions;
use super::report::Report;
use super::root::RootMoves;
use super::stack::Stack;
use super::table::Table;
use super::variation::{EvaluationListener, Variation};
use crate::eval::nnue::Network;
use crate::memory::LargePages;
use crate::position::Position;
use crate::types::{Move, Score};

/// What all threads of a search share.
pub struct Shared {
    pub table: Table,
    /// Set to stop all threads.
    pub stop: AtomicBool,
    /// Nodes of all threads, as they last published them.
    nodes: AtomicU64,
    /// Endgame table hits of all threads, likewise.
    table_hits: AtomicU64,
}

impl Shared {
    /// A hash table of so many MiB and nothing to search yet.
    pub fn new(mebibytes: usize) -> Self {
        Self {
            table: Table::new(mebibytes),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
        }
    }

    /// Readies the shared state for a new search.
    pub fn begin(&self) {
        self.stop.store(false, Ordering::Relaxed);
        self.nodes.store(0, Ordering::Relaxed);
        self.table_hits.store(0, Ordering::Relaxed);
        self.table.new_search();
    }
}

/// Nodes between two checks of the clock and the stop flag: about a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// One thread's search.
pub struct Worker {
    pub(super) shared: Arc<Shared>,
    /// The main thread manages time and reports.
    pub(super) is_main: bool,
    pub(super) variation: Variation,
    pub(super) history: LargePages<History>,
    pub(super) correction: Correction,
    pub(super) stack: Stack,
    pub(super) root: RootMoves,
    pub(super) reductions: Reductions,
    pub(super) clock: Arc<Clock>,
    pub(super) limits: Limits,
    pub(super) report: Option<Box<dyn FnMut(Report) + Send>>,
    /// Nodes of this thread, and how many of them are in the shared count.
    pub(super) nodes: u64,
    published_nodes: u64,
    /// The node count at which to check the limits next.
    next_check: u64,
    /// The same for endgame table hits.
    pub(super) table_hits: u64,
    published_table_hits: u64,
    /// The deepest ply of this iteration.
    pub(super) seldepth: usize,
    /// The depth of this iteration in plies.
    pub(super) root_depth: i32,
    /// No null moves before this ply while one is being verified.
    pub(super) null_from_ply: usize,
    /// Whether no late moves are pruned.
    pub(super) thorough: bool,
    /// Whether the root's other moves are searched deeper than the best one, see [`Self::set_broad`].
    pub(super) broad: bool,
    pub(super) probing: Probing,
    /// The most pieces of a node that endgame tables are asked about; 0 if they are not asked.
    pub(super) probe_pieces: usize,
}

impl Worker {
    /// A worker with an empty memory.
    pub fn new(shared: Arc<Shared>, is_main: bool) -> Self {
        Self {
            shared,
            is_main,
            variation: Variation::default(),
            history: LargePages::zeroed(),
            correction: Correction::default(),
            stack: Stack::default(),
            root: RootMoves::default(),
            reductions: Reductions::new(),
            clock: Arc::new(Clock::new(Default::default(), false)),
            limits: Limits::default(),
            report: None,
            nodes: 0,
            published_nodes: 0,
            next_check: 0,
            table_hits: 0,
            published_table_hits: 0,
            seldepth: 0,
            root_depth: 0,
            null_from_ply: 0,
            thorough: false,
            broad: false,
            probing: Probing::default(),
            probe_pieces: 0,
        }
    }

    /// Forgets all that was learnt from earlier positions.
    pub fn forget(&mut self) {
        self.variation.forget();
        self.history.clear();
        self.correction.clear();
    }

    /// Evaluates by a network from the next search on, or without one by hand-made terms. What was
    /// learnt before does not fit it.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.variation.set_network(network);
    }

    /// Who hears of the search's progress.
    pub fn set_listener(&mut self, listener: Option<Box<dyn FnMut(Report) + Send>>) {
        self.report = listener;
    }

    /// Who hears of the positions that searches evaluate.
    pub fn set_evaluation_listener(&mut self, listener: Option<EvaluationListener>) {
        self.variation.set_listener(listener);
    }

    /// Whether the next searches leave out late move pruning. It pays where searches are deep; at
    /// depths of two to five plies scores are as near to those of deep searches without it, for the
    /// same nodes.
    pub fn set_thorough(&mut self, thorough: bool) {
        self.thorough = thorough;
    }

    /// Whether the next searches look for sacrifices and other moves that need many plies to show what
    /// they are worth. These are found with half the nodes, but the best line is searched less deep for
    /// it. For analysis; in games the depth is worth more.
    pub fn set_broad(&mut self, broad: bool) {
        self.broad = broad;
    }

    /// Which endgame tables the next searches may ask.
    pub fn set_probing(&mut self, probing: Probing) {
        self.probing = probing;
    }

    /// Tells the other threads that the search is over.
    pub(super) fn stop_others(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// The position at the present node.
    #[inline]
    pub(super) fn position(&self) -> &Position {
        self.variation.position()
    }

    /// Readies this worker for a new search.
    pub(super) fn begin(&mut self) {
        self.nodes = 0;
        self.published_nodes = 0;
        self.next_check = self.next_check_with(self.limits.nodes);
        self.table_hits = 0;
        self.published_table_hits = 0;
        self.probe_pieces = self.probing.pieces();
        self.null_from_ply = 0;
        self.reductions.refresh();
        self.history.fade();
        self.stack.clear();
    }

    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.published_nodes
    }

    /// Endgame table hits of all threads.
    pub(super) fn all_table_hits(&self) -> u64 {
        self.shared.table_hits.load(Ordering::Relaxed) + self.table_hits - self.published_table_hits
    }

    /// Adds this thread's new counts to the shared ones.
    pub(super) fn publish_counts(&mut self) {
        let news = self.nodes - self.published_nodes;
        self.published_nodes = self.nodes;
        self.shared.nodes.fetch_add(news, Ordering::Relaxed);
        let news = self.table_hits - self.published_table_hits;
        self.published_table_hits = self.table_hits;
        self.shared.table_hits.fetch_add(news, Ordering::Relaxed);
    }

    /// Counts a node, and now and then first checks whether the search is over.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize) -> Result<(), Aborted> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Checks the limits, and settles when to do so next: after a while, or when the limit of nodes
    /// is reached if that is sooner, so that it is kept to the node.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Aborted> {
        self.publish_counts();
        let left = self
            .limits
            .nodes
            .map(|limit| limit.saturating_sub(self.all_nodes()));
        // The first iteration is always allowed its nodes, so that there is a move with a score.
        let is_spent = left == Some(0) && self.root_depth > 1;
        // Every thread checks the clock: with more threads than cores the main thread may not be
        // running when time is up.
        if is_spent || self.clock.is_over() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Aborted);
        }
        self.next_check = self.next_check_with(left.filter(|&left| left > 0));
        Ok(())
    }

    /// The count of nodes at which to check the limits next, if so many nodes are left.
    fn next_check_with(&self, left: Option<u64>) -> u64 {
        self.nodes + left.unwrap_or(NODES_PER_CHECK).min(NODES_PER_CHECK)
    }

    /// The next move to try at the present node.
    #[inline(always)]
    pub(super) fn next_candidate(&self, picker: &mut Picker, past: Past) -> Option<Candidate> {
        picker.next(self.position(), &self.history, past, &self.shared.table)
    }

    /// Prefetches the bucket of the position after a null move.
    #[inline]
    pub(super) fn prefetch_null(&self) {
        self.shared.table.prefetch(self.position().key_after_null());
    }

    /// Makes a move and notes it on the stack.
    #[inline]
    pub(super) fn make(&mut self, ply: usize, mv: Move) {
        self.stack[ply].mv = Some(mv);
        self.stack[ply].made = continuation(self.position(), mv);
        self.stack[ply].squares = mv.is_quiet().then(|| Squares::new(self.position(), mv));
        self.variation.make(mv);
    }

    /// Makes a null move and notes it on the stack.
    #[inline]
    pub(super) fn make_null(&mut self, ply: usize) {
        self.stack[ply].mv = None;
        self.stack[ply].made = Continuation::NONE;
        self.stack[ply].squares = None;
        self.variation.make_null();
    }

    /// Takes back the last move.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.variation.unmake();
    }

    /// Whether the game is drawn here by repetition, fifty moves or dead material.
    #[inline]
    pub(super) fn is_draw(&self, ply: usize) -> bool {
        let position = self.position();
        position.board().is_dead()
            || self.variation.game().repeats(ply)
            || self.variation.game().fifty_moves_passed()
                && (!position.in_check() || crate::movegen::count(position) > 0)
    }

    /// The score of a node that is drawn, or where the side to move can repeat and a draw is at least
    /// beta. Where a repetition is possible otherwise, it raises `alpha`.
    #[inline]
    pub(super) fn draw_here(&self, alpha: &mut Score, beta: Score, ply: usize) -> Option<Score> {
        if self.is_draw(ply) {
            return Some(self.draw_score());
        }
        if *alpha < Score::DRAW && self.variation.game().can_repeat(ply) {
            *alpha = self.draw_score();
        }
        (*alpha >= beta).then_some(*alpha)
    }

    /// The score of a draw: one centipawn more or less by chance, so that the search does not settle
    /// for the first draw it meets.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        Score(1 - (self.nodes & 2) as i32)
    }

    /// The static evaluation before corrections.
    #[inline]
    pub(super) fn raw_eval(&mut self) -> Score {
        self.variation.evaluate()
    }

    /// The static evaluation, first as it comes from the evaluator or the entry of the hash table,
    /// then as the search uses it: corrected by the correction history, and fading as the fifty-move
    /// rule comes nearer.
    #[inline]
    pub(super) fn static_eval(&mut self, entry: Option<Entry>, ply: usize) -> (Score, Score) {
        let (last, before) = (
            self.stack.made_before(ply, 1),
            self.stack.made_before(ply, 2),
        );
        // Not needed before the evaluation is done.
        self.correction
            .prefetch(self.variation.position(), last, before);
        let raw = entry
            .and_then(|entry| entry.eval)
            .unwrap_or_else(|| self.raw_eval());
        let correction = self.correction.get(self.position(), last, before);
        let idle = i32::from(self.position().state().halfmoves.min(100));
        let corrected = super::correction::corrected(raw, correction);
        (raw, Score(corrected.0 * (p::fading() - idle) / p::fading()))
    }
}
