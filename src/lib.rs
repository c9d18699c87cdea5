//! Prelate, a UCI chess engine, as a library.
//!
//! The crate is a house of floors. A module imports only from floors below it; nothing below
//! [`uci`] prints, and nothing below [`engine`] knows an option's name.
//!
//! | floor | module | what it is about |
//! |---|---|---|
//! | 8 | [`uci`] | the protocol: lines in, lines out, one loop |
//! | | [`tools`] | bench and other work that needs an engine but no protocol |
//! | 7 | [`engine`] | a game, its options and a search: the face of the library |
//! | 6 | [`search`] | finding the best move |
//! | | [`train`] | how a network learns from games |
//! | 5 | [`tablebase`] | endgame tables: results, and moves that keep them |
//! | 4 | [`eval`] | what a position is worth |
//! | 3 | [`movegen`] | legal moves, exchanges, notation, perft |
//! | 2 | [`position`] | board and state, make and unmake, draws, FEN |
//! | 1 | [`attacks`] | which squares a piece attacks |
//! | 0 | [`types`] | squares, bitboards, pieces, moves, scores |
//! | | [`memory`] | large values on large pages |
//!
//! Squares are numbered rank by rank from a1 = 0 to h8 = 63. Castling is the king taking its own
//! rook, so that Chess960 is no special case; only text knows other spellings.
//!
//! How a move flows:
//!
//! ```text
//! stdin thread --bytes--> uci::parse --Command--> loop ==Engine::go==> pool --Job--> workers
//!                                                ^  |                                  |
//!                                  stop: 1 atomic   |  +<---- Report (channel) --------+
//!                                                   uci::format --> uci::output
//! ```
//!
//! ```
//! use prelate::movegen::{legal, notation::san};
//! use prelate::position::Position;
//!
//! let position: Position = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1".parse()?;
//! let mates = legal(&position).into_iter().filter(|&mv| san(&position, mv).ends_with('#'));
//! assert_eq!(mates.count(), 4);
//! # Ok::<(), prelate::position::FenError>(())
//! ```

pub mod attacks;
pub mod engine;
pub mod eval;
pub mod memory;
pub mod movegen;
pub mod position;
pub mod search;
pub mod tablebase;
pub mod tools;
pub mod train;
pub mod types;
pub mod uci;
