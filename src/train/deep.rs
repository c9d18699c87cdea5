//! The second and third layer: what they add to an output, and how that depends on each weight.
//!
//! A few neurons of an output's own look at the whole hidden layer and the threats. They pass on what they are
//! within 0 and 1, and their squares; the third layer passes on squares. What it all adds up to is
//! added to what the hidden layer says by itself.

use std::array;
use std::ops::RangeInclusive;

use super::lane::Lane;
use super::model::{Deep, DeepMut, THIRD_LANES, THREAT_LANES};
use crate::eval::nnue::deep::{FEATURES, SECOND};

/// The neurons of a sample before activation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layers {
    second: Lane,
    third: [Lane; THIRD_LANES],
}

/// The layers above what a second layer sees; what they and the threats add to the output.
pub fn forward(weights: &Deep<'_>, seen: &[Lane]) -> (Layers, f32) {
    let mut second = *weights.second_biases;
    let rows = weights.to_second.chunks_exact(seen.len());
    for (neuron, row) in second.0.iter_mut().zip(rows) {
        *neuron += product(seen, row);
    }
    let mut third = *weights.third_biases;
    for (feature, row) in features(&second).into_iter().zip(weights.to_third) {
        add_times(&mut third, feature, row);
    }
    let output = product(&third.map(|neurons| neurons.squared()), weights.to_output)
        + product(threats(seen), weights.threats_to_output);
    (Layers { second, third }, output)
}

/// The part of what a second layer sees that is no hidden neuron.
fn threats(seen: &[Lane]) -> &[Lane] {
    &seen[seen.len() - THREAT_LANES..]
}

/// Adds the slopes of the loss by each weight, from that by the output; writes those by what a
/// second layer sees.
pub fn backward(
    weights: &Deep<'_>,
    slopes: &mut DeepMut<'_>,
    layers: &Layers,
    slope: f32,
    seen: &[Lane],
    by_seen: &mut [Lane],
) {
    let mut by_third = [Lane::default(); THIRD_LANES];
    let squares = layers.third.map(|neurons| neurons.squared());
    add_times(slopes.to_output, slope, &squares);
    add_times(slopes.threats_to_output, slope, threats(seen));
    for (index, by_neurons) in by_third.iter_mut().enumerate() {
        by_neurons.add_times(slope, &weights.to_output[index]);
        *by_neurons = by_neurons.by_neurons(&layers.third[index]);
        slopes.third_biases[index].add(by_neurons);
    }
    let mut by_features = [0.0; FEATURES];
    let features = features(&layers.second);
    for (index, by_feature) in by_features.iter_mut().enumerate() {
        *by_feature = product(&by_third, &weights.to_third[index]);
        add_times(&mut slopes.to_third[index], features[index], &by_third);
    }
    let mut by_second = Lane::default();
    for lane in 0..SECOND {
        let neuron = layers.second.0[lane];
        let is_inside = |range: RangeInclusive<f32>| f32::from(range.contains(&neuron));
        by_second.0[lane] = by_features[lane] * is_inside(0.0..=1.0)
            + by_features[SECOND + lane] * 2.0 * neuron * is_inside(-1.0..=1.0);
    }
    slopes.second_biases.add(&by_second);
    by_seen.fill(Lane::default());
    let rows = weights.to_second.chunks_exact(seen.len());
    let slope_rows = slopes.to_second.chunks_exact_mut(seen.len());
    for ((by_neuron, row), slope_row) in by_second.0.into_iter().zip(rows).zip(slope_rows) {
        add_times(by_seen, by_neuron, row);
        add_times(slope_row, by_neuron, seen);
    }
}

/// The sum of the products of two rows.
fn product(one: &[Lane], other: &[Lane]) -> f32 {
    let mut sum = Lane::default();
    for (one, other) in one.iter().zip(other) {
        sum.add_products(one, other);
    }
    sum.sum()
}

/// Adds a row, each number multiplied.
fn add_times(row: &mut [Lane], factor: f32, other: &[Lane]) {
    for (row, other) in row.iter_mut().zip(other) {
        row.add_times(factor, other);
    }
}

/// What the second layer passes on.
fn features(second: &Lane) -> [f32; FEATURES] {
    array::from_fn(|index| match index {
        0..SECOND => second.0[index].clamp(0.0, 1.0),
        _ => second.0[index - SECOND].powi(2).min(1.0),
    })
}
