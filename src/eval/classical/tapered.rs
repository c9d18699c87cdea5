//! A pair of values, for the middlegame and for the endgame, in one register.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns. Both share 32 bits, so that one addition
/// adds both; the endgame is in the upper half, lowered by one where the lower half is negative.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    pub const ZERO: Self = Self(0);

    /// A pair of values, each within 16 bits.
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16).wrapping_add(middlegame))
    }

    /// The value in the middlegame.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.middlegame(), self.endgame())
    }
}
