//! Sets of squares, one bit each.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Color, File, Rank, Square};

/// A set of squares. Bit 0 is a1, bit 63 is h8; set operations are the bit operators.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The 32 light squares; a1 is not one of them.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);
    /// The 32 dark squares.
    pub const DARK: Self = Self(!Self::LIGHT.0);

    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const NOT_FILE_A: u64 = !Self::FILE_A;
    const NOT_FILE_H: u64 = !(Self::FILE_A << 7);

    /// The eight squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(Self::FILE_A << file.index())
    }

    /// The eight squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (rank.index() * 8))
    }

    /// The set of one square.
    #[inline]
    pub const fn square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any square is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether two or more squares are in the set.
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index(self.0.trailing_zeros() as usize))
        }
    }

    /// The set as the other side of the board sees it: ranks in reverse order.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// The set as `color` sees it: unchanged for White, flipped for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }

    /// Every square moved one rank ahead as `color` looks; the last rank falls off.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Every square moved one file towards h; the h-file falls off.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 << 1) & Self::NOT_FILE_A)
    }

    /// Every square moved one file towards a; the a-file falls off.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 >> 1) & Self::NOT_FILE_H)
    }

    /// The set and all squares ahead of it on its files, as `color` looks.
    #[inline]
    pub const fn fill_forward(self, color: Color) -> Self {
        let mut set = self.0;
        match color {
            Color::White => {
                set |= set << 8;
                set |= set << 16;
                set |= set << 32;
            }
            Color::Black => {
                set |= set >> 8;
                set |= set >> 16;
                set |= set >> 32;
            }
        }
        Self(set)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $operator:tt) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign &);
set_operator!(BitOr bitor BitOrAssign bitor_assign |);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a set in index order.
#[derive(Clone, Copy, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | square.into())
    }
}

impl fmt::Debug for Bitboard {
    /// An 8x8 diagram with the eighth rank on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                write!(
                    f,
                    "{} ",
                    if self.has(Square::new(file, rank)) {
                        'X'
                    } else {
                        '.'
                    }
                )?;
            }
        }
        Ok(())
    }
}
