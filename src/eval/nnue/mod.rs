//! A network that is updated efficiently (NNUE): what a position is worth, learned from games.
//!
//! Pieces on squares are the inputs. Each side sees them from where it sits, through the same hidden
//! layer; the output weighs both halves, the side to move first. The idea is Yu Nasu's (2018). Beside
//! the hidden layer, further layers see what the pieces attack.

pub mod accumulator;
mod activation;
pub mod deep;
mod embedded;
pub mod features;
pub mod file;
pub mod forward;
mod lanes;
pub mod network;
pub mod parameters;
pub mod reader;
pub mod report;
pub mod threats;
pub mod vector;

use crate::eval::endgame;
use crate::position::Position;
use crate::types::Score;

pub use accumulator::Accumulators;
pub use embedded::embedded;
pub use file::FileError;
pub use network::Network;
pub use parameters::{NetworkError, Parameters};

/// The value of a position for the side to move: what is known of it, or else what the network
/// says, less where a lead cannot be won. The accumulators have followed the line of play to it.
#[inline]
pub fn evaluate(position: &Position, accumulators: &mut Accumulators) -> Score {
    if let Some(score) = endgame::known(position) {
        return score;
    }
    let side = position.side();
    let value = accumulators.evaluate(position);
    let strong = if value >= 0 { side } else { !side };
    let scale = endgame::certain(position.board(), strong);
    Score(value.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0) * scale / endgame::FULL)
}
