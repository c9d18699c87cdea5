//! Prelate.
pub mod attacks;
pub mod movegen;
pub mod position;
pub mod types;
