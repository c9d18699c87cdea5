//! Where the pieces stand: bitboards for sets, a mailbox for single squares.

use std::fmt;

use crate::attacks;
use crate::types::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// The pieces on the board. Colours, roles and mailbox always agree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    colors: [Bitboard; 2],
    roles: [Bitboard; 6],
    mailbox: [Option<Piece>; 64],
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Self = Self {
        colors: [Bitboard::EMPTY; 2],
        roles: [Bitboard::EMPTY; 6],
        mailbox: [None; 64],
    };

    /// The piece on `square`.
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// The role of the piece on `square`.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.piece_on(square).map(Piece::role)
    }

    /// All pieces of one side.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of one role, both sides.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The same for every role, pawn to king.
    #[inline]
    pub const fn roles(&self) -> &[Bitboard; 6] {
        &self.roles
    }

    /// The pieces of one role on one side.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Bishops and queens of one side.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// Rooks and queens of one side.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// Everything of one side but pawns and king.
    #[inline]
    pub fn non_pawns(&self, color: Color) -> Bitboard {
        self.color(color) & !(self.role(Role::Pawn) | self.role(Role::King))
    }

    /// Where a side's king stands. A board under construction without one answers a1.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).first().unwrap_or(Square::A1)
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.piece_on(square).is_none(), "{square} is taken");
        self.mailbox[square.index()] = Some(piece);
        self.toggle(square.into(), piece);
    }

    /// Takes the piece off a square.
    #[inline]
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.mailbox[square.index()].take();
        if let Some(piece) = piece {
            self.toggle(square.into(), piece);
        }
        piece
    }

    /// Moves `piece` from its square to an empty one.
    #[inline]
    pub fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        debug_assert_eq!(self.piece_on(from), Some(piece));
        debug_assert!(self.piece_on(to).is_none(), "{to} is taken");
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        self.toggle(Bitboard::square(from) | to.into(), piece);
    }

    #[inline]
    fn toggle(&mut self, squares: Bitboard, piece: Piece) {
        self.colors[piece.color().index()] ^= squares;
        self.roles[piece.role().index()] ^= squares;
    }

    /// All pieces of both sides that attack `square` when `occupied` squares block sliders.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let [bishop, rook] = attacks::bishop_and_rook(square, occupied);
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | bishop & diagonal
            | rook & straight
    }

    /// The squares on which another board has something else.
    #[inline]
    pub fn differences(&self, other: &Self) -> Bitboard {
        let sets = |board: &Self| board.colors.into_iter().chain(board.roles);
        sets(self)
            .zip(sets(other))
            .fold(Bitboard::EMPTY, |found, (a, b)| found | a ^ b)
    }

    /// Whether a side has the bishop pair: at least two bishops, on both square colours. Any
    /// number of bishops on one colour, as promotions can make them, is no pair.
    #[inline]
    pub fn has_bishop_pair(&self, color: Color) -> bool {
        let bishops = self.pieces(color, Role::Bishop);
        (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any()
    }

    /// Whether all bishops on the board, whoever owns them, stand on one square colour.
    #[inline]
    pub fn bishops_share_a_color(&self) -> bool {
        let bishops = self.role(Role::Bishop);
        (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty()
    }
}

impl fmt::Display for Board {
    /// A diagram with files and ranks named, White at the bottom.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = "  +---+---+---+---+---+---+---+---+";
        writeln!(f, "{LINE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.digit())?;
            for file in File::ALL {
                let piece = self.piece_on(Square::new(file, rank));
                write!(f, " {} |", piece.map_or(' ', Piece::letter))?;
            }
            writeln!(f, "\n{LINE}")?;
        }
        write!(f, "    a   b   c   d   e   f   g   h")
    }
}
