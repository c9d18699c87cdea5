//! Threat inputs: what pieces attack, counted for each side.
//!
//! Which piece hangs and where a check is safe, the hidden layer would have to learn for every pair
//! of squares. Beside it the second layer and the outputs see these few counts, which are learned
//! from few positions. Each is a byte, in which [`ONE`] stands for 1.0.

use crate::attacks;
use crate::position::{Attacks, Board, Position};
use crate::types::{Bitboard, Color, Role};

cfg_select! {
    all(target_feature = "avx512vbmi", target_feature = "avx512vpopcntdq") => { use avx512 as backend; }
    _ => { use plain as backend; }
}

/// How many there are: those of the side to move, then those of the other.
pub const THREATS: usize = 2 * COUNTS;
/// The byte that stands for 1.0: the largest.
pub const ONE: u8 = 128;

/// The counts of each side.
const COUNTS: usize = WORTH.len();
/// How many parts of [`ONE`] each count is worth a piece or square.
#[rustfmt::skip]
const WORTH: [u8; 32] = [
    // Pieces that hang, pawns first; those that a cheaper one attacks.
    16, 32, 32, 32, 32,
    32, 32, 32, 32,
    // Those that minor pieces attack, rooks, queens; rooks and queens that pawns attack.
    16, 32, 32, 32, 32,
    16, 32, 32, 32, 32,
    16, 32, 32, 32, 32,
    32, 32,
    // Safe checks by role, flights of the king, pieces that a step of a pawn attacks.
    16, 16, 16, 16, 8, 16,
];
/// How many of them are worth [`ONE`]: more count as so many.
const MOST: [u8; COUNTS] = {
    let mut most = [0; COUNTS];
    let mut index = 0;
    while index < COUNTS {
        most[index] = ONE / WORTH[index];
        index += 1;
    }
    most
};

/// The counts of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Threats(pub [u8; THREATS]);

impl Threats {
    /// Nothing attacks anything.
    pub const NONE: Self = Self([0; THREATS]);

    /// The counts of a board with `side` to move.
    pub fn of(board: &Board, side: Color) -> Self {
        backend::threats(board, side, &Attacks::of(board, !side, board.occupied()))
    }

    /// The same for a position, which knows half of the attacks already. In check it does not: it
    /// looks through the king.
    #[inline]
    pub fn of_position(position: &Position) -> Self {
        let (board, side) = (position.board(), position.side());
        if position.in_check() {
            return Self::of(board, side);
        }
        backend::threats(board, side, &position.state().attacks)
    }
}

/// Squares for a safe check by role, those where the own king can go, and pieces that a pawn could
/// attack by one safe step.
#[inline(always)]
fn chances(board: &Board, us: Color, own: &Attacks, their: &Attacks) -> [Bitboard; 6] {
    let (own_all, their_all) = (own.all(), their.all());
    let occupied = board.occupied();
    let only_king = their_all & !their.but_king();
    let safe = !board.color(us) & (!their_all | only_king & own_all);
    let king = board.king(!us);
    let [bishop, rook] = attacks::bishop_and_rook(king, occupied);
    let ahead = board.pieces(us, Role::Pawn).forward(us) & !occupied & !their.pawns;
    let steps = ahead & (own_all | !their_all);
    let targets = board.color(!us) & !board.role(Role::Pawn);
    [
        attacks::knight(king) & own.knights & safe,
        bishop & own.bishops & safe,
        rook & own.rooks & safe,
        (bishop | rook) & own.queens & safe,
        own.king & !board.color(us) & !their_all,
        attacks::pawns(us, steps) & targets,
    ]
}

/// Set by set.
#[cfg(any(
    test,
    not(all(target_feature = "avx512vbmi", target_feature = "avx512vpopcntdq"))
))]
mod plain {
    use std::array;

    use super::{COUNTS, MOST, THREATS, Threats, WORTH, chances};
    use crate::position::{Attacks, Board};
    use crate::types::{Bitboard, Color, Role};

