//! The Universal Chess Interface: lines in, lines out.

pub mod command;
pub mod parse;
