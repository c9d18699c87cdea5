//! An entry of the hash table: what is known about a position, and when that is enough.

use super::report::Bound;
use crate::types::{Move, Score};

/// What the hash table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found. Keys may collide: it need not be legal.
    pub mv: Option<Move>,
    /// Counted from the node, see [`Score::to_table`].
    pub score: Score,
    /// The static evaluation before corrections; none in check.
    pub eval: Option<Score>,
    /// Plies the score was searched to; 0 for quiescence.
    pub depth: i32,
    /// None if only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the position was ever part of a principal variation (`ttPv` in other engines).
    pub pv: bool,
}

const NO_EVAL: i16 = i16::MIN;
pub(super) const AGES: u8 = 32;

impl Entry {
    pub(super) fn pack(self, age: u8) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.0 as i16);
        let bound = self.bound.map_or(0, |bound| bound as u8);
        let flags = bound | u8::from(self.pv) << 2 | age << 3;
        u64::from(Move::to_bits(self.mv))
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(flags) << 56
    }

    pub(super) fn unpack(data: u64) -> Self {
        let eval = (data >> 32) as i16;
        Self {
            mv: Move::from_bits(data as u16),
            score: Score(i32::from((data >> 16) as i16)),
            eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
            depth: i32::from((data >> 48) as u8),
            bound: match data >> 56 & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            pv: data >> 58 & 1 != 0,
        }
    }

    /// The score of this entry if it settles a null-window search, `halfmoves` after the last capture
    /// or pawn move.
    #[inline]
    pub(super) fn cutoff(
        &self,
        alpha: Score,
        beta: Score,
        ply: usize,
        halfmoves: u16,
    ) -> Option<Score> {
        let score = self.score.from_table(ply, halfmoves)?;
        let settles = match self.bound? {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some(score)
    }

    /// The score of this entry where its bound shows `eval` to be too high or too low, else `eval`.
    #[inline]
    pub(super) fn improve(&self, eval: Score, ply: usize, halfmoves: u16) -> Score {
        let Some(score) = self.score.from_table(ply, halfmoves) else {
            return eval;
        };
        let better = match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => score > eval,
            Some(Bound::Upper) => score < eval,
            None => false,
        };
        if better && !score.is_decisive() {
            score
        } else {
            eval
        }
    }
}

pub(super) fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

pub(super) fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_that_comes_too_late_for_the_fifty_move_rule_settles_nothing() {
        for (mate, bound) in [
            (Score::mating(20), Bound::Lower),
            (Score::mated(20), Bound::Upper),
        ] {
            let entry = Entry {
                mv: None,
                score: mate.to_table(4),
                eval: None,
                depth: 30,
                bound: Some(bound),
                pv: false,
            };
            // The mate is 16 plies away.
            let settled = |halfmoves| entry.cutoff(Score(-1), Score(0), 4, halfmoves);
            assert_eq!(settled(0), Some(mate));
            assert_eq!(settled(84), Some(mate));
            assert_eq!(settled(85), None);
        }
    }
}
