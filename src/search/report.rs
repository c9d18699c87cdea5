//! What a search reports.

use std::time::Duration;

use crate::types::{Move, Score};

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score (fail low).
    Upper = 1,
    /// The value is at least the score (fail high).
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

impl Bound {
    /// How a score relates to the value after a search in the window from `alpha` to `beta`.
    pub fn of(score: Score, alpha: Score, beta: Score) -> Self {
        if score <= alpha {
            Self::Upper
        } else if score >= beta {
            Self::Lower
        } else {
            Self::Exact
        }
    }

    /// Whether a score with this bound proves that the truth is on this side of `beta` or `alpha`.
    #[inline]
    pub const fn includes(self, other: Self) -> bool {
        self as u8 & other as u8 != 0
    }
}

/// News from a search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line of play and its score.
    Info(Info),
    /// The move of the root that is being searched, and its number from 1.
    Current { depth: u32, mv: Move, number: usize },
    /// Something to know beside the lines of play, in words.
    Remark(String),
    /// The search has ended. Nothing follows.
    Done(Outcome),
}

/// One line of play, with the state of the search.
#[derive(Clone, Debug)]
pub struct Info {
    /// Depth of the iteration in plies, and of its deepest line.
    pub depth: u32,
    pub seldepth: usize,
    /// The rank of the line, from 1 for the best.
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    pub bound: Bound,
    /// Whether the result is certain, by endgame tables or by the rules: the score only grades it.
    pub certain: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    pub time: Duration,
    /// How full the hash table is, in permille.
    pub hashfull: usize,
    /// Probes of endgame tables that gave an answer.
    pub tbhits: u64,
    /// The best play, beginning with a move of the root.
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

impl Outcome {
    /// The move to play; none if there is no legal one.
    pub fn best(&self) -> Option<Move> {
        self.line.pv.first().copied()
    }

    /// The answer it expects.
    pub fn ponder(&self) -> Option<Move> {
        self.line.pv.get(1).copied()
    }

    /// The score of the best move for the side to move.
    pub const fn score(&self) -> Score {
        self.line.score
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The line of the best move, as it was last reported.
    pub line: Info,
}
