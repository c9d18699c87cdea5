//! When games of the engine against itself end before the rules end them.

use crate::train::viriformat::Outcome;
use crate::types::{Color, Score};

/// For so many plies in a row a side has to be as far ahead as it takes to win.
const WON_PLIES: u32 = 4;
/// How far ahead a side must be at the last to have won a game that ends for want of pieces, in
/// centipawns.
const LAST_AHEAD: i32 = 200;

/// What decides games.
#[derive(Clone, Copy, Debug)]
pub struct Verdicts {
    /// A side that is so far ahead for [`WON_PLIES`] has won, in centipawns.
    won: i32,
    /// A game that stays so level for a while is drawn, in centipawns.
    level: i32,
    /// What a while is.
    drawn: &'static [Level],
    /// A game that comes down to so few pieces is over: the better side has won if it is far enough
    /// ahead ([`LAST_AHEAD`]).
    last: Option<usize>,
}

/// How long a game has to stay level to be drawn.
#[derive(Clone, Copy, Debug)]
struct Level {
    plies: u32,
    from_ply: usize,
    most_pieces: usize,
}

/// Games are played out.
pub const PATIENT: Verdicts = Verdicts {
    won: 1_500,
    level: 8,
    drawn: &[Level {
        plies: 12,
        from_ply: 80,
        most_pieces: 32,
    }],
    last: None,
};
/// Games end once they have little more to teach.
pub const BRIEF: Verdicts = Verdicts {
    won: 700,
    level: 20,
    drawn: &[
        Level {
            plies: 8,
            from_ply: 50,
            most_pieces: 32,
        },
        Level {
            plies: 4,
            from_ply: 0,
            most_pieces: 10,
        },
    ],
    last: Some(6),
};

/// Follows the scores of one game.
pub struct Adjudicator {
    verdicts: Verdicts,
    /// For how many plies a side has been far ahead, and for how many the game has been level.
    won: u32,
    level: u32,
}

impl Adjudicator {
    /// At the beginning of a game.
    pub const fn new(verdicts: Verdicts) -> Self {
        Self {
            verdicts,
            won: 0,
            level: 0,
        }
    }

    /// The outcome if there is one to tell, after a move that `side` gave this score: the game has
    /// had so many plies, and so many pieces are left.
    pub fn verdict(
        &mut self,
        score: Score,
        side: Color,
        plies: usize,
        pieces: usize,
    ) -> Option<Outcome> {
        let Verdicts { won, level, .. } = self.verdicts;
        let size = score.0.abs();
        let winner = || Outcome::win(if score.0 > 0 { side } else { !side });
        let longer = |streak: u32, goes_on| if goes_on { streak + 1 } else { 0 };
        self.won = longer(self.won, size >= won);
        self.level = longer(self.level, size <= level);
        if self.won >= WON_PLIES || score.is_decisive() {
            return Some(winner());
        }
        if self.verdicts.last.is_some_and(|fewest| pieces <= fewest) {
            let is_won = size >= LAST_AHEAD;
            return Some(if is_won { winner() } else { Outcome::Draw });
        }
        let is_drawn = |rule: &Level| {
            self.level >= rule.plies && plies >= rule.from_ply && pieces <= rule.most_pieces
        };
        let mut rules = self.verdicts.drawn.iter();
        rules.any(is_drawn).then_some(Outcome::Draw)
    }
}
