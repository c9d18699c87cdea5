//! What stands on a square: roles, and roles in a colour.

use super::Color;

/// A kind of piece, from the least to the most valuable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All roles, pawn to king.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The index of this role in an array of six.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter of FEN and UCI.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The role of a FEN, SAN or UCI letter of either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|role| role.letter() == letter.to_ascii_lowercase())
    }
}

/// A role in a colour. The colour is the low bit, so that both halves are one shift away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    /// All pieces in the order of their indices.
    pub const ALL: [Self; 12] = [
        Self::WhitePawn,
        Self::BlackPawn,
        Self::WhiteKnight,
        Self::BlackKnight,
        Self::WhiteBishop,
        Self::BlackBishop,
        Self::WhiteRook,
        Self::BlackRook,
        Self::WhiteQueen,
        Self::BlackQueen,
        Self::WhiteKing,
        Self::BlackKing,
    ];

    /// The piece of a colour and a role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[role.index() * 2 + color.index()]
    }

    /// The side this piece belongs to.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// What kind of piece this is.
    #[inline]
    pub const fn role(self) -> Role {
        // No look-up: the compiler sees that a role is half of a piece.
        match self as u8 >> 1 {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        }
    }

    /// The index of this piece in an array of twelve.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter().to_ascii_uppercase(),
            Color::Black => self.role().letter(),
        }
    }

    /// The piece of a FEN letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Role::from_letter(letter).map(|role| Self::new(color, role))
    }
}
