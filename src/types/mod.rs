//! Floor 0: the vocabulary of chess, small plain types that cannot hold a wrong value.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use color::Color;
pub use moves::{MAX_MOVES, MOVES_AT_ONCE, Move, MoveKind, MoveList};
pub use piece::{Piece, Role};
pub use score::{MAX_PLY, Score};
pub use square::{File, Rank, Square};
