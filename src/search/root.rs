//! The moves of the root, which keep their lines from one iteration to the next.

use super::stack::Line;
use crate::types::{Move, Score};

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of this iteration; `-INFINITE` if the move did not become the best.
    pub(super) score: Score,
    /// The score of the last iteration.
    pub(super) previous: Score,
    /// The deepest ply of its line, counted from 1.
    pub(super) seldepth: usize,
    /// Nodes spent below it in this search.
    pub(super) nodes: u64,
    /// The line that begins with it.
    pub(super) pv: Line,
    /// How sure it keeps the best result, as endgame tables rank it; the same for all without.
    group: i32,
    /// The score by endgame tables, if they have one.
    known: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            seldepth: 0,
            nodes: 0,
            pv: Line::from_iter([mv]),
            group: 0,
            known: None,
        }
    }

    /// Whether a finished or unfinished iteration gave it a score.
    pub(super) fn has_score(&self) -> bool {
        self.score.max(self.previous) > -Score::INFINITE
    }

    /// What to tell of a score: what endgame tables know, unless it is a mate they agree with.
    pub(super) fn shown(&self, score: Score) -> Score {
        let agrees = |known: Score| {
            score.is_mate()
                && (score.is_win() && known.is_win() || score.is_loss() && known.is_loss())
        };
        self.known.filter(|&known| !agrees(known)).unwrap_or(score)
    }

    /// Whether endgame tables know how the game ends after this move.
    pub(super) const fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// The order of the moves, the best first.
    fn order(&self) -> std::cmp::Reverse<(i32, Score, Score)> {
        std::cmp::Reverse((self.group, self.score, self.previous))
    }
}

/// All moves of the root that may be played. The lines of a multi-line search come first, in
/// order; the line under search begins at `line`.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// How many lines are settled in this iteration.
    pub(super) line: usize,
}

impl RootMoves {
    /// The given moves, none of them searched yet.
    pub(super) fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self {
            moves: moves.into_iter().map(RootMove::new).collect(),
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

    /// The move that the present line tries first.
    pub(super) fn first_of_line(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// Whether the present line may use a move: one that no line before it has, and that keeps
    /// the best result there is.
    #[inline]
    pub(super) fn allows(&self, mv: Move) -> bool {
        let group = self.first_of_line().map(|first| first.group);
        self.moves[self.line..]
            .iter()
            .any(|root| root.mv == mv && Some(root.group) == group)
    }

    /// Notes what endgame tables say of a move.
    pub(super) fn rank(&mut self, mv: Move, group: i32, score: Score) {
        if let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) {
            root.group = group;
            root.known = Some(score);
            root.previous = score;
        }
    }

    /// The win that endgame tables know of behind a move.
    pub(super) fn promised_win(&self, mv: Move) -> Option<Score> {
        let root = self.moves.iter().find(|root| root.mv == mv)?;
        root.known.filter(|known| known.is_win())
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        self.line = 0;
        for root in &mut self.moves {
            root.previous = root.score;
        }
    }

    /// Notes nodes spent on a move, and its score and line if it has become the best.
    pub(super) fn record(&mut self, mv: Move, nodes: u64, best: Option<(Score, usize, &Line)>) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        match best {
            Some((score, seldepth, line)) => {
                root.score = score;
                root.seldepth = seldepth;
                root.pv.clear();
                root.pv.push(mv);
                let room = root.pv.remaining_capacity();
                root.pv.extend(line.iter().copied().take(room));
            }
            None => root.score = -Score::INFINITE,
        }
    }

    /// Sorts the moves of the present line and those after it; equals keep their order.
    pub(super) fn sort_line(&mut self) {
        self.moves[self.line..].sort_by_key(RootMove::order);
    }

    /// Sorts the settled lines, the present one included.
    pub(super) fn sort_settled(&mut self) {
        let end = (self.line + 1).min(self.moves.len());
        self.moves[..end].sort_by_key(RootMove::order);
    }
}
