//! What a user of the crate or of the binary can see, all in one test program.

mod answers;
mod config;
mod contention;
mod draws;
mod driver;
mod eval;
mod fen;
mod floors;
mod licences;
mod manners;
mod memory;
mod network;
mod options;
mod oracle;
mod perft;
mod properties;
mod repeat;
mod scripted;
mod scripts;
mod see;
mod seeds;
mod selfplay;
mod session;
mod skips;
mod support;
mod tablebase;
mod tactics;
mod terminal;
mod training;
#[cfg(feature = "tune")]
mod tuning;
mod uci_parse;
mod viriformat;
mod words;
