//! Which input of the network a piece on a square is, as one side sees the board.
//!
//! There are 768: own and their pieces, six roles each, on 64 squares. A side sees itself at the
//! bottom, and its king on the files a to d: where it stands on e to h the board is mirrored.

use crate::position::{Board, Undo};
use crate::types::{Color, File, Piece, Role, Square};

/// How many inputs each side has.
pub const INPUTS: usize = 2 * ROLES * SQUARES;

const ROLES: usize = Role::ALL.len();
const SQUARES: usize = 64;

/// How one side looks at the board. As long as its view stays the same, a piece on a square is the
/// same input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    side: Color,
    /// Squares differ in these bits from what the side sees: ranks for Black, files if mirrored.
    flip: u8,
}

/// What sees the board upside down, and what sees it mirrored.
const RANKS: u8 = 0b111_000;
const FILES: u8 = 0b000_111;

impl View {
    /// The view that `side` has of a board.
    #[inline]
    pub fn of(board: &Board, side: Color) -> Self {
        let ranks = if side == Color::Black { RANKS } else { 0 };
        let files = if is_mirrored(board.king(side)) {
            FILES
        } else {
            0
        };
        Self {
            side,
            flip: ranks | files,
        }
    }

    /// The side that looks.
    #[inline]
    pub const fn side(self) -> Color {
        self.side
    }

    /// Whether it sees the h-file on its left.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.flip & FILES != 0
    }

    /// The input that `piece` on `square` is: below [`INPUTS`].
    #[inline]
    pub fn index(self, piece: Piece, square: Square) -> usize {
        let square = square.index() ^ usize::from(self.flip);
        let owner = usize::from(piece.color() != self.side);
        (owner * ROLES + piece.role().index()) * SQUARES + square
    }

    /// The inputs that are on, in no particular order.
    pub fn active(self, board: &Board) -> impl Iterator<Item = usize> {
        board.occupied().into_iter().filter_map(move |square| {
            board
                .piece_on(square)
                .map(|piece| self.index(piece, square))
        })
    }
}

/// A piece on a square.
pub type Placed = (Piece, Square);

/// What a move changes on the board: at most two pieces come, and at most two go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A null move.
    Nothing,
    /// A piece moves, and may become another one.
    Move { from: Placed, to: Placed },
    /// It takes another piece, which need not have stood where it arrives.
    Capture {
        from: Placed,
        to: Placed,
        taken: Placed,
    },
    /// King and rook move. Each may stay where it is, or arrive where the other stood.
    Castling { from: [Placed; 2], to: [Placed; 2] },
}

impl Change {
    /// What the move did that `undo` takes back.
    #[inline]
    pub fn of(undo: &Undo) -> Self {
        let (Some(mv), Some(piece)) = (undo.mv, undo.moved) else {
            return Self::Nothing;
        };
        let us = piece.color();
        if mv.is_castling() {
            let wing = mv.castling_wing();
            let rook = Piece::new(us, Role::Rook);
            return Self::Castling {
                from: [(piece, mv.from()), (rook, mv.to())],
                to: [(piece, wing.king_target(us)), (rook, wing.rook_target(us))],
            };
        }
        let arrived = mv.promotion().map_or(piece, |role| Piece::new(us, role));
        let (from, to) = ((piece, mv.from()), (arrived, mv.to()));
        let Some(captured) = undo.captured else {
            return Self::Move { from, to };
        };
        let taken = (captured, mv.capture_square());
        Self::Capture { from, to, taken }
    }

    /// Whether it gives `side` another view: the own king crosses the middle of the board.
    #[inline]
    pub fn turns(self, side: Color) -> bool {
        let ((piece, from), (_, to)) = match self {
            Self::Nothing => return false,
            Self::Move { from, to } | Self::Capture { from, to, .. } => (from, to),
            Self::Castling {
                from: [from, _],
                to: [to, _],
            } => (from, to),
        };
        piece == Piece::new(side, Role::King) && is_mirrored(from) != is_mirrored(to)
    }
}

/// Whether a side sees the board mirrored whose king stands here.
#[inline]
fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}
