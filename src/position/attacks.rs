//! What the pieces of one side attack, role by role.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Role};

/// The squares that the pieces of one side attack, own pieces among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attacks {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
}

impl Attacks {
    /// The attacks of `color` where the `occupied` squares block sliders.
    // Always, so that the sets need not go through memory before they are joined.
    #[inline(always)]
    pub fn of(board: &Board, color: Color, occupied: Bitboard) -> Self {
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let pieces = pieces.map(|role| board.pieces(color, role));
        let [knights, bishops, rooks, queens] = attacks::of_pieces(pieces, occupied);
        Self {
            pawns: attacks::pawns(color, board.pieces(color, Role::Pawn)),
            knights,
            bishops,
            rooks,
            queens,
            king: attacks::king(board.king(color)),
        }
    }

    /// Those of knights and bishops.
    #[inline]
    pub fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }

    /// Those of any piece but the king.
    #[inline]
    pub fn but_king(&self) -> Bitboard {
        self.pawns | self.minors() | self.rooks | self.queens
    }

    /// Those of any piece.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.but_king() | self.king
    }

    /// Those of cheaper pieces than one of this role.
    #[inline]
    pub fn by_cheaper(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.pawns | self.minors(),
            Role::Queen => self.pawns | self.minors() | self.rooks,
        }
    }
}
