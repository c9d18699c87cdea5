//! Threats: pieces attacked by cheaper ones, or by anyone while nobody protects them.

use super::trace::Trace;
use super::{Evaluation, WEIGHTS};
use crate::attacks;
use crate::types::{Bitboard, Color, Rank, Role};

impl<T: Trace> Evaluation<'_, T> {
    /// What `us` threatens.
    #[inline(always)]
    pub(super) fn threats(&mut self, us: Color) {
        let (me, them) = (us.index(), (!us).index());
        let by = self.attacked_by[me];
        let enemies = self.board.color(!us);
        let pieces = self.board.non_pawns(!us);
        let strongly_guarded = self.attacked_by[them][Role::Pawn.index()]
            | self.attacked_twice[them] & !self.attacked_twice[me];
        let weak = enemies & !strongly_guarded & self.attacked[me];

        let safe = self.attacked[me] | !self.attacked[them];
        let pawns = self.board.pieces(us, Role::Pawn) & safe;
        for square in pieces & attacks::pawns(us, pawns) {
            if let Some(role) = self.board.role_on(square) {
                self.add(us, &WEIGHTS.threat_by_pawn[role.index()], 1);
            }
        }
        let minors = by[Role::Knight.index()] | by[Role::Bishop.index()];
        for square in (pieces | weak) & minors & !self.board.role(Role::King) {
            if let Some(role) = self.board.role_on(square) {
                self.add(us, &WEIGHTS.threat_by_minor[role.index()], 1);
            }
        }
        for square in weak & by[Role::Rook.index()] & !self.board.role(Role::King) {
            if let Some(role) = self.board.role_on(square) {
                self.add(us, &WEIGHTS.threat_by_rook[role.index()], 1);
            }
        }
        if (weak & by[Role::King.index()]).any() {
            self.add(us, &WEIGHTS.threat_by_king, 1);
        }
        let hanging = weak & !self.attacked[them];
        self.add(us, &WEIGHTS.hanging, hanging.count() as i32);
        if us == self.position.side() {
            let weak_pieces = (weak & pieces).count() as i32;
            self.add(us, &WEIGHTS.hanging_on_move, hanging.count() as i32);
            self.add(us, &WEIGHTS.weak_on_move, weak_pieces);
        }
        let by_queen = weak & self.attacked_by[them][Role::Queen.index()];
        self.add(us, &WEIGHTS.guarded_by_queen, by_queen.count() as i32);
        let restricted = self.attacked[me] & self.attacked[them] & !strongly_guarded;
        self.add(us, &WEIGHTS.restricted, restricted.count() as i32);
        self.push_threats(us, pieces);
        self.queen_threats(us);
    }

    /// Pawns that can step forward safely and then attack a piece.
    #[inline(always)]
    fn push_threats(&mut self, us: Color, pieces: Bitboard) {
        let (me, them) = (us.index(), (!us).index());
        let empty = !self.board.occupied();
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        let once = self.board.pieces(us, Role::Pawn).forward(us) & empty;
        let twice = (once & third).forward(us) & empty;
        let safe = (once | twice)
            & !self.attacked_by[them][Role::Pawn.index()]
            & (self.attacked[me] | !self.attacked[them]);
        let targets = attacks::pawns(us, safe) & pieces;
        self.add(us, &WEIGHTS.threat_by_push, targets.count() as i32);
    }

    /// Safe squares from which a lesser piece would attack the enemy's only queen.
    #[inline(always)]
    fn queen_threats(&mut self, us: Color) {
        let (me, them) = (us.index(), (!us).index());
        let queens = self.board.pieces(!us, Role::Queen);
        let Some(queen) = queens.first().filter(|_| !queens.several()) else {
            return;
        };
        let occupied = self.board.occupied();
        let safe = self.mobility_area[me] & !self.attacked[them];
        let by = &self.attacked_by[me];
        let knights = attacks::knight(queen) & by[Role::Knight.index()];
        let sliders = attacks::bishop(queen, occupied) & by[Role::Bishop.index()]
            | attacks::rook(queen, occupied) & by[Role::Rook.index()];
        let squares = knights & safe | sliders & safe;
        self.add(us, &WEIGHTS.threat_on_queen, squares.count() as i32);
    }
}
