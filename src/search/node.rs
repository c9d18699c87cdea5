//! What the steps of a node share: its window, its depth, and what is known before its moves are
//! searched.

use super::entry::Entry;
use crate::types::{Move, Score};

/// What is known of a node when the program is built: each kind has a search of its own, without what
/// only the others need.
pub(super) trait Kind {
    /// Whether the window is open: the node may be part of the principal variation.
    const PV: bool;
    /// Whether the search begins here.
    const ROOT: bool;
}

/// The root: its window is open, too.
pub(super) struct Root;

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

/// A node that may be part of the principal variation.
pub(super) struct Pv;

impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

/// A node with a null window: is its score at least beta, or not?
pub(super) struct NonPv;

impl Kind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// A node under search.
pub(super) struct Node {
    pub(super) ply: usize,
    /// Plies still to search; at least one.
    pub(super) depth: i32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Whether the window is open: the node may be part of the principal variation.
    pub(super) pv: bool,
    /// Whether this is an expected cut node: some move should score at least beta.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move left out by the search of a singular extension.
    pub(super) excluded: Option<Move>,
    /// Bounds on the score by endgame tables.
    pub(super) min_score: Score,
    pub(super) max_score: Score,
    /// The entry of the hash table, and its move if that is legal.
    pub(super) entry: Option<Entry>,
    pub(super) hash_move: Option<Move>,
    /// Whether this position is or was part of a principal variation (`ttPv` in other engines).
    pub(super) table_pv: bool,
    /// The static evaluation as it came from the evaluator; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The best estimate before the search: the static evaluation with its corrections, or the score
    /// of the entry where that is better.
    pub(super) eval: Score,
    /// Whether the static evaluation of the side to move is better than at its last move.
    pub(super) improving: bool,
    /// Whether the static evaluation became worse for the opponent by the opponent's last move.
    pub(super) opponent_worsening: bool,
}
