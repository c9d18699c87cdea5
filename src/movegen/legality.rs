//! Whether a move from elsewhere, as that of a hash entry, is legal here, without generating all.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, Rank, Role, Square, Wing};

impl Position {
    /// Whether `mv`, which may come from any position, is legal in this one.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (board, state, us) = (self.board(), self.state(), self.side());
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        // Not every 16 bits are a move.
        if from == to || Move::new(from, to, kind) != mv {
            return false;
        }
        let Some(piece) = board.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if kind == MoveKind::Castling {
            return piece.role() == Role::King
                && Wing::ALL
                    .into_iter()
                    .any(|wing| self.castling_rook(wing) == Some(to));
        }
        if kind == MoveKind::EnPassant {
            return piece.role() == Role::Pawn
                && state.en_passant == Some(to)
                && attacks::pawn(us, from).has(to)
                && self.is_en_passant_safe(us, from, to);
        }
        if board.color(us).has(to) || mv.is_capture() != board.color(!us).has(to) {
            return false;
        }
        if piece.role() == Role::King {
            return matches!(kind, MoveKind::Quiet | MoveKind::Capture)
                && attacks::king(from).has(to)
                && !state.threats.has(to);
        }
        let reaches = if piece.role() == Role::Pawn {
            self.pawn_reaches(us, from, to, kind)
        } else {
            matches!(kind, MoveKind::Quiet | MoveKind::Capture)
                && piece_attacks(piece.role(), from, board.occupied()).has(to)
        };
        reaches && self.keeps_king_safe(from, to)
    }

    /// Whether a pawn's move of this kind fits the board; whether a capture takes something is known.
    fn pawn_reaches(&self, us: Color, from: Square, to: Square, kind: MoveKind) -> bool {
        let promotes = to.rank() == Rank::Eighth.relative_to(us);
        let is_promotion = !matches!(
            kind,
            MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture
        );
        if promotes != is_promotion {
            return false;
        }
        let occupied = self.board().occupied();
        let ahead = from.forward(us);
        match kind {
            MoveKind::DoublePush => {
                from.rank() == Rank::Second.relative_to(us)
                    && to == ahead.forward(us)
                    && !occupied.has(ahead)
                    && !occupied.has(to)
            }
            _ if self.board().color(!us).has(to) => attacks::pawn(us, from).has(to),
            _ => to == ahead && !occupied.has(to),
        }
    }

    /// Whether a piece other than the king may go there in spite of checks and pins.
    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let (state, king) = (self.state(), self.board().king(self.side()));
        if state.pinned.has(from) && !attacks::through(king, from).has(to) {
            return false;
        }
        match state.checkers.first() {
            None => true,
            Some(_) if state.checkers.several() => false,
            Some(checker) => to == checker || attacks::between(king, checker).has(to),
        }
    }
}

/// The squares a piece other than a pawn attacks.
pub(super) fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Rook => attacks::rook(from, occupied),
        Role::Queen => attacks::queen(from, occupied),
        Role::King => attacks::king(from),
        Role::Pawn => Bitboard::EMPTY,
    }
}
