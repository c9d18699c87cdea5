//! Tools that use the engine without its protocol.

pub mod bench;
pub mod build;
pub mod datagen;
pub mod speedtest;
pub mod tune;
pub mod viriformat;

/// What a tool that takes its time says meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A line that stays.
    Line(String),
    /// How far it has come; the next word on that may take its place.
    Progress(String),
}
