//! From the sums of the hidden layer to the value of a position.

use super::activation::{activations, add_weighed};
use super::deep::Deep;
use super::network::{Block, Network};
use super::parameters::{LANES, SCALE, UNIT};
use super::threats::Threats;
use super::vector::{self, FINER};
use crate::position::{Board, Position};
use crate::types::Color;

/// What an output makes of a position, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// All of it.
    pub total: i32,
    /// What the bishop pair, or the opponent's, adds to it.
    pub bishop_pair: i32,
    /// By how much it would be less if nothing attacked anything, where the network sees threats.
    pub threats: Option<i32>,
}

/// The value of a position for the side to move, whose sums come first, in centipawns.
#[inline]
pub fn evaluate(network: &Network, sums: [&[Block]; 2], position: &Position) -> i32 {
    let (board, side) = (position.board(), position.side());
    let threats = || Threats::of_position(position);
    centipawns(raw(
        network,
        sums,
        board,
        side,
        threats,
        network.output(board),
    ))
}

/// The same of a board taken apart, by any of the outputs.
pub fn explain(
    network: &Network,
    sums: [&[Block]; 2],
    board: &Board,
    side: Color,
    output: usize,
) -> Value {
    let with = |threats| centipawns(raw(network, sums, board, side, || threats, output));
    let total = with(Threats::of(board, side));
    Value {
        total,
        threats: network.sees_threats().then(|| total - with(Threats::NONE)),
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
    threats: impl FnOnce() -> Threats,
    output: usize,
) -> i64 {
    let [own_weights, their_weights] = network.output_weights(output);
    let sum = match network.deep(output) {
        None => i64::from(weighed(own, own_weights) + weighed(their, their_weights)),
        Some(deep) => {
            let sides = [(own, own_weights), (their, their_weights)];
            by_layers(sides, deep, threats)
        }
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

/// The activations of both sides and the threats times their weights, and what further layers make
/// of them.
#[inline]
fn by_layers(
    sides: [(&[Block], &[Block]); 2],
    deep: &Deep,
    threats: impl FnOnce() -> Threats,
) -> i64 {
    let threats = deep.threats.as_ref().map(|weights| (threats(), weights));
    let beside = threats
        .as_ref()
        .map(|(threats, weights)| (threats, &weights.to_second));
    let sums = vector::sums(sides, &deep.to_second, beside);
    let mut output = i64::from(sums.output);
    if let Some((threats, weights)) = &threats {
        output += i64::from(weights.to_output(threats)) * i64::from(FINER);
    }
    output + (deep.value(sums.second) * UNIT as f32) as i64
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
