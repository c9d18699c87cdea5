//! What a user of the crate or of the binary can see, all in one test program.

mod draws;
mod fen;
mod oracle;
mod perft;
mod see;
mod seeds;
mod support;
