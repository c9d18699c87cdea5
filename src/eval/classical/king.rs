//! King safety: attackers, weak squares and safe checks add up to units of danger.

use super::trace::Trace;
use super::{Evaluation, WEIGHTS};
use crate::attacks;
use crate::types::{Bitboard, Color, File, Role, Square};

/// The ranks on which attackers of the king's wing count, as White sees them.
const OWN_SIDE: Bitboard = Bitboard(0x0000_00FF_FFFF_FFFF);

/// The files around a king: the three on its edge of the board, or the four in the middle.
pub(super) const fn wing(king: Square) -> Bitboard {
    Bitboard(match king.file() {
        File::A | File::B | File::C => 0x0707_0707_0707_0707,
        File::D | File::E => 0x3C3C_3C3C_3C3C_3C3C,
        File::F | File::G | File::H => 0xE0E0_E0E0_E0E0_E0E0,
    })
}

impl<T: Trace> Evaluation<'_, T> {
    /// Adds up the danger to the king of `us`; attackers were counted with the pieces.
    #[inline(always)]
    pub(super) fn king_danger(&mut self, us: Color) {
        let (me, them) = (us.index(), (!us).index());
        let king = self.board.king(us);
        self.endanger(us, &WEIGHTS.danger_base, 1);
        if us != self.position.side() {
            self.endanger(us, &WEIGHTS.danger_on_move, 1);
        }

        let own_king = self.attacked_by[me][Role::King.index()];
        let guarded_by_royals = self.attacked_by[me][Role::Queen.index()] | own_king;
        let weak = self.attacked[them]
            & !self.attacked_twice[me]
            & (!self.attacked[me] | guarded_by_royals);
        let zone = self.king_zone[me];
        self.endanger(
            us,
            &WEIGHTS.danger_weak_square,
            (weak & zone).count() as i32,
        );

        let occupied = self.board.occupied();
        let safe = !self.board.color(!us) & (!self.attacked[me] | weak & self.attacked_twice[them]);
        let straight = attacks::rook(king, occupied);
        let diagonal = attacks::bishop(king, occupied);
        self.checks(us, Role::Knight, attacks::knight(king), safe);
        self.checks(us, Role::Bishop, diagonal, safe);
        self.checks(us, Role::Rook, straight, safe);
        self.checks(us, Role::Queen, diagonal | straight, safe);

        let camp = wing(king) & OWN_SIDE.relative_to(us);
        let attacked = camp & self.attacked[them];
        let attacks = attacked.count() + (attacked & self.attacked_twice[them]).count();
        self.endanger(us, &WEIGHTS.danger_wing_attack, attacks as i32);
        let defended = (camp & self.attacked[me]).count();
        self.endanger(us, &WEIGHTS.danger_wing_defense, defended as i32);

        if self.board.pieces(!us, Role::Queen).is_empty() {
            self.endanger(us, &WEIGHTS.danger_no_queen, 1);
        }
        let front = own_king | own_king.forward(us);
        let pawns = (front & self.board.pieces(us, Role::Pawn)).count().min(3);
        self.endanger(us, &WEIGHTS.danger_shelter[pawns], 1);
        let knights = self.attacked_by[me][Role::Knight.index()] & own_king;
        self.endanger(
            us,
            &WEIGHTS.danger_knight_defender,
            i32::from(knights.any()),
        );
        if us == self.position.side() {
            let pinned = self.position.state().pinned & self.board.color(us);
            self.endanger(us, &WEIGHTS.danger_pinned, pinned.count() as i32);
        }
    }

    /// Checks that the enemy could give to the king of `us` with one role.
    #[inline(always)]
    fn checks(&mut self, us: Color, role: Role, from: Bitboard, safe: Bitboard) {
        let checks = from & self.attacked_by[(!us).index()][role.index()] & !self.board.color(!us);
        if (checks & safe).any() {
            self.endanger(us, &WEIGHTS.danger_safe_check[role.index()], 1);
        } else if checks.any() {
            self.endanger(us, &WEIGHTS.danger_unsafe_check[role.index()], 1);
        }
    }
}
