//! Draws by rule: dead positions, fifty moves, repetition.

use std::fmt;

use super::{Board, Game};
use crate::types::Role;

/// The rule by which a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    DeadPosition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// The position stood on the board twice before.
    Repetition,
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::FiftyMoves => "fifty-move rule",
            Self::Repetition => "threefold repetition",
        })
    }
}

impl Board {
    /// Whether no sequence of legal moves can mate anybody: bare kings, one knight, or bishops
    /// that all stand on one square colour, whoever owns them and however many they are. So a
    /// king with five same-coloured bishops cannot win against a bare king.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        let kings = self.role(Role::King);
        if (self.occupied() & !(knights | bishops | kings)).any() {
            return false;
        }
        if bishops.is_empty() {
            !knights.several()
        } else {
            knights.is_empty() && self.bishops_share_a_color()
        }
    }
}

impl Game {
    /// Whether fifty moves have passed without progress. Mate on the hundredth half-move
    /// still wins, which is for the caller to ask.
    #[inline]
    pub fn fifty_moves_passed(&self) -> bool {
        self.position().state().halfmoves >= 100
    }

    /// Whether the position has stood on the board before: twice, or once since the root of a
    /// search that is `ply` half-moves behind. One return within the tree is enough, since what
    /// was possible once is possible again.
    #[inline]
    pub fn repeats(&self, ply: usize) -> bool {
        let key = self.position().key();
        let mut earlier = 0;
        for (index, past) in self.past_keys().iter().rev().enumerate().skip(3).step_by(2) {
            if *past == key {
                earlier += 1;
                if earlier == 2 || index + 1 < ply {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the game is drawn by dead material, fifty moves or repetition, the latter as
    /// [`Game::repeats`] counts; stalemate and mate are for the caller to ask.
    pub fn is_drawn(&self, ply: usize) -> bool {
        self.position().board().is_dead() || self.fifty_moves_passed() || self.repeats(ply)
    }

    /// Whether any position since the last irreversible move stood on the board twice.
    pub fn has_repeated(&self) -> bool {
        let (past, present) = (self.past_keys(), self.position().key());
        (0..past.len()).any(|i| past[i] == present || past[i + 1..].contains(&past[i]))
    }
}
