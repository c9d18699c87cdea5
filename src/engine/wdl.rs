//! The chances behind a score: win, draw and loss in permille.

use crate::movegen::role_value;
use crate::position::Board;
use crate::search::Info;
use crate::types::{Role, Score};

/// Chances of the side to move in permille; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

// Both as `scripts/wdl.py` fitted them to the engine's own games: parabolas over the share of
// the material that is left, the highest power first.
/// The score at which half of the games are won, in centipawns.
const HALF_WON: [f64; 3] = [150.4, -305.7, 238.1];
/// How many centipawns turn even chances into e to one.
const SPREAD: [f64; 3] = [1.6, 40.8, 37.2];

impl Wdl {
    /// The chances of a line of play from `board`. A certain result leaves no chance to another.
    pub fn of(info: &Info, board: &Board) -> Self {
        if info.certain && !info.score.is_decisive() {
            Self {
                win: 0,
                draw: 1000,
                loss: 0,
            }
        } else {
            Self::new(info.score, board)
        }
    }

    /// The same, as the other side has them.
    pub const fn for_opponent(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    /// The chances of a score with the material of `board`: a logistic curve each for winning and
    /// losing.
    pub fn new(score: Score, board: &Board) -> Self {
        let share = material_share(board);
        let at =
            |[square, linear, constant]: [f64; 3]| (square * share + linear) * share + constant;
        let (half_won, spread) = (at(HALF_WON), at(SPREAD));
        let chance = |centipawns: i32| {
            let chance = 1.0 / (1.0 + ((half_won - f64::from(centipawns)) / spread).exp());
            (1000.0 * chance).round() as u32
        };
        let (win, loss) = if score.is_decisive() {
            (
                if score.is_win() { 1000 } else { 0 },
                if score.is_loss() { 1000 } else { 0 },
            )
        } else {
            (chance(score.0), chance(-score.0))
        };
        Self {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

/// The material of both sides, 1 at the start.
fn material_share(board: &Board) -> f64 {
    /// That of the start, in centipawns.
    const FULL: f64 = 7_800.0;
    let material = Role::ALL
        .into_iter()
        .map(|role| board.role(role).count() as i32 * role_value(role));
    (f64::from(material.sum::<i32>()) / FULL).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Position, STARTPOS};

    #[test]
    fn chances_add_up_and_mirror_and_rise() {
        for fen in [STARTPOS, "8/8/4k3/8/8/3PK3/8/8 w - - 0 1"] {
            let position: Position = fen.parse().unwrap();
            let chances = |score: i32| Wdl::new(Score(score), position.board());
            for centipawns in (-2000..=2000).step_by(7) {
                let (own, other) = (chances(centipawns), chances(-centipawns));
                assert_eq!(own.win + own.draw + own.loss, 1000);
                assert_eq!(
                    (own.win, own.draw, own.loss),
                    (other.loss, other.draw, other.win)
                );
                assert!(chances(centipawns + 7).win >= own.win);
            }
            let mate = Wdl::new(Score::mating(3), position.board());
            assert_eq!((mate.win, mate.draw, mate.loss), (1000, 0, 0));
        }
    }
}
