//! A move in 16 bits.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Role, Square, Wing};

/// How a move is carried out. Bit 2 is set for captures, bit 3 for promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    /// The king takes its own rook: from the king's square to the rook's, in every chess.
    Castling = 2,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE: u8 = 4;
    const PROMOTION: u8 = 8;

    /// By the four bits of the encoding; the three unused codes read as quiet.
    const DECODE: [Self; 16] = [
        Self::Quiet,
        Self::DoublePush,
        Self::Castling,
        Self::Quiet,
        Self::Capture,
        Self::EnPassant,
        Self::Quiet,
        Self::Quiet,
        Self::PromoteKnight,
        Self::PromoteBishop,
        Self::PromoteRook,
        Self::PromoteQueen,
        Self::CapturePromoteKnight,
        Self::CapturePromoteBishop,
        Self::CapturePromoteRook,
        Self::CapturePromoteQueen,
    ];

    /// The kind of a promotion to `role`, which is knight, bishop, rook or queen.
    pub const fn promotion(role: Role, captures: bool) -> Self {
        debug_assert!(matches!(
            role,
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen
        ));
        let code = Self::PROMOTION + (role as u8 - Role::Knight as u8) % 4;
        Self::DECODE[(if captures { code | Self::CAPTURE } else { code }) as usize]
    }
}

/// A move: bits 0 to 5 the square it leaves, 6 to 11 the square it reaches, 12 to 15 its kind.
///
/// No move leads from a1 to a1, so zero is free to mean "no move": `Option<Move>` takes 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == size_of::<u16>());

/// No position has more legal moves. A game of chess never has more than 218 of them, but a board
/// set up with fifteen queens a side may, and no queen has more than 27.
pub const MAX_MOVES: usize = 15 * 27 + 8;

/// How many moves may be written into a list at once, as a whole register: no piece has more.
pub const MOVES_AT_ONCE: usize = 32;

/// Room for every legal move, and for what is left of the register that the last ones are written with.
pub type MoveList = ArrayVec<Move, { MAX_MOVES + MOVES_AT_ONCE }>;

impl Move {
    /// A move between two different squares.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from.index() | to.index() << 6 | (kind as usize) << 12;
        match NonZeroU16::new(bits as u16) {
            Some(bits) => Self(bits),
            None => panic!("a move leads from one square to another"),
        }
    }

    /// The bits of a move, or of none, for packed tables.
    #[inline]
    pub const fn to_bits(this: Option<Self>) -> u16 {
        match this {
            Some(Self(bits)) => bits.get(),
            None => 0,
        }
    }

    /// The move of some bits. Foreign bits give a well-formed move that need not be legal.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The square the piece leaves; the king's for castling.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// The square the piece reaches; the rook's for castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    /// Both squares as one index below 4096.
    #[inline]
    pub const fn from_to(self) -> usize {
        self.0.get() as usize & 0xFFF
    }

    /// How the move is carried out.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        MoveKind::DECODE[self.0.get() as usize >> 12]
    }

    /// Whether the move takes a piece, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        (self.0.get() >> 12) as u8 & MoveKind::CAPTURE != 0
    }

    /// Whether a pawn becomes another piece.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        (self.0.get() >> 12) as u8 & MoveKind::PROMOTION != 0
    }

    /// Whether king and rook move together.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 12 == MoveKind::Castling as u16
    }

    /// The wing that a castling move goes to: that of the rook the king takes.
    #[inline]
    pub fn castling_wing(self) -> Wing {
        if self.to() > self.from() {
            Wing::King
        } else {
            Wing::Queen
        }
    }

    /// The square on which a capture takes a piece: the move's last, but for en passant.
    #[inline]
    pub fn capture_square(self) -> Square {
        if self.is_en_passant() {
            Square::new(self.to().file(), self.from().rank())
        } else {
            self.to()
        }
    }

    /// Whether a pawn takes another in passing.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveKind::EnPassant as u16
    }

    /// Neither a capture nor a promotion: what the search orders by history.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        self.0.get() >> 14 == 0
    }

    /// What the pawn becomes, if it becomes something.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        if self.is_promotion() {
            Some(Role::ALL[1 + (self.0.get() as usize >> 12 & 3)])
        } else {
            None
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion()
            .map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}
