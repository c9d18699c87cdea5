//! Forward and backward: what the network says of samples, and how its loss depends on each weight.
//!
//! Samples are taken in slices. Of each slice one column of neurons is worked through after the
//! other, so that a column's weights come from the nearest cache for all samples of the slice.

use std::array;
use std::thread;

use super::deep::{self, Layers};
use super::lane::{LANES, Lane};
use super::model::{Model, THREAT_LANES};
use super::sample::{Active, InputTable, Sample};
use crate::eval::nnue::threats;

/// What the network is to learn of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// How much the result of the game counts against the score of the search, from 0 to 1.
    pub result_weight: f32,
    /// The score in centipawns at which the side to move is expected to score e to 1.
    pub scale: f32,
}

/// Centipawns that an output of 1 stands for.
pub const SCALE: f32 = 400.0;

/// What odds mean as points from 0 to 1, from their logarithm.
#[inline]
pub fn sigmoid(logarithm: f32) -> f32 {
    1.0 / (1.0 + (-logarithm).exp())
}

impl Target {
    /// The points that the network shall expect, from 0 to 1.
    #[inline]
    pub fn points(self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        sample.result.points().map_or(score, |result| {
            score + self.result_weight * (result - score)
        })
    }

    /// The points that an output of the network expects, from 0 to 1.
    #[inline]
    pub fn expected(self, output: f32) -> f32 {
        sigmoid(self.per_output() * output)
    }

    /// What an output of 1 is on the scale of points.
    fn per_output(self) -> f32 {
        SCALE / self.scale
    }
}

/// Samples of a slice: so many that the weights of a column are loaded rarely, so few that their
/// neurons stay in the cache.
const SLICE: usize = 64;

/// The memory that one thread works in.
struct Scratch {
    active: Vec<Active>,
    /// The neurons before activation, by column, sample and side.
    neurons: Vec<[Lane; 2]>,
    /// The output of each sample, still to be summed over the lanes; and its slope of the loss.
    sums: Vec<Lane>,
    slopes: Vec<f32>,
    /// The further layers of each sample, if the network has such, and what they add to its output.
    layers: Vec<Layers>,
    added: Vec<f32>,
    /// By sample: what a second layer sees, and the slopes of the loss by it; zero where there is none.
    seen: Vec<Lane>,
    by_seen: Vec<Lane>,
}

/// Passes samples forward and, where asked, backward.
#[derive(Default)]
pub struct Passes {
    table: InputTable,
}

impl Passes {
    /// What the model says of each sample, to be multiplied by [`SCALE`] for centipawns.
    pub fn outputs(&self, model: &Model, samples: &[Sample]) -> Vec<f32> {
        let mut scratch = Scratch::new(model);
        let mut outputs = Vec::with_capacity(samples.len());
        for slice in samples.chunks(SLICE) {
            self.forward(model, slice, &mut scratch);
            outputs.extend((0..slice.len()).map(|index| scratch.output(model, slice, index)));
        }
        outputs
    }

    /// The mean loss of samples.
    pub fn loss(&self, model: &Model, samples: &[Sample], target: Target, threads: usize) -> f64 {
        let part = samples.len().div_ceil(threads.max(1)).max(1);
        let error = |(output, sample): (f32, &Sample)| {
            f64::from(target.expected(output) - target.points(sample)).powi(2)
        };
        let sum: f64 = thread::scope(|scope| {
            let threads: Vec<_> = samples
                .chunks(part)
                .map(|part| {
                    scope.spawn(move || {
                        let outputs = self.outputs(model, part);
                        outputs.into_iter().zip(part).map(error).sum::<f64>()
                    })
                })
                .collect();
            let losses = threads.into_iter().map(|thread| thread.join());
            losses.fold(0.0, |sum, loss| sum + loss.expect("no thread panics"))
        });
        sum / samples.len().max(1) as f64
    }

