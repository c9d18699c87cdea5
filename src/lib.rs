//! Prelate.
pub mod attacks;
pub mod engine;
pub mod eval;
pub mod movegen;
pub mod position;
pub mod search;
pub mod tools;
pub mod types;
pub mod uci;
