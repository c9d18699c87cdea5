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

/// One ply of the line under search.
#[derive(Clone, Debug)]
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
    /// The best line from here.
    pub(super) pv: Line,
}

impl Default for Ply {
    fn default() -> Self {
        Self {
            eval: None,
            mv: None,
            made: Continuation::NONE,
            squares: None,
            number: 0,
            excluded: None,
            reduction: 0,
            cutoffs: 0,
            double_extensions: 0,
            pv: Line::new(),
        }
    }
}

impl Ply {
    /// Forgets everything, without touching the room of the line: there is much of it, and short
    /// searches begin often.
    fn clear(&mut self) {
        let Self {
            eval,
            mv,
            made,
            squares,
            number,
            excluded,
            reduction,
            cutoffs,
            double_extensions,
            pv,
        } = self;
        (*eval, *mv, *made) = (None, None, Continuation::NONE);
        (*squares, *number, *excluded, *reduction) = (None, 0, None, 0);
        (*cutoffs, *double_extensions) = (0, 0);
        pv.clear();
    }
}

/// The plies from the root down. A few more than a line can have, so that a node may always look
/// at its children's.
pub(super) struct Stack(Box<[Ply]>);

impl Default for Stack {
    fn default() -> Self {
        Self(vec![Ply::default(); MAX_PLY + 4].into_boxed_slice())
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Ply;
    #[inline]
    fn index(&self, ply: usize) -> &Ply {
        &self.0[ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.0[ply]
    }
}

impl Stack {
    /// Forgets the last search.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(Ply::clear);
    }

    /// What was done `distance` plies before `ply`.
    #[inline]
    pub(super) fn made_before(&self, ply: usize, distance: usize) -> Continuation {
        match ply.checked_sub(distance) {
            Some(earlier) => self.0[earlier].made,
            None => Continuation::NONE,
        }
    }

    /// The place in the butterfly history of the move made before `ply`, if it was quiet.
    #[inline]
    pub(super) fn squares_before(&self, ply: usize) -> Option<Squares> {
        ply.checked_sub(1)
            .and_then(|earlier| self.0[earlier].squares)
    }

    /// The earlier moves that the continuation histories ask for.
    #[inline]
    pub(super) fn past(&self, ply: usize) -> Past {
        [1, 2, 4, 6].map(|distance| self.made_before(ply, distance))
    }

    /// The evaluation `distance` plies before `ply`, if there is one.
    #[inline]
    pub(super) fn eval_before(&self, ply: usize, distance: usize) -> Option<Score> {
        ply.checked_sub(distance)
            .and_then(|earlier| self.0[earlier].eval)
    }

    /// Makes `mv` and the best line of the next ply the best line of this one.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let [this, next, ..] = &mut self.0[ply..] else {
            return;
        };
        this.pv.clear();
        this.pv.push(mv);
        let room = this.pv.remaining_capacity();
        this.pv.extend(next.pv.iter().copied().take(room));
    }
}
