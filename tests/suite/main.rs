//! What a user of the crate or of the binary can see, all in one test program.

mod config;
mod options;
mod perft;
mod support;
mod uci_parse;
