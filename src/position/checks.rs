//! Checks, pins and threats: what decides legality, computed once per position.

use super::{Attacks, Board, Position};
use crate::attacks;
use crate::types::{Bitboard, Color, Role, Square};

impl Board {
    /// The sliders of `color` that would attack `target` if nothing but `blockers` stood in the
    /// way, each with all that does stand in between.
    #[inline]
    pub(crate) fn snipers(
        &self,
        color: Color,
        target: Square,
        blockers: Bitboard,
    ) -> impl Iterator<Item = (Square, Bitboard)> {
        let [bishop, rook] = attacks::bishop_and_rook(target, blockers);
        let snipers = bishop & self.diagonal_sliders(color) | rook & self.straight_sliders(color);
        let occupied = self.occupied();
        snipers
            .into_iter()
            .map(move |sniper| (sniper, attacks::between(target, sniper) & occupied))
    }
}

impl Position {
    /// Finds the pieces that give check and the own pieces that shield their king.
    #[inline]
    pub(super) fn find_checks_and_pins(&mut self) {
        let (us, board) = (self.state.side, &self.board);
        let king = board.king(us);
        let theirs = board.color(!us);

        let mut checkers = attacks::knight(king) & board.role(Role::Knight)
            | attacks::pawn(us, king) & board.role(Role::Pawn);
        checkers &= theirs;

        let mut pinned = Bitboard::EMPTY;
        for (sniper, shield) in board.snipers(!us, king, theirs) {
            if shield.is_empty() {
                checkers |= sniper.into();
            } else if !shield.several() {
                pinned |= shield;
            }
        }
        self.state.checkers = checkers;
        self.state.pinned = pinned;
    }

    /// Finds every square the opponent attacks. Sliders look through the king to move, so that
    /// it cannot step back along the line of a check.
    #[inline]
    pub(super) fn find_threats(&mut self) {
        let (us, board) = (self.state.side, &self.board);
        let occupied = board.occupied() ^ board.pieces(us, Role::King);
        // Joined before they are stored: what has just been stored one by one is slow to read at once.
        let attacks = Attacks::of(board, !us, occupied);
        self.state.threats = attacks.all();
        self.state.attacks = attacks;
    }

    /// Whether some pawn of `color` may legally take en passant on `target`. It is not enough
    /// that it stands there: both pawns leave the capturer's rank at once, which can open a line.
    pub(super) fn can_capture_en_passant(&self, color: Color, target: Square) -> bool {
        let candidates = attacks::pawn(!color, target) & self.board.pieces(color, Role::Pawn);
        candidates
            .into_iter()
            .any(|pawn| self.is_en_passant_safe(color, pawn, target))
    }

    /// Whether `color`'s king is out of check after its pawn takes en passant on `target`.
    pub(crate) fn is_en_passant_safe(&self, color: Color, pawn: Square, target: Square) -> bool {
        let king = self.board.king(color);
        let victim = Bitboard::square(target.forward(!color));
        let occupied =
            (self.board.occupied() ^ Bitboard::square(pawn) ^ victim) | Bitboard::square(target);
        let attackers = self.board.attackers(king, occupied) & self.board.color(!color) & !victim;
        attackers.is_empty()
    }
}
