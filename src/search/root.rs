//! The moves of the root, which keep their scores and lines from one iteration to the next.

use super::report::Bound;
use super::stack::Line;
use crate::types::{Move, Role, Score};

/// What the search of a root move has come to.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) score: Score,
    /// Exact if the score lay within the aspiration window.
    pub(super) bound: Bound,
    /// The depth of its iteration in plies.
    pub(super) depth: u32,
    /// The deepest ply that was reached, counted from 1.
    pub(super) seldepth: usize,
    /// The line of play that begins with the move; hardly more than the move if the score is a
    /// bound.
    pub(super) pv: Line,
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// What it came to when it was last searched; `None` if it did not become the best.
    pub(super) latest: Option<Finding>,
    /// The last finding with an exact score.
    pub(super) exact: Option<Finding>,
    /// The score of the iteration before; `-INFINITE` if it did not become the best there.
    pub(super) previous: Score,
    /// Whether this iteration has searched it.
    is_fresh: bool,
    /// Nodes spent below it in this search.
    pub(super) nodes: u64,
    /// Its rank by endgame tables: the higher, the more surely it keeps the best result. Zero
    /// without tables.
    group: i32,
    /// The score by endgame tables, if they have one.
    known: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            latest: None,
            exact: None,
            previous: -Score::INFINITE,
            is_fresh: false,
            nodes: 0,
            group: 0,
            known: None,
        }
    }

    /// The latest score; `-INFINITE` if the move did not become the best.
    pub(super) fn score(&self) -> Score {
        self.latest
            .as_ref()
            .map_or(-Score::INFINITE, |found| found.score)
    }

    /// Whether this iteration or the last gave it a score.
    pub(super) fn has_score(&self) -> bool {
        self.score().max(self.previous) > -Score::INFINITE
    }

    /// The score by endgame tables, unless `score` is a mate that they agree with.
    pub(super) fn known_instead_of(&self, score: Score) -> Option<Score> {
        let agrees = |known: Score| {
            score.is_mate()
                && (score.is_win() && known.is_win() || score.is_loss() && known.is_loss())
        };
        self.known.filter(|&known| !agrees(known))
    }

    /// Whether endgame tables know how the game ends after this move.
    pub(super) const fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// The order of the moves, the best first. A bound that is left from the iteration before says
    /// nothing: where this one was aborted, the move would pass a better one that turned out worse
    /// than before.
    fn order(&self) -> std::cmp::Reverse<(i32, Score, Score)> {
        let counts = |found: &&Finding| self.is_fresh || found.bound == Bound::Exact;
        let latest = self.latest.as_ref().filter(counts);
        let score = latest.map_or(-Score::INFINITE, |found| found.score);
        std::cmp::Reverse((self.group, score, self.previous))
    }
}

/// All moves of the root that may be played. The lines of a multi-line search come first, in
/// order; the moves of the current line and of those to come begin at `line`.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// How many lines are wanted (multi-PV); at least one, and no more than there are moves.
    pub(super) lines: usize,
    /// How many lines this iteration has finished: the number of the current one.
    pub(super) line: usize,
}

/// How much better than a queen another piece has to be, in centipawns: a pawn, which is less than
/// any fork or stalemate and more than what makes one lost or drawn line look better than another.
pub(super) const UNDERPROMOTION: i32 = 100;

/// Whether `queen` and `other` promote on the same square, the first to a queen, the other not.
pub(super) fn is_better_promotion(queen: Move, other: Move) -> bool {
    let promotes_alike = queen.from() == other.from() && queen.to() == other.to();
    promotes_alike && queen.promotion() == Some(Role::Queen) && other != queen
}

impl RootMoves {
    /// The given moves, none of them searched yet, for so many lines.
    pub(super) fn new(moves: impl IntoIterator<Item = Move>, lines: usize) -> Self {
        let moves: Vec<_> = moves.into_iter().map(RootMove::new).collect();
        Self {
            lines: lines.clamp(1, moves.len().max(1)),
            moves,
            line: 0,
        }
    }

    /// All moves, the settled lines first.
    pub(super) fn all(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The move that the current line tries first.
    pub(super) fn first_of_line(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// Whether the current line may begin with a move: no line before it does, and the move keeps
    /// the best result there is.
    #[inline]
    pub(super) fn allows(&self, mv: Move) -> bool {
        let group = self.first_of_line().map(|first| first.group);
        self.moves[self.line..]
            .iter()
            .any(|root| root.mv == mv && Some(root.group) == group)
    }

    /// The promotion to a queen that may be played instead of this one to another piece.
    pub(super) fn queen_instead_of(&self, mv: Move) -> Option<Move> {
        let mut moves = self.moves[self.line..].iter().map(|root| root.mv);
        moves.find(|&other| is_better_promotion(other, mv) && self.allows(other))
    }

    /// Records what endgame tables say of a move.
    pub(super) fn rank(&mut self, mv: Move, group: i32, score: Score) {
        if let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) {
            root.group = group;
            root.known = Some(score);
            root.previous = score;
        }
    }

    /// The score of the win that endgame tables know after a move.
    pub(super) fn promised_win(&self, mv: Move) -> Option<Score> {
        let root = self.moves.iter().find(|root| root.mv == mv)?;
        root.known.filter(|known| known.is_win())
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        self.line = 0;
        for root in &mut self.moves {
            root.previous = root.score();
            root.is_fresh = false;
        }
    }

    /// Records the nodes spent on a move, and what it came to if it has become the best.
    pub(super) fn record(&mut self, mv: Move, nodes: u64, found: Option<Finding>) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        root.is_fresh = true;
        if let Some(found) = &found
            && found.bound == Bound::Exact
        {
            root.exact = Some(found.clone());
        }
        root.latest = found;
    }

    /// Sorts the moves of the current line and those after it; equals keep their order.
    pub(super) fn sort_line(&mut self) {
        self.moves[self.line..].sort_by_key(RootMove::order);
    }

    /// Sorts the finished lines and the current one.
    pub(super) fn sort_settled(&mut self) {
        let end = (self.line + 1).min(self.moves.len());
        self.moves[..end].sort_by_key(RootMove::order);
    }
}
