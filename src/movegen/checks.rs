//! Which moves give check, computed once for all moves of a position.

use super::legality::piece_attacks;
use crate::attacks;
use crate::position::{Board, Position};
use crate::types::{Bitboard, Move, Role, Square};

/// Where each piece of the side to move gives check, and which pieces would discover one by moving.
///
/// Castling and en passant may be missed: this is for ordering and pruning, not for the rules.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The king that is to be checked.
    king: Square,
    /// The squares from which it is in check, by role.
    squares: [Bitboard; 6],
    /// Pieces that stand alone between a slider and that king; the own ones discover checks.
    shields: Bitboard,
}

impl Checks {
    /// The checks that the side to move can give.
    #[inline]
    pub fn new(position: &Position) -> Self {
        let (board, us) = (position.board(), position.side());
        let king = board.king(!us);
        let [diagonal, straight] = attacks::bishop_and_rook(king, board.occupied());
        let mut shields = Bitboard::EMPTY;
        for (_, between) in board.snipers(us, king, board.color(!us)) {
            if !between.several() {
                shields |= between;
            }
        }
        Self {
            king,
            squares: [
                attacks::pawn(!us, king),
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            shields,
        }
    }

    /// Whether a legal move gives check, by the piece that moves or by discovery.
    #[inline]
    pub fn given_by(&self, board: &Board, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if let Some(role) = mv.promotion() {
            // The new piece may look back through the square that the pawn left.
            let occupied = board.occupied() ^ Bitboard::square(from);
            return piece_attacks(role, to, occupied).has(self.king) || self.discovered_by(mv);
        }
        board
            .role_on(from)
            .is_some_and(|role| self.given_by_piece(role, mv))
    }

    /// Whether a legal move of a piece, but for promotions, gives check.
    #[inline]
    pub fn given_by_piece(&self, role: Role, mv: Move) -> bool {
        self.squares[role.index()].has(mv.to()) || self.discovered_by(mv)
    }

    #[inline]
    fn discovered_by(&self, mv: Move) -> bool {
        let from = mv.from();
        self.shields.has(from) && !attacks::through(self.king, from).has(mv.to())
    }
}

impl Position {
    /// Whether a legal move gives check; [`Checks`] serves for many moves.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        Checks::new(self).given_by(self.board(), mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal;

    /// A move gives check exactly if the opponent is in check after it.
    fn compare(position: &mut Position, depth: u32) {
        let checks = Checks::new(position);
        for mv in legal(position) {
            let told = checks.given_by(position.board(), mv);
            let undo = position.make(mv);
            if !mv.is_castling() && !mv.is_en_passant() {
                assert_eq!(told, position.in_check(), "{mv:?} to {position}");
            }
            if depth > 1 {
                compare(position, depth - 1);
            }
            position.unmake(&undo);
        }
    }

    #[test]
    fn checks_are_those_of_the_board() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/4P3/8/8/4k3/8/2p5/2R1K3 w - - 0 1",
        ] {
            let mut position = fen.parse().expect("a position");
            compare(&mut position, 3);
        }
    }
}
