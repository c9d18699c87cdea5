//! What a line remembers of each of its plies.

use arrayvec::ArrayVec;

use super::history::{Continuation, Past, Squares};
use crate::types::{MAX_PLY, Move, Score};

/// A line of play.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The line that begins with `mv` and goes on with `rest`, as far as there is room.
pub(super) fn line_from(mv: Move, rest: &[Move]) -> Line {
    let moves = std::iter::once(mv).chain(rest.iter().copied());
    moves.take(MAX_PLY).collect()
}

/// One ply of the line under search: as much as a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Ply {
    /// The corrected evaluation for the side to move here; none in check.
    pub(super) eval: Option<Score>,
    /// The move made from here, and what it did.
    pub(super) mv: Option<Move>,
    pub(super) made: Continuation,
    /// Its place in the butterfly history, if it is quiet.
    pub(super) squares: Option<Squares>,
    /// Its number among the moves tried here, from 1.
    pub(super) number: usize,
    /// The move that the search of a singular extension leaves out here.
    pub(super) excluded: Option<Move>,
    /// By how many plies the move made from here was reduced.
    pub(super) reduction: i32,
    /// Beta cutoffs at this ply since the grandparent was entered.
    pub(super) cutoffs: u32,
    /// Extensions of more than one ply on the way here.
    pub(super) double_extensions: u32,
}

const _: () = assert!(size_of::<Ply>() == 64);

impl Ply {
    /// Nothing made, nothing known.
    const EMPTY: Self = Self {
        eval: None,
        mv: None,
        made: Continuation::NONE,
        squares: None,
        number: 0,
        excluded: None,
        reduction: 0,
        cutoffs: 0,
        double_extensions: 0,
    };
}

/// How many plies before the root there are, in which nothing was made: the farthest that a node looks
/// back.
const BEFORE: usize = 6;
/// How many there are from the root down: a few more than a line can have, so that a node may always
/// look at its children's.
const PLIES: usize = MAX_PLY + 4;

/// The plies of the line under search.
pub(super) struct Stack {
    plies: Box<[Ply; BEFORE + PLIES]>,
    /// The best line from each ply.
    lines: Box<[Line]>,
}

impl Default for Stack {
    fn default() -> Self {
        Self {
            plies: Box::new([Ply::EMPTY; _]),
            lines: vec![Line::new(); PLIES].into(),
        }
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Ply;
    #[inline]
    fn index(&self, ply: usize) -> &Ply {
        &self.plies[BEFORE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.plies[BEFORE + ply]
    }
}

impl Stack {
    /// Forgets the last search.
    pub(super) fn clear(&mut self) {
        self.plies.fill(Ply::EMPTY);
        self.lines.iter_mut().for_each(Line::clear);
    }

    /// The ply `distance` plies before `ply`, at most [`BEFORE`].
    #[inline]
    pub(super) fn before(&self, ply: usize, distance: usize) -> &Ply {
        &self.plies[BEFORE + ply - distance]
    }

    /// What was done `distance` plies before `ply`.
    #[inline]
    pub(super) fn made_before(&self, ply: usize, distance: usize) -> Continuation {
        self.before(ply, distance).made
    }

    /// The place in the butterfly history of the move made before `ply`, if it was quiet.
    #[inline]
    pub(super) fn squares_before(&self, ply: usize) -> Option<Squares> {
        self.before(ply, 1).squares
    }

    /// The earlier moves that the continuation histories ask for.
    #[inline]
    pub(super) fn past(&self, ply: usize) -> Past {
        [1, 2, 4, BEFORE].map(|distance| self.made_before(ply, distance))
    }

    /// The evaluation `distance` plies before `ply`, if there is one.
    #[inline]
    pub(super) fn eval_before(&self, ply: usize, distance: usize) -> Option<Score> {
        self.before(ply, distance).eval
    }

    /// The best line from a ply.
    #[inline]
    pub(super) fn pv(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }

    /// Forgets the best line from a ply.
    #[inline]
    pub(super) fn clear_pv(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Makes `mv` and the best line of the next ply the best line of this one.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let [this, next, ..] = &mut self.lines[ply..] else {
            return;
        };
        this.clear();
        this.push(mv);
        let room = this.remaining_capacity();
        this.extend(next.iter().copied().take(room));
    }
}
