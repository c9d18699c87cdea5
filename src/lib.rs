//! Prelate.
pub mod attacks;
pub mod eval;
pub mod movegen;
pub mod position;
pub mod types;
