//! Thread voting: whose outcome is played when several threads have searched.

use super::report::{Bound, Outcome};

impl Outcome {
    /// Whether this helper's outcome is better than that of the main thread: a higher exact score
    /// from a deeper iteration, or from any if it is a proven win. Against a proven loss the same
    /// depth is enough, where the helper may have found a longer defence; a shallower search has
    /// only not seen the loss.
    pub(super) fn is_better_than(&self, main: &Self) -> bool {
        let (own, main) = (&self.line, &main.line);
        let deep_enough = own.depth > main.depth
            || own.score.is_win()
            || main.score.is_loss() && own.depth == main.depth;
        self.best().is_some() && own.bound == Bound::Exact && own.score > main.score && deep_enough
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Info;
    use super::*;
    use crate::types::{Move, MoveKind, Score, Square};

    /// An outcome with a move.
    fn outcome(depth: u32, score: Score, bound: Bound) -> Outcome {
        Outcome {
            line: Info {
                depth,
                seldepth: depth as usize,
                multi_pv: 1,
                score,
                bound,
                certain: false,
                nodes: 0,
                time: std::time::Duration::ZERO,
                hashfull: 0,
                tbhits: 0,
                pv: vec![Move::new(Square::E2, Square::E4, MoveKind::DoublePush)],
            },
        }
    }

    fn wins(helper: (u32, Score), main: (u32, Score)) -> bool {
        let [helper, main] =
            [helper, main].map(|(depth, score)| outcome(depth, score, Bound::Exact));
        helper.is_better_than(&main)
    }

    #[test]
    fn deeper_and_higher_wins() {
        assert!(wins((12, Score(30)), (11, Score(20))));
        assert!(!wins((12, Score(10)), (11, Score(20))));
        assert!(!wins((11, Score(30)), (11, Score(20))));
        assert!(!wins((10, Score(30)), (11, Score(20))));
    }

    #[test]
    fn a_proven_win_wins_at_any_depth_and_the_shorter_one_first() {
        assert!(wins((5, Score::mating(7)), (20, Score(900))));
        assert!(wins((5, Score::mating(7)), (20, Score::mating(9))));
        assert!(!wins((20, Score::mating(9)), (5, Score::mating(7))));
    }

    #[test]
    fn a_proven_loss_stands_against_those_who_have_not_looked_as_deep() {
        let loss = (20, Score::mated(18));
        assert!(!wins((5, Score(40)), loss));
        assert!(!wins((19, Score::mated(30)), loss));
        assert!(wins((20, Score::mated(22)), loss));
        assert!(wins((21, Score(-300)), loss));
    }

    #[test]
    fn a_bound_is_not_believed_like_a_score() {
        let main = outcome(11, Score(20), Bound::Exact);
        for bound in [Bound::Lower, Bound::Upper] {
            assert!(!outcome(12, Score(80), bound).is_better_than(&main));
            assert!(!outcome(12, Score::mating(7), bound).is_better_than(&main));
        }
    }

    #[test]
    fn without_a_move_nothing_wins() {
        let mut helper = outcome(12, Score(30), Bound::Exact);
        helper.line.pv.clear();
        assert!(!helper.is_better_than(&outcome(11, Score(20), Bound::Exact)));
    }
}