    /// The roles that a cheaper one can attack.
    const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    /// Every role but the king.
    const TAKEABLE: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];

    /// The counts of a board, where what the other side attacks is known.
    #[inline(always)]
    pub fn threats(board: &Board, side: Color, their: &Attacks) -> Threats {
        let own = &Attacks::of(board, side, board.occupied());
        let mut counts = Counts {
            bytes: [0; THREATS],
            next: 0,
        };
        counts.add_side(board, side, own, their);
        counts.add_side(board, !side, their, own);
        debug_assert_eq!(counts.next, THREATS);
        for side in counts.bytes.as_chunks_mut::<COUNTS>().0 {
            *side = array::from_fn(|index| side[index].min(MOST[index]) * WORTH[index]);
        }
        Threats(counts.bytes)
    }

    /// Counts under way: each is put behind the one before.
    struct Counts {
        bytes: [u8; THREATS],
        next: usize,
    }

    impl Counts {
        /// Puts the number of squares down.
        #[inline(always)]
        fn add(&mut self, squares: Bitboard) {
            self.bytes[self.next] = squares.count() as u8;
            self.next += 1;
        }

        /// Puts down how many pieces of each role are in danger in some way.
        #[inline(always)]
        fn add_roles(&mut self, roles: &[Role], endangered: impl Fn(Role) -> Bitboard) {
            for &role in roles {
                self.add(endangered(role));
            }
        }

        /// Puts down what threatens the pieces of one side, and what its pieces threaten their king
        /// with. The order is part of what a network means, and that of [`WORTH`].
        #[inline(always)]
        fn add_side(&mut self, board: &Board, us: Color, own: &Attacks, their: &Attacks) {
            let pieces = |role| board.pieces(us, role);
            let hanging = their.all() & !own.all();
            self.add_roles(&TAKEABLE, |role| pieces(role) & hanging);
            self.add_roles(&PIECES, |role| pieces(role) & their.by_cheaper(role));
            self.add_roles(&TAKEABLE, |role| pieces(role) & their.minors());
            self.add_roles(&TAKEABLE, |role| pieces(role) & their.rooks);
            self.add_roles(&TAKEABLE, |role| pieces(role) & their.queens);
            self.add_roles(&PIECES[2..], |role| pieces(role) & their.pawns);
            for set in chances(board, us, own, their) {
                self.add(set);
            }
        }
    }
}

