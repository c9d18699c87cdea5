//! What a neuron passes on: its sum, limited to 0 and 1 and squared (squared clipped ReLU).

use super::network::Block;
use super::parameters::{ACTIVATION, LANES, QA};

/// What the square of a sum is divided by to make an activation of it.
const SQUARE: i32 = QA * QA / ACTIVATION;
/// A sum times this, squared, has its activation in the upper 16 bits.
pub const STRETCH: i16 = 32;
const _: () =
    assert!((STRETCH as i32).pow(2) * SQUARE == 1 << 16 && QA * (STRETCH as i32) < 1 << 15);

/// The activations of a block, in parts of [`ACTIVATION`].
///
/// The square before it is cut stays within 16 bits a lane, for whose upper half processors have an
/// instruction.
#[inline]
pub fn activations(sums: &Block) -> [i16; LANES] {
    sums.0.map(|sum| {
        let clipped = sum.clamp(0, QA as i16) * STRETCH;
        ((i32::from(clipped) * i32::from(clipped)) >> 16) as i16
    })
}

/// Adds a block's activations times their weights, in pairs of neighbours, for which processors
/// have an instruction, too.
#[inline]
pub fn add_weighed(pairs: &mut [i32; LANES / 2], activations: &[i16; LANES], weights: &Block) {
    let product = |lane: usize| i32::from(activations[lane]) * i32::from(weights.0[lane]);
    for (pair, sum) in pairs.iter_mut().enumerate() {
        *sum += product(2 * pair) + product(2 * pair + 1);
    }
}
