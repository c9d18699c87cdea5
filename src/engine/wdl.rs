//! The chances behind a score: win, draw and loss in permille.

use crate::types::Score;

/// Chances of the side to move in permille; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// The score at which half of the games are won, in centipawns.
const HALF_WON: f64 = 150.0;
/// How many centipawns turn even chances into e to one.
const SPREAD: f64 = 55.0;

impl Wdl {
    /// The chances of a score: a logistic curve each for winning and losing.
    pub fn new(score: Score) -> Self {
        let chance = |centipawns: i32| {
            let chance = 1.0 / (1.0 + ((HALF_WON - f64::from(centipawns)) / SPREAD).exp());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for centipawns in (-2000..=2000).step_by(7) {
            let (own, other) = (Wdl::new(Score(centipawns)), Wdl::new(Score(-centipawns)));
            assert_eq!(own.win + own.draw + own.loss, 1000);
            assert_eq!(
                (own.win, own.draw, own.loss),
                (other.loss, other.draw, other.win)
            );
        }
        assert_eq!(
            Wdl::new(Score::mating(3)),
            Wdl {
                win: 1000,
                draw: 0,
                loss: 0
            }
        );
    }
}