    /// Adds the slopes of the loss to `gradient`, each sample counting `share`; the sum of the
    /// squared errors of the samples.
    pub fn accumulate(
        &self,
        model: &Model,
        samples: &[Sample],
        target: Target,
        share: f32,
        gradient: &mut Model,
    ) -> f64 {
        let mut scratch = Scratch::new(model);
        let mut loss = 0.0;
        for slice in samples.chunks(SLICE) {
            self.forward(model, slice, &mut scratch);
            for (index, sample) in slice.iter().enumerate() {
                let points = target.expected(scratch.output(model, slice, index));
                let error = points - target.points(sample);
                loss += f64::from(error * error);
                let slope = points * (1.0 - points) * target.per_output();
                scratch.slopes[index] = 2.0 * error * slope * share;
            }
            backward(model, slice, &mut scratch, gradient);
        }
        loss
    }

    /// Fills the scratch with the neurons of a slice and its outputs, lane by lane.
    fn forward(&self, model: &Model, slice: &[Sample], scratch: &mut Scratch) {
        let shape = model.shape();
        let has_buckets = shape.buckets() > 1;
        scratch.active.clear();
        scratch.active.extend(
            slice
                .iter()
                .map(|sample| self.table.active(sample, has_buckets)),
        );
        scratch.sums[..slice.len()].fill(Lane::default());
        for index in 0..model.columns() {
            let column = model.column(index);
            let neurons = &mut scratch.neurons[index * SLICE..][..slice.len()];
            let sums = &mut scratch.sums[..slice.len()];
            for (((sample, active), neurons), sum) in
                slice.iter().zip(&scratch.active).zip(neurons).zip(sums)
            {
                let (mut own, mut theirs) = (*column.bias, *column.bias);
                for (of_own, of_theirs) in active.pairs() {
                    own.add(&column.inputs[of_own]);
                    theirs.add(&column.inputs[of_theirs]);
                }
                let weights = &column.outputs[shape.output(sample.pieces())];
                sum.add_products(&own.squared(), &weights[0]);
                sum.add_products(&theirs.squared(), &weights[1]);
                *neurons = [own, theirs];
            }
        }
        for (index, sample) in slice.iter().enumerate() {
            if let Some(weights) = model.deep(shape.output(sample.pieces())) {
                let seen = &mut scratch.seen[index * shape.seen()..][..shape.seen()];
                let (own, rest) = seen.split_at_mut(model.columns());
                let (theirs, threats) = rest.split_at_mut(model.columns());
                let neurons = scratch.neurons[index..].iter().step_by(SLICE);
                for ((neurons, own), theirs) in neurons.zip(own).zip(theirs) {
                    (*own, *theirs) = (neurons[0].squared(), neurons[1].squared());
                }
                threats.copy_from_slice(&threat_lanes(sample));
                (scratch.layers[index], scratch.added[index]) = deep::forward(&weights, seen);
            }
        }
    }
}

