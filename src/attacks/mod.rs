//! Floor 1: which squares a piece attacks from where, on any board.

pub mod leapers;
pub mod lines;
pub mod pieces;
pub mod sliding;

pub use leapers::{king, kings, knight, pawn, pawns};
pub use lines::{between, through};
pub use pieces::of_pieces;
pub use sliding::{bishop, bishop_and_rook, queen, rook};
