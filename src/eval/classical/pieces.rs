//! Piece-square tables, mobility and the places pieces like.

use super::tapered::Tapered;
use super::trace::Trace;
use super::{Evaluation, WEIGHTS};
use crate::attacks;
use crate::types::{Bitboard, Color, File, Rank, Role, Square};

/// The own and the enemy king as one side sees them, which choose the piece-square tables.
#[derive(Clone, Copy)]
pub(super) struct Kings {
    own: View,
    enemy: View,
}

/// How a king sees the board: from its own side, mirrored so that it stands on the a- to d-file.
#[derive(Clone, Copy)]
struct View {
    flip: usize,
    bucket: usize,
}

impl View {
    #[inline(always)]
    fn new(color: Color, king: Square) -> Self {
        let mirror = if king.file() >= File::E { 7 } else { 0 };
        let flip = mirror ^ if color == Color::Black { 56 } else { 0 };
        Self {
            flip,
            bucket: king_bucket(king.index() ^ flip),
        }
    }

    #[inline(always)]
    const fn see(self, square: Square) -> usize {
        square.index() ^ self.flip
    }
}

/// The group of a king's square as it sees the board itself: at home on the first two ranks, or
/// on its way out.
const fn king_bucket(square: usize) -> usize {
    if square < 16 { 0 } else { 1 }
}

impl Kings {
    #[inline(always)]
    pub(super) fn new<T>(evaluation: &Evaluation<'_, T>, us: Color) -> Self {
        Self {
            own: View::new(us, evaluation.board.king(us)),
            enemy: View::new(!us, evaluation.board.king(!us)),
        }
    }

    /// The piece-square weights of a piece: relative to its own king and to the enemy's.
    #[inline(always)]
    pub(super) fn weights(self, role: Role, square: Square) -> [&'static Tapered; 2] {
        let role = role.index();
        [
            &WEIGHTS.psqt_own_king[self.own.bucket][role][self.own.see(square)],
            &WEIGHTS.psqt_enemy_king[self.enemy.bucket][role][self.enemy.see(square)],
        ]
    }
}

/// The ranks where an outpost bothers the enemy, fourth to sixth as White counts them.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_FFFF_FF00_0000);

