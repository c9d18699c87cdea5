//! Move histories: which moves caused cutoffs and which failed, learnt during the search, for move
//! ordering, reductions and pruning.

use bytemuck::Zeroable;

use super::parameters as p;
use super::prefetch::prefetch;
use crate::memory::LARGE_PAGE;
use crate::position::Position;
use crate::types::{Bitboard, Move, Piece, Role, Square};

/// The largest absolute value of an entry.
const LIMIT: i32 = 16_384;

/// Pairs of squares.
const FROM_TO: usize = 64 * 64;

/// Cases of a move: whether its origin and its target are attacked.
const THREATS: usize = 4;

/// Rows of the pawn history; pawn structures share them by their keys.
const PAWN_STRUCTURES: usize = 512;

/// A history value. Each bonus moves it the less the nearer it is to the limit ("history gravity").
#[derive(Clone, Copy, Default, Zeroable)]
pub(super) struct Gravity(i16);

impl Gravity {
    #[inline]
    pub(super) fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Keeps a part of the value, in 128ths.
    #[inline]
    fn fade(&mut self, part: i32) {
        self.0 = (i32::from(self.0) * part / 128) as i16;
    }
}

/// An earlier move as continuation history sees it: the piece and its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Continuation(u16);

impl Continuation {
    /// No move, or a null move. It has a row of its own, so that it is no special case.
    pub(super) const NONE: Self = Self(Self::MOVES as u16);
    /// Pieces and the squares they reach.
    const MOVES: usize = 12 * 64;
    /// These, and [`Continuation::NONE`].
    const COUNT: usize = Self::MOVES + 1;

    #[inline]
    pub(super) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to.index()) as u16)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a quiet move in the butterfly history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares(u16);

impl Squares {
    const COUNT: usize = 2 * THREATS * FROM_TO;

    /// That of a legal quiet move.
    #[inline]
    pub(super) fn new(position: &Position, mv: Move) -> Self {
        let row = threat_row(position.state().threats, mv);
        Self(((position.side().index() * THREATS + row) * FROM_TO + mv.from_to()) as u16)
    }
}

const _: () = assert!(Squares::COUNT <= 1 << 16);

/// The moves before a node that continuation history looks at: one, two, four and six plies ago.
pub(super) type Past = [Continuation; 4];

/// Values by the piece that moves and the square it reaches. Those of a piece fill two lines of the
/// cache.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct PieceTo([Gravity; Continuation::MOVES]);

impl PieceTo {
    const EMPTY: Self = Self([Gravity(0); Continuation::MOVES]);

    /// Prefetches the values of a piece.
    #[inline(always)]
    fn prefetch(&self, piece: Piece) {
        let first = Continuation::new(piece, Square::A1).index();
        for value in self.0[first..][..64].iter().step_by(32) {
            prefetch(value);
        }
    }
}

/// The histories of one thread.
#[derive(Zeroable)]
pub(super) struct History {
    /// Butterfly history with threats: by side to move, whether origin and target are attacked, and
    /// both squares.
    quiets: [[[Gravity; FROM_TO]; THREATS]; 2],
    /// Capture history: by moving piece, target square and captured role.
    captures: [[Gravity; 6]; Continuation::COUNT],
    /// Continuation history: by an earlier move and this one.
    continuations: [PieceTo; Continuation::COUNT],
    /// Pawn history: by the pawn structure and this move.
    pawns: [PieceTo; PAWN_STRUCTURES],
}

const _: () = assert!(size_of::<History>() <= LARGE_PAGE);

/// The row of a quiet move among those of its side: whether its squares are attacked.
#[inline]
fn threat_row(threats: Bitboard, mv: Move) -> usize {
    usize::from(threats.has(mv.from())) * 2 + usize::from(threats.has(mv.to()))
}

/// A move that is about to be made, as continuation history sees it.
#[inline]
pub(super) fn continuation(position: &Position, mv: Move) -> Continuation {
    match position.board().piece_on(mv.from()) {
        Some(piece) => Continuation::new(piece, mv.to()),
        None => Continuation::NONE,
    }
}

/// The captured role; a pawn for promotions without a capture.
#[inline]
fn victim(position: &Position, mv: Move) -> Role {
    if mv.is_en_passant() {
        return Role::Pawn;
    }
    position.board().role_on(mv.to()).unwrap_or(Role::Pawn)
}

