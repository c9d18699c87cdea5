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
    /// The corner that it sees as a1. Every square differs from what it sees in the same bits.
    corner: Square,
}

impl View {
    /// The view that `side` has of a board.
    #[inline]
    pub fn of(board: &Board, side: Color) -> Self {
        let corner = Square::A1.relative_to(side);
        Self {
            side,
            corner: if is_mirrored(board.king(side)) {
                corner.mirrored()
            } else {
                corner
            },
        }
    }

    /// The side that looks.
    #[inline]
    pub const fn side(self) -> Color {
        self.side
    }

    /// Whether it sees the h-file on its left.
    #[inline]
    pub fn is_mirrored(self) -> bool {
        is_mirrored(self.corner)
    }

    /// The input that `piece` on `square` is: below [`INPUTS`].
    #[inline]
    pub fn index(self, piece: Piece, square: Square) -> usize {
        let square = square.index() ^ self.corner.index();
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

/// Whether a side sees the board mirrored whose king stands here: on the half with the h-file.
#[inline]
fn is_mirrored(square: Square) -> bool {
    square.file() >= File::E
}
