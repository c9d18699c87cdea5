//! Castling rights as one byte of flags.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::{Color, File, Rank, Square};

/// The side of the board a king castles to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file: the king ends on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first as FEN writes them.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The index of this wing in an array of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where `color`'s king stands after castling to this wing.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where `color`'s rook stands after castling to this wing.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// Which castlings are still allowed: one bit for each of White king's wing, White queen's wing,
/// Black king's wing, Black queen's wing, from the lowest bit on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No castling is allowed.
    pub const NONE: Self = Self(0);
    /// All four castlings are allowed.
    pub const ALL: Self = Self(15);

    /// The right of one side to castle to one wing.
    #[inline]
    pub const fn one(color: Color, wing: Wing) -> Self {
        Self(1 << (color.index() * 2 + wing.index()))
    }

    /// Whether `color` may still castle to `wing`.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Self::one(color, wing).0 != 0
    }

    /// Whether no castling is allowed any more.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The flags as an index below 16.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }
}

impl BitAnd for CastlingRights {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for CastlingRights {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for CastlingRights {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CastlingRights {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for CastlingRights {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & 15)
    }
}
