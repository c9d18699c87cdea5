//! What a search may use: time, nodes, depth and endgame tables.

use std::sync::Arc;
use std::time::Duration;

use crate::tablebase::Tablebase;
use crate::types::Move;

/// What a search may use. All limits hold together; with none it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together; a single thread never exceeds them.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// Ends when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// How time is given.
    pub time: Option<TimeLimit>,
    /// Only these moves of the root, if any are named.
    pub moves: Vec<Move>,
    /// Searching in the opponent's time: the clock starts with `ponderhit`.
    pub ponder: bool,
}

impl Limits {
    /// Whether only `stop` would end the search.
    pub const fn are_none(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.mate.is_none()
            && self.time.is_none()
    }
}

/// The two ways to be given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// This long for the move.
    Move(Duration),
    /// A game clock, to be divided between the moves still to come.
    Clock(ClockTime),
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTime {
    /// Time left.
    pub remaining: Duration,
    /// Time gained with each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// Which endgame tables a search may ask, and when.
#[derive(Clone, Debug)]
pub struct Probing {
    pub tables: Option<Arc<Tablebase>>,
    /// The least depth in plies for positions with as many pieces as the tables have at most.
    pub depth: i32,
    /// The most pieces of a position to ask about; none are asked about with 0.
    pub limit: usize,
    /// Whether a draw by the fifty-move rule is one.
    pub fifty_moves: bool,
}

impl Default for Probing {
    /// No tables.
    fn default() -> Self {
        Self {
            tables: None,
            depth: 1,
            limit: 0,
            fifty_moves: true,
        }
    }
}

impl Probing {
    /// The most pieces of a position that is asked about; 0 without tables.
    pub(super) fn pieces(&self) -> usize {
        self.tables
            .as_ref()
            .map_or(0, |tables| tables.max_pieces().min(self.limit))
    }
}
