//! Which input of the network a piece on a square is, as one side sees the board.
//!
//! There are 768 for each king bucket: own and their pieces, six roles each, on 64 squares. A side
//! sees itself at the bottom, and its king on the files a to d: where it stands on e to h the board
//! is mirrored.

use crate::position::{Board, Undo};
use crate::types::{Color, File, Piece, Rank, Role, Square};

/// How many inputs each side has.
pub const INPUTS: usize = BUCKETS * BUCKET_INPUTS;
/// How many it has for each king bucket: as many as there are pieces and squares.
pub const BUCKET_INPUTS: usize = 2 * ROLES * SQUARES;
/// How many places of the own king are told apart: a piece on a square is another input in each.
pub const BUCKETS: usize = 4;
/// How many views each side has.
pub const VIEWS: usize = 2 * BUCKETS;

const ROLES: usize = Role::ALL.len();
const SQUARES: usize = 64;

/// How one side looks at the board. As long as its view stays the same, a piece on a square is the
/// same input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    side: Color,
    /// The corner that it sees as a1. Every square differs from what it sees in the same bits.
    corner: Square,
    /// The king bucket.
    bucket: u8,
}

impl View {
    /// The view that `side` has of a board.
    #[inline]
    pub fn of(board: &Board, side: Color) -> Self {
        Self::by_king(side, board.king(side))
    }

    /// The view that `side` has where its king stands on `king`.
    #[inline]
    pub fn by_king(side: Color, king: Square) -> Self {
        let corner = Square::A1.relative_to(side);
        let seen = king.relative_to(side);
        let (corner, seen) = if is_mirrored(king) {
            (corner.mirrored(), seen.mirrored())
        } else {
            (corner, seen)
        };
        Self {
            side,
            corner,
            bucket: bucket(seen),
        }
    }

    /// Its number among all views of the side: below [`VIEWS`].
    #[inline]
    pub fn number(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.is_mirrored())
    }

    /// The first input of its king bucket.
    #[inline]
    pub fn first_input(self) -> usize {
        usize::from(self.bucket) * BUCKET_INPUTS
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
        self.first_input() + (owner * ROLES + piece.role().index()) * SQUARES + square
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

    /// Whether it gives `side` another view: the own king crosses the middle of the board, or
    /// comes to another bucket.
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
        piece == Piece::new(side, Role::King)
            && View::by_king(side, from) != View::by_king(side, to)
    }
}

/// The bucket of a king as its side sees it, on the files a to d: in the corner, beside it, on the
/// second rank, or out on the board.
#[inline]
fn bucket(king: Square) -> u8 {
    match king.rank() {
        Rank::First => u8::from(king.file() >= File::C),
        Rank::Second => 2,
        _ => 3,
    }
}

/// Whether a side sees the board mirrored whose king stands here: on the half with the h-file.
#[inline]
fn is_mirrored(square: Square) -> bool {
    square.file() >= File::E
}
