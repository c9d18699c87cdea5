//! Which moves of the root keep the result, and in which order they make progress.

use std::cmp::Reverse;

use shakmaty_syzygy::{Dtz, Wdl};

use super::Tablebase;
use crate::movegen::legal;
use crate::position::{Game, Position};
use crate::types::Move;

/// A move of the root with what the tables say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    pub mv: Move,
    /// The result for the side that moves, the half-moves played since the last capture or pawn
    /// move taken into account.
    pub wdl: Wdl,
    /// Moves of one group are equally sure of the result, and a search may choose among them.
    /// Those of a higher group are to be preferred.
    pub group: i32,
}

/// The group of moves that win for sure; those that lose for sure have its negative.
const SURE: i32 = 100_000;
/// The fifty-move rule in half-moves.
const FIFTY_MOVES: i32 = 100;

/// A move while it is being ranked.
struct Candidate {
    ranked: Ranked,
    /// Half-moves to the next capture, pawn move or mate, this move included: on the way to the
    /// win the fewest possible, on that to the loss the most. More than a hundred if the rule
    /// spoils the result even then.
    plies: i32,
    /// The same after this move, which tells apart moves that are captures or pawn moves.
    next: i32,
}

impl Tablebase {
    /// The legal moves of a game's position, best first. A win comes nearer by the first of
    /// them; whoever plays another of its group wins as well, but cannot do so for ever: as soon
    /// as a position is repeated, or the fifty-move rule comes near, each winning move is a group
    /// of its own.
    ///
    /// `None` if the tables do not have all of it. Without the fifty-move rule cursed wins are
    /// wins, and blessed losses are losses.
    pub fn root(&self, game: &Game, fifty_moves: bool) -> Option<Vec<Ranked>> {
        let position = game.position();
        let mut candidates = legal(position)
            .into_iter()
            .map(|mv| self.candidate(position, mv, fifty_moves))
            .collect::<Option<Vec<_>>>()?;
        candidates.sort_by_key(|candidate| {
            let Ranked { wdl, group, .. } = candidate.ranked;
            let (plies, next) = (candidate.plies, candidate.next);
            let nearest = if wdl > Wdl::Draw {
                (plies, next)
            } else {
                (-plies, -next)
            };
            (Reverse(group), nearest)
        });
        if game.has_repeated() {
            for (below, candidate) in (0..).zip(&mut candidates) {
                if candidate.ranked.group == SURE {
                    candidate.ranked.group -= below;
                }
            }
        }
        let moves = candidates.iter().map(|candidate| candidate.ranked);
        Some(moves.collect())
    }

    fn candidate(&self, position: &Position, mv: Move, fifty_moves: bool) -> Option<Candidate> {
        let after = position.after(mv);
        let chess = self.convert(&after)?;
        let Dtz(next) = -self
            .answer(self.tables.probe_dtz(&chess))?
            .ignore_rounding();
        let sign = next.signum();
        let mates = after.in_check() && legal(&after).is_empty();
        // A capture or pawn move is the next such move itself.
        let plies = if mates {
            1
        } else if after.state().halfmoves == 0 {
            Dtz::before_zeroing(Wdl::from_dtz(Dtz(next))).0.abs()
        } else {
            next.abs() + 1
        };
        let played = i32::from(position.state().halfmoves);
        let (wdl, group) = judge(sign, plies, fifty_moves.then_some(played));
        Some(Candidate {
            ranked: Ranked { mv, wdl, group },
            plies,
            next: if mates { 0 } else { next.abs() },
        })
    }
}

/// The result and the group of a move by which the side of this `sign` gets to the next capture,
/// pawn move or mate in so many plies. `played` are the half-moves that already count for the
/// fifty-move rule, if it holds.
///
/// Tables may keep distances a ply too short, so that nothing is sure in the last ply.
fn judge(sign: i32, plies: i32, played: Option<i32>) -> (Wdl, i32) {
    let total = played.map(|played| played + plies);
    let within = |limit| total.is_none_or(|total| total <= limit);
    let group = if within(FIFTY_MOVES - 1) {
        SURE
    } else {
        SURE - total.unwrap_or_default()
    };
    let wdl = match (sign, within(FIFTY_MOVES)) {
        (0, _) => Wdl::Draw,
        (1.., true) => Wdl::Win,
        (1.., false) => Wdl::CursedWin,
        (_, true) => Wdl::Loss,
        (_, false) => Wdl::BlessedLoss,
    };
    (wdl, sign * group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_move_rule_spoils_what_takes_too_long() {
        assert_eq!(judge(1, 60, Some(39)), (Wdl::Win, SURE));
        assert_eq!(judge(1, 60, Some(40)), (Wdl::Win, SURE - 100));
        assert_eq!(judge(1, 60, Some(41)), (Wdl::CursedWin, SURE - 101));
        assert_eq!(judge(1, 140, None), (Wdl::Win, SURE));
        assert_eq!(judge(0, 0, Some(99)), (Wdl::Draw, 0));
        assert_eq!(judge(-1, 60, Some(39)), (Wdl::Loss, -SURE));
        assert_eq!(judge(-1, 60, Some(41)), (Wdl::BlessedLoss, 101 - SURE));
        assert_eq!(judge(-1, 140, None), (Wdl::Loss, -SURE));
    }
}