/// By AVX-512: a vector for each way to be in danger, with a lane for each role.
#[cfg(all(target_feature = "avx512vbmi", target_feature = "avx512vpopcntdq"))]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_and_si512, _mm512_mask_add_epi8, _mm512_mask_or_epi64,
        _mm512_maskz_loadu_epi64, _mm512_maskz_mov_epi64, _mm512_min_epu8, _mm512_or_si512,
        _mm512_permutex2var_epi8, _mm512_popcnt_epi64, _mm512_set_epi64, _mm512_set1_epi64,
        _mm512_slli_epi64,
    };
    use std::ops::Range;

    use super::{COUNTS, MOST, THREATS, Threats, WORTH, chances};
    use crate::position::{Attacks, Board};
    use crate::types::{Bitboard, Color};

    /// The lanes of each vector that are counted: roles from the pawn on, in the last one the chances.
    const VECTORS: [Range<usize>; 7] = [0..5, 1..5, 0..5, 0..5, 0..5, 3..5, 0..6];

    /// Where each count comes from: its lane, and in it the byte of its vector; those of the other side
    /// from a second register.
    const PLACES: [u8; THREATS] = {
        let mut places = [0; THREATS];
        let (mut next, mut vector) = (0, 0);
        while vector < VECTORS.len() {
            let mut lane = VECTORS[vector].start;
            while lane < VECTORS[vector].end {
                let place = (8 * lane + vector) as u8;
                places[next] = place;
                places[COUNTS + next] = 64 + place;
                next += 1;
                lane += 1;
            }
            vector += 1;
        }
        assert!(next == COUNTS);
        places
    };

    /// The counts of both sides that are worth so much at least.
    const fn worth(least: u8) -> u64 {
        let mut counts = 0;
        let mut index = 0;
        while index < THREATS {
            if WORTH[index % COUNTS] >= least {
                counts |= 1 << index;
            }
            index += 1;
        }
        counts
    }

    /// For both sides.
    const fn twice(side: [u8; COUNTS]) -> [u8; THREATS] {
        let mut both = [0; THREATS];
        let mut index = 0;
        while index < THREATS {
            both[index] = side[index % COUNTS];
            index += 1;
        }
        both
    }

    /// The counts of a board, where what the other side attacks is known.
    #[inline(always)]
    pub fn threats(board: &Board, side: Color, their: &Attacks) -> Threats {
        // SAFETY: the build is for processors that have these instructions.
        unsafe { both(board, side, their) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vpopcntdq")]
    fn both(board: &Board, side: Color, their: &Attacks) -> Threats {
        let own = &Attacks::of(board, side, board.occupied());
        let (own, their) = (
            counts(board, side, own, their, chances(board, side, own, their)),
            counts(board, !side, their, own, chances(board, !side, their, own)),
        );
        let places = bytemuck::cast(PLACES);
        let counts = _mm512_permutex2var_epi8(own, places, their);
        let counts = _mm512_min_epu8(counts, bytemuck::cast(const { twice(MOST) }));
        // Each is worth 8, 16 or 32.
        let sizes = _mm512_slli_epi64::<3>(counts);
        let sizes = _mm512_mask_add_epi8(sizes, const { worth(16) }, sizes, sizes);
        let sizes = _mm512_mask_add_epi8(sizes, const { worth(32) }, sizes, sizes);
        Threats(bytemuck::cast(sizes))
    }

    /// The counts of one side: in each lane a byte for each vector.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn counts(
        board: &Board,
        us: Color,
        own: &Attacks,
        their: &Attacks,
        chances: [Bitboard; 6],
    ) -> __m512i {
        let all = |set: Bitboard| _mm512_set1_epi64(set.0 as i64);
        let roles = board.roles();
        // SAFETY: the mask leaves out what lies behind the six roles.
        let roles = unsafe { _mm512_maskz_loadu_epi64(0b11_1111, roles.as_ptr().cast()) };
        let pieces = _mm512_and_si512(roles, all(board.color(us)));

        let [pawns, minors, rooks, queens] =
            [their.pawns, their.minors(), their.rooks, their.queens].map(all);
        // What is cheaper than a knight or bishop, than a rook, than a queen.
        let cheaper = _mm512_maskz_mov_epi64(0b1_1110, pawns);
        let cheaper = _mm512_mask_or_epi64(cheaper, 0b1_1000, cheaper, minors);
        let cheaper = _mm512_mask_or_epi64(cheaper, 0b1_0000, cheaper, rooks);
        let hanging = all(their.all() & !own.all());
        let count = |attacks| _mm512_popcnt_epi64(_mm512_and_si512(pieces, attacks));

        let [a, b, c, d, e, f] = chances.map(|set| set.0 as i64);
        let chances = _mm512_popcnt_epi64(_mm512_set_epi64(0, 0, f, e, d, c, b, a));
        let low = _mm512_or_si512(
            _mm512_or_si512(count(hanging), _mm512_slli_epi64::<8>(count(cheaper))),
            _mm512_or_si512(
                _mm512_slli_epi64::<16>(count(minors)),
                _mm512_slli_epi64::<24>(count(rooks)),
            ),
        );
        let high = _mm512_or_si512(
            _mm512_slli_epi64::<32>(count(queens)),
            _mm512_or_si512(
                _mm512_slli_epi64::<40>(count(pawns)),
                _mm512_slli_epi64::<48>(chances),
            ),
        );
        _mm512_or_si512(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Piece, Square};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Any pieces on any squares, from a few to a board full of them.
    #[test]
    fn backends_agree() {
        let mut random = SmallRng::seed_from_u64(5);
        for round in 0..20_000 {
            let mut board = Board::EMPTY;
            for square in Square::all() {
                let piece = Piece::ALL[random.random_range(0..10)];
                if random.random_range(0..64) < round % 65 {
                    board.put(square, piece);
                }
            }
            for piece in [Piece::WhiteKing, Piece::BlackKing] {
                let square = Square::from_index(random.random_range(0..64));
                if board.piece_on(square).is_none() {
                    board.put(square, piece);
                }
            }
            for side in Color::ALL {
                let their = Attacks::of(&board, !side, board.occupied());
                let expected = plain::threats(&board, side, &their);
                assert_eq!(
                    backend::threats(&board, side, &their),
                    expected,
                    "{board:?}"
                );
            }
        }
    }
}
