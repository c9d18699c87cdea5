//! Pawn structure, king shelter and passed pawns; the part that only pawns and kings decide is
//! cached, since it changes with few moves.

use super::king::wing;
use super::pieces::Kings;
use super::tapered::Tapered;
use super::trace::Trace;
use super::{Evaluation, WEIGHTS};
use crate::attacks;
use crate::position::piece_key;
use crate::types::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// Entries in the cache; about 8,000 structures of 56 bytes.
const ENTRIES: usize = 1 << 13;

/// What a set of pawns and two kings are worth.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    score: Tapered,
    danger: [Tapered; 2],
    passed: Bitboard,
    pawn_reach: [Bitboard; 2],
}

/// Remembers pawn structures by the key of pawns and kings.
pub struct PawnCache {
    entries: Box<[Entry]>,
}

impl Default for PawnCache {
    fn default() -> Self {
        Self {
            entries: vec![Entry::default(); ENTRIES].into_boxed_slice(),
        }
    }
}

impl PawnCache {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }
}

impl<T: Trace> Evaluation<'_, T> {
    /// Pawns, shelters, and the attack maps of pawns and kings that later terms build upon.
    #[inline(always)]
    pub(super) fn pawn_structure(&mut self, cache: &mut PawnCache) {
        let (white, black) = (self.board.king(Color::White), self.board.king(Color::Black));
        // Never zero, so that an empty entry matches nothing.
        let key = self.position.state().keys.pawns
            ^ piece_key(Piece::WhiteKing, white)
            ^ piece_key(Piece::BlackKing, black)
            | 1;
        let entry = &mut cache.entries[key as usize >> 1 & (ENTRIES - 1)];
        if T::LISTENS || entry.key != key {
            let before = self.score;
            for color in Color::ALL {
                self.pawns(color);
                self.shelter(color);
                self.king_and_pawns(color);
                self.connected_passed_pawns(color);
            }
            *entry = Entry {
                key,
                score: self.score - before,
                danger: self.danger,
                passed: self.passed,
                pawn_reach: self.pawn_reach,
            };
        } else {
            self.score += entry.score;
            self.danger = entry.danger;
            self.passed = entry.passed;
            self.pawn_reach = entry.pawn_reach;
        }
        self.prepare(Color::White);
        self.prepare(Color::Black);
    }

    /// Attacks of pawns and king, the king's zone and the mobility area.
    #[inline(always)]
    fn prepare(&mut self, us: Color) {
        let me = us.index();
        let pawns = self.board.pieces(us, Role::Pawn);
        let king = self.board.king(us);
        let pawn_attacks = attacks::pawns(us, pawns);
        let king_attacks = attacks::king(king);
        self.attacked_by[me][Role::Pawn.index()] = pawn_attacks;
        self.attacked_by[me][Role::King.index()] = king_attacks;
        let ahead = pawns.forward(us);
        self.attacked_twice[me] = ahead.east() & ahead.west() | pawn_attacks & king_attacks;
        self.attacked[me] = pawn_attacks | king_attacks;
        self.king_zone[me] = king_attacks | king_attacks.forward(us) | king.into();
        let enemy_pawns = self.board.pieces(!us, Role::Pawn);
        let stuck = pawns & self.board.occupied().forward(!us);
        self.mobility_area[me] =
            !(attacks::pawns(!us, enemy_pawns) | stuck | Bitboard::square(king));
    }

    fn pawns(&mut self, us: Color) {
        let (own, enemy) = (
            self.board.pieces(us, Role::Pawn),
            self.board.pieces(!us, Role::Pawn),
        );
        let kings = Kings::new(self, us);
        self.pawn_reach[us.index()] = attacks::pawns(us, own.fill_forward(us));

        for pawn in own {
            self.place(us, kings, Role::Pawn, pawn);
            let here = Bitboard::square(pawn);
            let rank = pawn.rank().relative_to(us).index();
            let file = Bitboard::file(pawn.file());
            let neighbours = file.east() | file.west();
            let way = here.forward(us).fill_forward(us);
            let beside = here.east() | here.west();

            let isolated = (neighbours & own).is_empty();
            let support = (beside | beside.forward(!us).fill_forward(!us)) & own;
            let stop = here.forward(us);
            let stop_guarded = attacks::pawns(!us, enemy) & stop;
            let backward = !isolated && support.is_empty() && stop_guarded.any();
            if isolated {
                self.add(us, &WEIGHTS.isolated[pawn.file().edge_distance()], 1);
            }
            if backward {
                self.add(us, &WEIGHTS.backward, 1);
            }
            if (isolated || backward) && (way & enemy).is_empty() {
                self.add(us, &WEIGHTS.weak_exposed, 1);
            }
            if (way & own).any() {
                self.add(us, &WEIGHTS.doubled, 1);
                if isolated {
                    self.add(us, &WEIGHTS.isolated_doubled, 1);
                }
            }
            if (stop & enemy).any() {
                self.add(us, &WEIGHTS.blocked[rank], 1);
            }
            if (beside & own).any() {
                self.add(us, &WEIGHTS.phalanx[rank], 1);
            }
            if (attacks::pawn(!us, pawn) & own).any() {
                self.add(us, &WEIGHTS.protected[rank], 1);
            } else if (attacks::pawn(us, pawn) & enemy).several() {
                self.add(us, &WEIGHTS.twice_attacked, 1);
            }
            if (way & self.board.role(Role::Pawn)).any() {
                continue;
            }
            let guards = (way.east() | way.west()) & enemy;
            if guards.is_empty() {
                self.passed |= here;
                self.add(us, &WEIGHTS.passed[rank], 1);
                if (attacks::pawn(!us, pawn) & own).any() {
                    self.add(us, &WEIGHTS.passed_protected[rank], 1);
                }
            } else if guards.count() <= support.count() {
                self.add(us, &WEIGHTS.candidate[rank], 1);
            }
        }
    }

    /// Passed pawns that help each other.
    fn connected_passed_pawns(&mut self, us: Color) {
        let passed = self.passed & self.board.color(us);
        for pawn in passed {
            let file = Bitboard::file(pawn.file());
            if (passed & (file.east() | file.west())).any() {
                let rank = pawn.rank().relative_to(us).index();
                self.add(us, &WEIGHTS.passed_connected[rank], 1);
            }
        }
    }

    /// How near the king is to the pawns, which it guards or attacks once the other pieces are gone.
    fn king_and_pawns(&mut self, us: Color) {
        let king = self.board.king(us);
        let pawns = self.board.role(Role::Pawn);
        if let Some(distance) = pawns.into_iter().map(|pawn| king.distance(pawn)).min() {
            self.add(us, &WEIGHTS.king_near_pawn[usize::from(distance)], 1);
        }
        if (pawns & wing(king)).is_empty() {
            self.add(us, &WEIGHTS.pawnless_wing, 1);
        }
    }

    /// The own and enemy pawns on the three files around the king.
    fn shelter(&mut self, us: Color) {
        let king = self.board.king(us);
        let home = king.rank().relative_to(us).index();
        let center = king.file().index().clamp(1, 6);
        // Pawns behind the king shelter nothing.
        let front = Bitboard(!0 << (8 * home)).relative_to(us);
        for file in File::ALL[center - 1..=center + 1].iter() {
            let edge = file.edge_distance();
            let rank_of = |color: Color| {
                let pawns = self.board.pieces(color, Role::Pawn) & Bitboard::file(*file) & front;
                nearest_rank(pawns, us)
            };
            let (own, enemy) = (rank_of(us), rank_of(!us));
            self.add(us, &WEIGHTS.shelter[edge][own], 1);
            self.add(us, &WEIGHTS.storm[edge][enemy], 1);
            self.endanger(us, &WEIGHTS.danger_shelter_pawn[edge][own], 1);
            self.endanger(us, &WEIGHTS.danger_storm[edge][enemy], 1);
        }
    }

    /// Whether the enemy has nothing left but pawns and its king is outside the pawn's square.
    #[inline(always)]
    fn runs_free(&self, us: Color, pawn: Square) -> bool {
        if self.board.non_pawns(!us).any() {
            return false;
        }
        let way = Bitboard::square(pawn).forward(us).fill_forward(us);
        let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(us));
        let steps = way.count().min(5);
        let lost = usize::from(self.position.side() != us);
        (way & self.board.color(us)).is_empty()
            && steps + lost < usize::from(goal.distance(self.board.king(!us)))
    }

    /// What passed pawns are worth with the pieces around them.
    #[inline(always)]
    pub(super) fn passed_pawns(&mut self, us: Color) {
        let (me, them) = (us.index(), (!us).index());
        let occupied = self.board.occupied();
        for pawn in self.passed & self.board.color(us) {
            let rank = pawn.rank().relative_to(us).index();
            let stop = pawn.forward(us);
            let way = Bitboard::square(pawn).forward(us).fill_forward(us);
            let behind = Bitboard::square(pawn).forward(!us).fill_forward(!us);
            if (behind & self.board.pieces(us, Role::Rook)).any() {
                self.add(us, &WEIGHTS.passed_rook_behind, 1);
            }
            if occupied.has(stop) {
                self.add(us, &WEIGHTS.passed_blocked[rank], 1);
            } else if !self.attacked[them].has(stop) {
                self.add(us, &WEIGHTS.passed_safe_step[rank], 1);
            }
            if (way & (occupied | self.attacked[them] & !self.attacked[me])).is_empty() {
                self.add(us, &WEIGHTS.passed_free_way[rank], 1);
            }
            if self.runs_free(us, pawn) {
                self.add(us, &WEIGHTS.passed_runner, 1);
            }
            if rank >= Rank::Fourth.index() {
                let own = usize::from(stop.distance(self.board.king(us)));
                let enemy = usize::from(stop.distance(self.board.king(!us)));
                self.add(us, &WEIGHTS.passed_own_king[own], 1);
                self.add(us, &WEIGHTS.passed_enemy_king[enemy], 1);
            }
        }
    }
}

/// The rank, as `us` counts, of the pawn nearest to the first rank; 0 without a pawn.
fn nearest_rank(pawns: Bitboard, us: Color) -> usize {
    let seen = pawns.relative_to(us);
    seen.first()
        .map_or(0, |square: Square| square.rank().index())
}
