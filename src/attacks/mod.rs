//! Floor 1: which squares a piece attacks from where, on any board.

pub mod leapers;
pub mod lines;
pub mod sliding;

pub use leapers::{king, knight, pawn, pawns};
pub use lines::{between, through};
pub use sliding::{bishop, queen, rook};
