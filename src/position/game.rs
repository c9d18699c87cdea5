//! A position with the moves that led to it: what repetition needs, and what unmake needs.

use super::{Position, Undo};
use crate::types::Move;

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    moves: Vec<Undo>,
    /// The key of every position before the present one.
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts here.
    pub const fn new(position: Position) -> Self {
        Self {
            position,
            moves: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// The position on the board.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played, oldest first, each with what it did.
    pub fn moves(&self) -> &[Undo] {
        &self.moves
    }

    /// Makes room for `plies` more moves, so that a search never allocates.
    pub fn reserve(&mut self, plies: usize) {
        self.moves.reserve(plies);
        self.keys.reserve(plies);
    }

    /// Plays a legal move, and returns what it did.
    #[inline]
    pub fn make(&mut self, mv: Move) -> &Undo {
        self.keys.push(self.position.key());
        self.moves.push_mut(self.position.make(mv))
    }

    /// Makes a null move, and returns what it did.
    #[inline]
    pub fn make_null(&mut self) -> &Undo {
        self.keys.push(self.position.key());
        self.moves.push_mut(self.position.make_null())
    }

    /// Takes back the last move, null or not; nothing at the start of the game.
    #[inline]
    pub fn unmake(&mut self) {
        if let Some(undo) = self.moves.pop() {
            self.position.unmake(&undo);
            self.keys.pop();
        }
    }

    /// The keys of the earlier positions that the present one could repeat, oldest first.
    #[inline]
    pub(super) fn past_keys(&self) -> &[u64] {
        let reversible = usize::from(self.position.state().reversible);
        &self.keys[self.keys.len().saturating_sub(reversible)..]
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}
