//! Castling paths: what must be empty and what must be safe, for any start squares (Chess960).

use crate::attacks;
use crate::types::{Bitboard, CastlingRights, Color, Square, Wing};

/// What one castling asks of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Where the rook stands before castling.
    pub rook: Square,
    /// No piece may stand here, apart from the castling king and rook.
    pub empty: Bitboard,
    /// The opponent may not attack these squares: the king's way and its end.
    pub safe: Bitboard,
}

/// The castlings a game started with, and which squares keep their rights alive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CastlingPaths {
    paths: [[Option<Path>; 2]; 2],
    /// The rights that survive a move from or to a square.
    kept: [CastlingRights; 64],
}

impl Default for CastlingPaths {
    fn default() -> Self {
        Self {
            paths: [[None; 2]; 2],
            kept: [CastlingRights::ALL; 64],
        }
    }
}

impl CastlingPaths {
    /// Declares that a side may castle with this king and this rook.
    pub fn allow(&mut self, color: Color, wing: Wing, king: Square, rook: Square) {
        let ends = [
            (king, wing.king_target(color)),
            (rook, wing.rook_target(color)),
            (king, rook),
        ];
        let way = |(from, to)| attacks::between(from, to) | Bitboard::square(to);
        let movers = Bitboard::square(king) | rook.into();
        let empty = ends
            .into_iter()
            .fold(Bitboard::EMPTY, |set, pair| set | way(pair))
            & !movers;
        let safe = way(ends[0]) & !Bitboard::square(king);
        self.paths[color.index()][wing.index()] = Some(Path { rook, empty, safe });
        let right = CastlingRights::one(color, wing);
        self.kept[king.index()] &= !right;
        self.kept[rook.index()] &= !right;
    }

    /// What castling of `color` to `wing` asks, if the game knows it at all.
    #[inline]
    pub const fn path(&self, color: Color, wing: Wing) -> Option<&Path> {
        self.paths[color.index()][wing.index()].as_ref()
    }

    /// The rights that a move between two squares leaves intact.
    #[inline]
    pub fn kept(&self, from: Square, to: Square) -> CastlingRights {
        self.kept[from.index()] & self.kept[to.index()]
    }

    /// Where the rook of a castling stands before it; the corner where the game knows none.
    pub fn rook(&self, color: Color, wing: Wing) -> Square {
        let corner = match wing {
            Wing::King => Square::H1,
            Wing::Queen => Square::A1,
        };
        self.path(color, wing)
            .map_or(corner.relative_to(color), |path| path.rook)
    }
}