#[inline]
fn pawn_row(position: &Position) -> usize {
    position.state().keys.pawns as usize % PAWN_STRUCTURES
}

impl History {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.quiets.fill([[Gravity::default(); FROM_TO]; THREATS]);
        self.captures.fill([Gravity::default(); 6]);
        self.continuations.fill(PieceTo::EMPTY);
        self.pawns.fill(PieceTo::EMPTY);
    }

    /// Readies the histories for the next search. The butterfly history knows least of where a move is
    /// played, and fades.
    pub(super) fn fade(&mut self) {
        let part = p::squares_kept();
        for value in self.quiets.as_flattened_mut().as_flattened_mut() {
            value.fade(part);
        }
    }

    /// What the histories say of the quiet moves of a position.
    #[inline]
    pub(super) fn quiets<'a>(&'a self, position: &'a Position, past: Past) -> Quiets<'a> {
        Quiets {
            position,
            squares: &self.quiets[position.side().index()],
            pawns: &self.pawns[pawn_row(position)],
            continuations: past.map(|earlier| &self.continuations[earlier.index()]),
        }
    }

    /// The capture history of a capture or promotion.
    #[inline]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        let this = continuation(position, mv).index();
        self.captures[this][victim(position, mv).index()].get()
    }

    /// Gives a quiet move a bonus, or a malus if negative, in all its histories.
    #[inline]
    pub(super) fn update_quiet(&mut self, position: &Position, past: Past, mv: Move, bonus: i32) {
        let this = continuation(position, mv).index();
        self.update_squares(Squares::new(position, mv), bonus);
        self.pawns[pawn_row(position)].0[this].add(bonus);
        self.update_continuations(past, this, bonus);
    }

    /// Gives a quiet move a bonus or malus in the butterfly history alone.
    #[inline]
    pub(super) fn update_squares(&mut self, squares: Squares, bonus: i32) {
        let values = self.quiets.as_flattened_mut().as_flattened_mut();
        values[usize::from(squares.0)].add(bonus);
    }

    /// Gives a move a bonus or malus in the continuation history alone.
    #[inline]
    pub(super) fn update_reply(&mut self, reply: Continuation, past: Past, bonus: i32) {
        self.update_continuations(past, reply.index(), bonus);
    }

    #[inline]
    fn update_continuations(&mut self, past: Past, this: usize, bonus: i32) {
        for earlier in past {
            if earlier != Continuation::NONE {
                self.continuations[earlier.index()].0[this].add(bonus);
            }
        }
    }

    /// Gives a capture or promotion a bonus or malus.
    #[inline]
    pub(super) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let this = continuation(position, mv).index();
        self.captures[this][victim(position, mv).index()].add(bonus);
    }
}

/// The histories of the quiet moves of one position: where they lie is worked out but once.
pub(super) struct Quiets<'a> {
    position: &'a Position,
    squares: &'a [[Gravity; FROM_TO]; THREATS],
    pawns: &'a PieceTo,
    continuations: [&'a PieceTo; 4],
}

impl Quiets<'_> {
    /// Prefetches what moves of the own pieces will read of the two rows that are seldom at hand: that of
    /// the pawn structure and that of the last move. The others were read for the nodes beside this one.
    #[inline]
    pub(super) fn prefetch(&self) {
        for role in Role::ALL {
            let piece = Piece::new(self.position.side(), role);
            self.pawns.prefetch(piece);
            self.continuations[0].prefetch(piece);
        }
    }

    /// The weighted sum of the histories of a move, which is `this` as continuation history sees it.
    #[inline]
    pub(super) fn of(&self, mv: Move, this: Continuation) -> i32 {
        let this = this.index();
        let row = threat_row(self.position.state().threats, mv);
        let [one, two, four, six] = self.continuations.map(|moves| moves.0[this].get());
        let sum = p::weight_squares() * self.squares[row][mv.from_to()].get()
            + p::weight_pawns() * self.pawns.0[this].get()
            + p::weight_one() * one
            + p::weight_two() * two
            + p::weight_four() * four
            + p::weight_six() * six;
        sum / 128
    }
}
