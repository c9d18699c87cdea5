//! Tools that use the engine without its protocol.

pub mod bench;
pub mod datagen;
pub mod viriformat;
