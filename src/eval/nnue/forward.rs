//! From the sums of the hidden layer to the value of a position.
//!
//! A neuron's activation is its sum, limited to 0 and 1 and squared (squared clipped ReLU).

use super::network::{Block, Network, QA, QB, SCALE};
use crate::position::Board;
use crate::types::Color;

/// What an output makes of a position, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// All of it.
    pub total: i32,
    /// What the bishop pair, or the opponent's, adds to it.
    pub bishop_pair: i32,
}

/// The value of a board for the side to move, whose sums come first, in centipawns.
#[inline]
pub fn evaluate(network: &Network, sums: [&[Block]; 2], board: &Board, side: Color) -> i32 {
    centipawns(raw(network, sums, board, side, network.output(board)))
}

/// The same taken apart, by any of the outputs.
pub fn explain(
    network: &Network,
    sums: [&[Block]; 2],
    board: &Board,
    side: Color,
    output: usize,
) -> Value {
    Value {
        total: centipawns(raw(network, sums, board, side, output)),
        bishop_pair: centipawns(bishop_pair(network, board, side, output)),
    }
}

/// In parts of [`QA`] times [`QB`].
#[inline]
fn raw(
    network: &Network,
    [own, their]: [&[Block]; 2],
    board: &Board,
    side: Color,
    output: usize,
) -> i32 {
    let [own_weights, their_weights] = network.output_weights(output);
    let sum = weighed(own, own_weights) + weighed(their, their_weights);
    sum / QA + network.output_bias(output) + bishop_pair(network, board, side, output)
}

/// The weight of the bishop pair for the side that alone has it.
#[inline]
fn bishop_pair(network: &Network, board: &Board, side: Color, output: usize) -> i32 {
    let has = |side| i32::from(board.has_bishop_pair(side));
    network.bishop_pair(output) * (has(side) - has(!side))
}

#[inline]
fn centipawns(raw: i32) -> i32 {
    (i64::from(raw) * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

/// The activations times their weights. The weight comes before the second factor of the square,
/// because their product still fits 16 bits: so the processor multiplies and adds in one step.
#[inline]
fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    let blocks = sums.iter().zip(weights);
    blocks
        .map(|(sums, weights)| weighed_block(sums, weights))
        .sum()
}

#[inline]
fn weighed_block(sums: &Block, weights: &Block) -> i32 {
    let lanes = sums.0.iter().zip(&weights.0);
    lanes
        .map(|(&sum, &weight)| {
            let clipped = sum.clamp(0, QA as i16);
            i32::from(clipped) * i32::from(clipped * weight)
        })
        .sum()
}