const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl<T: Trace> Evaluation<'_, T> {
    /// Everything the pieces and the king of one side are given for where they stand.
    #[inline(always)]
    pub(super) fn pieces(&mut self, us: Color) {
        let kings = Kings::new(self, us);
        self.place(us, kings, Role::King, self.board.king(us));
        self.knights(us, kings);
        self.bishops(us, kings);
        self.rooks(us, kings);
        self.queens(us, kings);
        if self.board.has_bishop_pair(us) {
            self.add(us, &WEIGHTS.bishop_pair[self.pawns_left(us)], 1);
        }
    }

    /// Piece-square and material weights.
    #[inline(always)]
    pub(super) fn place(&mut self, us: Color, kings: Kings, role: Role, square: Square) {
        for weight in kings.weights(role, square) {
            self.add(us, weight, 1);
        }
        if role != Role::King {
            self.add(us, &WEIGHTS.material[role.index()], 1);
        }
    }

    /// Notes what a piece attacks, and how much it bears on the enemy king.
    #[inline(always)]
    fn attack(&mut self, us: Color, role: Role, square: Square, mut attacks: Bitboard) -> usize {
        let (me, them) = (us.index(), (!us).index());
        if us == self.position.side() && self.position.state().pinned.has(square) {
            attacks &= attacks::through(self.board.king(us), square);
        }
        self.attacked_twice[me] |= self.attacked[me] & attacks;
        self.attacked[me] |= attacks;
        self.attacked_by[me][role.index()] |= attacks;
        if (attacks & self.king_zone[them]).any() {
            let beside = attacks & self.attacked_by[them][Role::King.index()];
            self.endanger(!us, &WEIGHTS.danger_attacker[role.index()], 1);
            self.endanger(!us, &WEIGHTS.danger_attack, beside.count() as i32);
        }
        (attacks & self.mobility_area[me]).count()
    }

    #[inline(always)]
    fn knights(&mut self, us: Color, kings: Kings) {
        let pawns = self.pawns_left(us);
        for square in self.board.pieces(us, Role::Knight) {
            self.place(us, kings, Role::Knight, square);
            let attacks = attacks::knight(square);
            let mobility = self.attack(us, Role::Knight, square, attacks);
            self.add(us, &WEIGHTS.mobility_knight[mobility], 1);
            self.minor(us, square, attacks, &WEIGHTS.outpost_knight);
            self.add(
                us,
                &WEIGHTS.knight_own_king[self.to_own_king(us, square)],
                1,
            );
            self.add(us, &WEIGHTS.knight_by_pawns[pawns], 1);
        }
    }

    #[inline(always)]
    fn bishops(&mut self, us: Color, kings: Kings) {
        let through = self.board.occupied() ^ self.board.diagonal_sliders(us);
        let blocked = self.board.occupied().forward(!us);
        for square in self.board.pieces(us, Role::Bishop) {
            self.place(us, kings, Role::Bishop, square);
            let attacks = attacks::bishop(square, through);
            let mobility = self.attack(us, Role::Bishop, square, attacks);
            self.add(us, &WEIGHTS.mobility_bishop[mobility.min(13)], 1);
            self.minor(us, square, attacks, &WEIGHTS.outpost_bishop);
            self.add(
                us,
                &WEIGHTS.bishop_own_king[self.to_own_king(us, square)],
                1,
            );

            let color = if square.is_white_square() {
                Bitboard::LIGHT
            } else {
                Bitboard::DARK
            };
            let pawns = self.board.pieces(us, Role::Pawn) & color;
            self.add(us, &WEIGHTS.bishop_pawns[pawns.count().min(8)], 1);
            let stuck = (pawns & blocked).count().min(8);
            self.add(us, &WEIGHTS.bishop_blocked_pawns[stuck], 1);
            let pawns = self.board.role(Role::Pawn);
            if (attacks::bishop(square, pawns) & CENTER).several() {
                self.add(us, &WEIGHTS.long_diagonal, 1);
            }
        }
    }

    /// The number of own pawns, as far as tables of weights tell them apart.
    #[inline(always)]
    fn pawns_left(&self, us: Color) -> usize {
        self.board.pieces(us, Role::Pawn).count().min(8)
    }

    /// King moves to the own king.
    #[inline(always)]
    fn to_own_king(&self, us: Color, square: Square) -> usize {
        usize::from(square.distance(self.board.king(us)))
    }

    /// What knights and bishops share: outposts and the shelter behind a pawn.
    #[inline(always)]
    fn minor(&mut self, us: Color, square: Square, attacks: Bitboard, outpost: &'static Tapered) {
        let posts = self.outposts(us);
        if posts.has(square) {
            self.add(us, outpost, 1);
        } else if (attacks & posts & !self.board.color(us)).any() {
            self.add(us, &WEIGHTS.outpost_reachable, 1);
        }
        let ahead = Bitboard::square(square).forward(us);
        if (ahead & self.board.role(Role::Pawn)).any() {
            self.add(us, &WEIGHTS.minor_behind_pawn, 1);
        }
    }

    /// Squares protected by own pawns that no enemy pawn can ever attack.
    #[inline(always)]
    fn outposts(&self, us: Color) -> Bitboard {
        OUTPOST_RANKS.relative_to(us)
            & self.attacked_by[us.index()][Role::Pawn.index()]
            & !self.pawn_reach[(!us).index()]
    }

    #[inline(always)]
    fn rooks(&mut self, us: Color, kings: Kings) {
        let through = self.board.occupied() ^ self.board.straight_sliders(us);
        let pawns = self.pawns_left(us);
        for square in self.board.pieces(us, Role::Rook) {
            self.place(us, kings, Role::Rook, square);
            let attacks = attacks::rook(square, through);
            let mobility = self.attack(us, Role::Rook, square, attacks);
            self.add(us, &WEIGHTS.mobility_rook[mobility.min(14)], 1);
            self.add(us, &WEIGHTS.rook_by_pawns[pawns], 1);
            let file = Bitboard::file(square.file());
            if (file & self.board.pieces(us, Role::Pawn)).is_empty() {
                if (file & self.board.role(Role::Pawn)).is_empty() {
                    self.add(us, &WEIGHTS.rook_open_file, 1);
                } else {
                    self.add(us, &WEIGHTS.rook_half_open_file, 1);
                }
            }
        }
    }

    #[inline(always)]
    fn queens(&mut self, us: Color, kings: Kings) {
        for square in self.board.pieces(us, Role::Queen) {
            self.place(us, kings, Role::Queen, square);
            let attacks = attacks::queen(square, self.board.occupied());
            let mobility = self.attack(us, Role::Queen, square, attacks);
            self.add(us, &WEIGHTS.mobility_queen[mobility.min(27)], 1);
        }
    }

    /// Safe squares behind the own pawns in the centre, for pieces to regroup on.
    #[inline(always)]
    pub(super) fn space(&mut self, us: Color) {
        const FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
        let ranks = Bitboard::rank(Rank::Second)
            | Bitboard::rank(Rank::Third)
            | Bitboard::rank(Rank::Fourth);
        let pawns = self.board.pieces(us, Role::Pawn);
        let safe = FILES
            & ranks.relative_to(us)
            & !pawns
            & !self.attacked_by[(!us).index()][Role::Pawn.index()];
        let behind = safe & pawns.forward(!us).fill_forward(!us) & !self.attacked[(!us).index()];
        let pieces = self.board.non_pawns(us).count().min(7);
        let squares = (safe.count() + behind.count()) as i32;
        self.add(us, &WEIGHTS.space[pieces], squares);
    }
}
