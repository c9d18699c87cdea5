//! Prelate, a UCI chess engine that knows its bishops, as a library.

pub mod engine;
pub mod uci;
