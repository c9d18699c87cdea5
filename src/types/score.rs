//! The value of a position, with bands for mates and tablebase results.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 250;

/// The value of a position for one side, in centipawns.
///
/// From the middle outwards: evaluations, tablebase wins (`TABLE_WIN` less the plies to reach
/// the tables), mates (`MATE` less the plies to the mate), and `INFINITE`, which no position has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    pub const DRAW: Self = Self(0);
    /// Beyond every value a position can have.
    pub const INFINITE: Self = Self(32_001);
    /// Mate on the board; mate in `n` plies is worth `n` less.
    pub const MATE: Self = Self(32_000);
    /// A tablebase win found at the root; further down it is worth one less per ply.
    pub const TABLE_WIN: Self = Self(Self::MATE.0 - 2 * MAX_PLY as i32);
    /// The largest value an evaluation can return.
    pub const MAX_EVAL: Self = Self(Self::TABLE_WIN.0 - 2 * MAX_PLY as i32);

    /// Mating the opponent `ply` plies from the root.
    #[inline]
    pub const fn mating(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Being mated `ply` plies from the root.
    #[inline]
    pub const fn mated(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Whether the score promises a mate to either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE.0 - MAX_PLY as i32
    }

    /// Whether the score is a proven win, by mate or by tablebase.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_EVAL.0
    }

    /// Whether the score is a proven loss, by mate or by tablebase.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_EVAL.0
    }

    /// Whether the score is a proven win or loss rather than an estimate.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The full moves to the mate this score promises: positive if the side to move mates.
    pub const fn mate_in(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Self::MATE.0 + self.0) / 2)
        }
    }

    /// Limits the score to what an evaluation may return.
    #[inline]
    pub fn clamp_to_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// The score as the hash table keeps it: mates counted from this node, not from the root.
    #[inline]
    pub const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::to_table`], where `halfmoves` have been played since the last capture
    /// or pawn move. The table does not know of those: `None` for a mate or a tablebase win that may
    /// come too late for the fifty-move rule.
    #[inline]
    pub const fn from_table(self, ply: usize, halfmoves: u16) -> Option<Self> {
        if !self.is_decisive() {
            return Some(self);
        }
        let zero = if self.is_mate() {
            Self::MATE
        } else {
            Self::TABLE_WIN
        };
        let distance = zero.0 - self.0.abs();
        if distance + halfmoves as i32 > 100 {
            None
        } else if self.is_win() {
            Some(Self(self.0 - ply as i32))
        } else {
            Some(Self(self.0 + ply as i32))
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

macro_rules! score_arithmetic {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $operator:tt) => {
        impl $trait for Score {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
        impl $trait<i32> for Score {
            type Output = Self;
            #[inline]
            fn $method(self, centipawns: i32) -> Self {
                Self(self.0 $operator centipawns)
            }
        }
        impl $assign_trait<i32> for Score {
            #[inline]
            fn $assign(&mut self, centipawns: i32) {
                *self = *self $operator centipawns;
            }
        }
    };
}

score_arithmetic!(Add add AddAssign add_assign +);
score_arithmetic!(Sub sub SubAssign sub_assign -);

impl Mul<i32> for Score {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 13` or `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}
