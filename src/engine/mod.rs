//! The library's face: the engine, its options and their file.

pub mod config;
pub mod options;
