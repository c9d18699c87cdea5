//! What the steps of a node share: its window, its depth, and what is known before its moves are
//! searched.

use super::entry::Entry;
use crate::types::{Move, Score};

/// A node under search.
pub(super) struct Node {
    pub(super) ply: usize,
    /// Plies still to search; at least one.
    pub(super) depth: i32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Whether the window is open: the node may be part of the principal variation.
    pub(super) pv: bool,
    /// Whether a cut is expected here: some move should beat beta.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    /// The least and the most that the node can be worth, as endgame tables know.
    pub(super) floor: Score,
    pub(super) ceiling: Score,
    /// What the hash table knows, and its move if it is legal.
    pub(super) entry: Option<Entry>,
    pub(super) hash_move: Option<Move>,
    /// Whether this position was ever part of a principal variation.
    pub(super) table_pv: bool,
    /// The evaluation as it came from the evaluator; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The best estimate of the position's value before searching it.
    pub(super) eval: Score,
    /// Whether the side to move stands better than at its last move.
    pub(super) improving: bool,
    /// Whether it stands better than the opponent believed before the last move.
    pub(super) favoured: bool,
}
