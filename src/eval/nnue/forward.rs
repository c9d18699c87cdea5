//! From the sums of the hidden layer to the value of a position.
//!
//! A neuron's activation is its sum, limited to 0 and 1 and squared (squared clipped ReLU).

use super::network::{ACTIVATION, Block, LANES, Network, QA, SCALE, UNIT};
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

/// In parts of [`UNIT`].
#[inline]
fn raw(
    network: &Network,
    [own, their]: [&[Block]; 2],
    board: &Board,
    side: Color,
    output: usize,
) -> i64 {
    let [own_weights, their_weights] = network.output_weights(output);
    let sum = weighed(own, own_weights) + weighed(their, their_weights);
    i64::from(sum)
        + i64::from(network.output_bias(output))
        + bishop_pair(network, board, side, output)
}

/// The weight of the bishop pair for the side that alone has it.
#[inline]
fn bishop_pair(network: &Network, board: &Board, side: Color, output: usize) -> i64 {
    let has = |side| i64::from(board.has_bishop_pair(side));
    i64::from(network.bishop_pair(output)) * (has(side) - has(!side))
}

#[inline]
fn centipawns(raw: i64) -> i32 {
    (raw * i64::from(SCALE) / i64::from(UNIT)) as i32
}

/// What the square of a sum is divided by to make an activation of it.
const SQUARE: i32 = QA * QA / ACTIVATION;
/// A sum times this, squared, has its activation in the upper 16 bits.
const STRETCH: i16 = 32;
const _: () =
    assert!((STRETCH as i32).pow(2) * SQUARE == 1 << 16 && QA * (STRETCH as i32) < 1 << 15);

/// The activations times their weights.
#[inline]
fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    let mut pairs = [0; LANES / 2];
    for (sums, weights) in sums.iter().zip(weights) {
        add_weighed(&mut pairs, sums, weights);
    }
    pairs.iter().sum()
}

/// Adds a block's activations times their weights, in pairs of neighbours.
///
/// Both factors and the square before it is cut stay within 16 bits a lane, for which processors
/// have an instruction each: the upper half of a product, and products added in pairs.
#[inline]
fn add_weighed(pairs: &mut [i32; LANES / 2], sums: &Block, weights: &Block) {
    let activations = sums.0.map(|sum| {
        let clipped = sum.clamp(0, QA as i16) * STRETCH;
        ((i32::from(clipped) * i32::from(clipped)) >> 16) as i16
    });
    let product = |lane: usize| i32::from(activations[lane]) * i32::from(weights.0[lane]);
    for (pair, sum) in pairs.iter_mut().enumerate() {
        *sum += product(2 * pair) + product(2 * pair + 1);
    }
}
