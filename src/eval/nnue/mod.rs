//! A network that is updated efficiently (NNUE): what a position is worth, learned from games.
//!
//! Pieces on squares are the inputs. Each side sees them from where it sits, through the same hidden
//! layer; the output weighs both halves, the side to move first. The idea is Yu Nasu's (2018).

pub mod features;
pub mod network;

pub use network::{Network, NetworkError, Parameters};
