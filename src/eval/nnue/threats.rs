//! Threat inputs: what pieces attack, counted for each side.
//!
//! Which piece hangs and where a check is safe, the hidden layer would have to learn for every pair
//! of squares. Beside it the second layer and the outputs see these few counts, which are learned
//! from few positions. Each is a byte, in which [`ONE`] stands for 1.0.

use std::array;

use crate::attacks;
use crate::position::{Attacks, Board, Position};
use crate::types::{Bitboard, Color, Role};

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

/// The counts of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Threats(pub [u8; THREATS]);

impl Threats {
    /// Nothing attacks anything.
    pub const NONE: Self = Self([0; THREATS]);

    /// The counts of a board with `side` to move.
    pub fn of(board: &Board, side: Color) -> Self {
        let attacks = |color| Attacks::of(board, color, board.occupied());
        Self::between(board, side, &attacks(side), &attacks(!side))
    }

    /// The same for a position, which knows half of the attacks already. In check it does not: it
    /// looks through the king.
    #[inline]
    pub fn of_position(position: &Position) -> Self {
        let (board, side) = (position.board(), position.side());
        if position.in_check() {
            return Self::of(board, side);
        }
        let own = Attacks::of(board, side, board.occupied());
        Self::between(board, side, &own, &position.state().attacks)
    }

    #[inline(always)]
    fn between(board: &Board, side: Color, own: &Attacks, their: &Attacks) -> Self {
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
        Self(counts.bytes)
    }
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

    /// Puts down what threatens the pieces of one side, and what its pieces threaten their king with.
    /// The order is part of what a network means, and that of [`WORTH`].
    #[inline(always)]
    fn add_side(&mut self, board: &Board, us: Color, own: &Attacks, their: &Attacks) {
        let (own_all, their_all) = (own.all(), their.all());
        let pieces = |role| board.pieces(us, role);
        let hanging = their_all & !own_all;
        self.add_roles(&TAKEABLE, |role| pieces(role) & hanging);
        self.add_roles(&PIECES, |role| pieces(role) & their.by_cheaper(role));
        self.add_roles(&TAKEABLE, |role| pieces(role) & their.minors());
        self.add_roles(&TAKEABLE, |role| pieces(role) & their.rooks);
        self.add_roles(&TAKEABLE, |role| pieces(role) & their.queens);
        self.add_roles(&PIECES[2..], |role| pieces(role) & their.pawns);

        // Squares for a safe check, by role.
        let occupied = board.occupied();
        let only_king = their_all & !their.but_king();
        let safe = !board.color(us) & (!their_all | only_king & own_all);
        let king = board.king(!us);
        let (bishop, rook) = (
            attacks::bishop(king, occupied),
            attacks::rook(king, occupied),
        );
        self.add(attacks::knight(king) & own.knights & safe);
        self.add(bishop & own.bishops & safe);
        self.add(rook & own.rooks & safe);
        self.add((bishop | rook) & own.queens & safe);

        // Where the own king can go; pieces that a pawn could attack by one safe step.
        self.add(own.king & !board.color(us) & !their_all);
        let ahead = pieces(Role::Pawn).forward(us) & !occupied & !their.pawns;
        let steps = ahead & (own_all | !their_all);
        let targets = board.color(!us) & !board.role(Role::Pawn);
        self.add(attacks::pawns(us, steps) & targets);
    }
}