/// Adds the slopes of a slice to the gradient, from the slopes of its outputs.
fn backward(model: &Model, slice: &[Sample], scratch: &mut Scratch, gradient: &mut Model) {
    let shape = model.shape();
    for (index, sample) in slice.iter().enumerate() {
        let output = shape.output(sample.pieces());
        if let (Some(weights), Some(mut slopes)) = (model.deep(output), gradient.deep_mut(output)) {
            let row = index * shape.seen()..(index + 1) * shape.seen();
            let (seen, by_seen) = (&scratch.seen[row.clone()], &mut scratch.by_seen[row]);
            let (layers, slope) = (&scratch.layers[index], scratch.slopes[index]);
            deep::backward(&weights, &mut slopes, layers, slope, seen, by_seen);
        }
    }
    for index in 0..model.columns() {
        let weights = model.column(index);
        let column = gradient.column_mut(index);
        let neurons = &scratch.neurons[index * SLICE..][..slice.len()];
        let by_seen = scratch.by_seen.chunks_exact(shape.seen());
        for ((((sample, active), neurons), by_seen), &slope) in slice
            .iter()
            .zip(&scratch.active)
            .zip(neurons)
            .zip(by_seen)
            .zip(&scratch.slopes)
        {
            let output = shape.output(sample.pieces());
            let (weights, outputs) = (&weights.outputs[output], &mut column.outputs[output]);
            let [own, theirs] = array::from_fn(|side| {
                outputs[side].add_times(slope, &neurons[side].squared());
                let mut by_squares = by_seen[side * model.columns() + index];
                by_squares.add_times(slope, &weights[side]);
                by_squares.by_neurons(&neurons[side])
            });
            column.bias.add(&own);
            column.bias.add(&theirs);
            for (of_own, of_theirs) in active.pairs() {
                column.inputs[of_own].add(&own);
                column.inputs[of_theirs].add(&theirs);
            }
        }
    }
    for (sample, slope) in slice.iter().zip(&scratch.slopes) {
        let output = shape.output(sample.pieces());
        *gradient.output_bias_mut(output) += slope;
        *gradient.pair_mut(output) += slope * f32::from(sample.pair);
    }
}

/// The threats of a sample as a second layer sees them.
fn threat_lanes(sample: &Sample) -> [Lane; THREAT_LANES] {
    let threats = sample.threats().0;
    let (lanes, _) = threats.as_chunks::<LANES>();
    array::from_fn(|row| Lane(lanes[row].map(|count| f32::from(count) / f32::from(threats::ONE))))
}

impl Scratch {
    fn new(model: &Model) -> Self {
        Self {
            active: Vec::with_capacity(SLICE),
            neurons: vec![[Lane::default(); 2]; SLICE * model.columns()],
            sums: vec![Lane::default(); SLICE],
            slopes: vec![0.0; SLICE],
            layers: vec![Layers::default(); SLICE],
            added: vec![0.0; SLICE],
            seen: vec![Lane::default(); SLICE * model.shape().seen()],
            by_seen: vec![Lane::default(); SLICE * model.shape().seen()],
        }
    }

    /// What the model says of a sample of the slice that was passed forward.
    fn output(&self, model: &Model, slice: &[Sample], index: usize) -> f32 {
        let sample = &slice[index];
        let output = model.shape().output(sample.pieces());
        self.sums[index].sum()
            + self.added[index]
            + model.output_bias(output)
            + model.pair(output) * f32::from(sample.pair)
    }
}

/// The gradients of all threads, one after the other in a fixed order.
pub struct Gradients {
    parts: Vec<Model>,
}

impl Gradients {
    /// Room for the gradients of so many threads.
    pub fn new(model: &Model, threads: usize) -> Self {
        Self {
            parts: vec![Model::zero(model.shape()); threads.max(1)],
        }
    }

    /// The slopes of the mean loss of a batch; the mean loss. Each thread takes a part of the
    /// batch that depends only on its length and on the number of threads.
    pub fn compute(
        &mut self,
        passes: &Passes,
        model: &Model,
        batch: &[Sample],
        target: Target,
    ) -> f64 {
        let share = 1.0 / batch.len().max(1) as f32;
        let part = batch.len().div_ceil(self.parts.len()).max(1);
        let mut samples = batch.chunks(part);
        let loss: f64 = thread::scope(|scope| {
            let threads: Vec<_> = self
                .parts
                .iter_mut()
                .map(|gradient| {
                    let samples = samples.next().unwrap_or_default();
                    scope.spawn(move || {
                        gradient.rows_mut().fill(Lane::default());
                        passes.accumulate(model, samples, target, share, gradient)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no thread panics"))
                .sum()
        });
        loss * f64::from(share)
    }

    /// One for each thread; the gradient is their sum.
    pub fn parts(&self) -> &[Model] {
        &self.parts
    }
}
