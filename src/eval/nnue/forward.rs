//! From the sums of the hidden layer to the value of a position.

use super::activation::{activations, add_weighed};
use super::deep::Deep;
use super::network::{Block, LANES, Network, SCALE, UNIT};
use super::vector;
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
    let sum = match network.deep(output) {
        None => i64::from(weighed(own, own_weights) + weighed(their, their_weights)),
        Some(deep) => by_layers([(own, own_weights), (their, their_weights)], deep),
    };
    sum + i64::from(network.output_bias(output)) + bishop_pair(network, board, side, output)
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

/// The activations of both sides times their weights, and what further layers make of them.
#[inline]
fn by_layers(sides: [(&[Block], &[Block]); 2], deep: &Deep) -> i64 {
    let sums = vector::sums(sides, &deep.to_second);
    i64::from(sums.output) + (deep.value(sums.second) * UNIT as f32) as i64
}

/// The activations times their weights.
#[inline]
fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    let mut pairs = [0; LANES / 2];
    for (sums, weights) in sums.iter().zip(weights) {
        add_weighed(&mut pairs, &activations(sums), weights);
    }
    pairs.iter().sum()
}
