//! The network in floating point, laid out for training.
//!
//! Neurons stand in columns, and each column holds all that its neurons need: the rows that
//! positions have in common stay in the nearest caches, where the whole layer does not fit.

use std::ops::Range;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::lane::{LANES, Lane};
use super::random::mix;
use crate::eval::nnue::NetworkError;
use crate::eval::nnue::deep::{FEATURES, SECOND, THIRD};
use crate::eval::nnue::features::BUCKET_INPUTS;
use crate::eval::nnue::network::output;
use crate::eval::nnue::parameters::{self, OUTPUTS, check_sizes};
use crate::eval::nnue::threats::THREATS;

/// The most outputs a network may have.
const MAX_OUTPUTS: usize = OUTPUTS[OUTPUTS.len() - 1];

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// King buckets.
    buckets: usize,
    /// Columns of hidden neurons.
    columns: usize,
    /// Outputs, from which the number of pieces chooses.
    outputs: usize,
    /// Whether each output has a second and a third layer.
    is_deep: bool,
}

impl Shape {
    /// A network of so many king buckets, hidden neurons a side and outputs, with further layers or
    /// without, or why the engine knows no such.
    pub fn new(
        buckets: usize,
        hidden: usize,
        outputs: usize,
        is_deep: bool,
    ) -> Result<Self, NetworkError> {
        check_sizes(buckets, hidden, outputs)?;
        Ok(Self {
            buckets,
            columns: hidden / LANES,
            outputs,
            is_deep,
        })
    }

    /// Whether each output has a second and a third layer.
    pub const fn is_deep(self) -> bool {
        self.is_deep
    }

    /// How many king buckets there are.
    pub const fn buckets(self) -> usize {
        self.buckets
    }

    /// Inputs of each side.
    pub const fn inputs(self) -> usize {
        self.buckets * BUCKET_INPUTS
    }

    /// Hidden neurons of each side.
    pub const fn hidden(self) -> usize {
        self.columns * LANES
    }

    /// How many outputs there are.
    pub const fn outputs(self) -> usize {
        self.outputs
    }

    /// The output that judges a position of so many pieces.
    #[inline]
    pub const fn output(self, pieces: usize) -> usize {
        output(pieces, self.outputs)
    }

    /// Rows of a column: one for each input, the biases, and two for each output.
    const fn rows(self) -> usize {
        self.inputs() + 1 + 2 * self.outputs
    }

    /// Rows that a neuron of the second layer sees: what the hidden neurons of both sides pass on,
    /// and the threats.
    pub const fn seen(self) -> usize {
        2 * self.columns + THREAT_LANES
    }

    /// Rows of the second and third layer of an output.
    const fn deep_rows(self) -> usize {
        if self.is_deep {
            self.seen() * SECOND + 1 + (FEATURES + 2) * THIRD_LANES + THREAT_LANES
        } else {
            0
        }
    }

    /// Where the row begins that belongs to outputs and not to neurons.
    const fn tail(self) -> usize {
        self.columns * self.rows()
    }
}

/// Rows that hold one number for each neuron of the third layer.
pub const THIRD_LANES: usize = THIRD / LANES;
const _: () = assert!(SECOND <= LANES && THIRD.is_multiple_of(LANES));
const _: () = assert!(
    parameters::LANES.is_multiple_of(LANES),
    "whole columns hold every network"
);

/// Rows that hold one number for each threat input.
pub const THREAT_LANES: usize = THREATS / LANES;
const _: () = assert!(THREATS.is_multiple_of(LANES));

/// One number for each weight of a network: the weights themselves, or the slopes of the loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    shape: Shape,
    /// All columns, then one row for what belongs to outputs and not to neurons, then the second
    /// and third layer of each output.
    rows: Vec<Lane>,
}

/// The second and third layer of an output.
pub struct Deep<'a> {
    /// By neuron of the second layer, and what it sees: each side's columns, then the threats.
    pub to_second: &'a [Lane],
    /// In the first lanes.
    pub second_biases: &'a Lane,
    /// By what the second layer passes on.
    pub to_third: &'a [[Lane; THIRD_LANES]; FEATURES],
    pub third_biases: &'a [Lane; THIRD_LANES],
    pub to_output: &'a [Lane; THIRD_LANES],
    pub threats_to_output: &'a [Lane; THREAT_LANES],
}

/// As [`Deep`], to be changed.
pub struct DeepMut<'a> {
    pub to_second: &'a mut [Lane],
    pub second_biases: &'a mut Lane,
    pub to_third: &'a mut [[Lane; THIRD_LANES]; FEATURES],
    pub third_biases: &'a mut [Lane; THIRD_LANES],
    pub to_output: &'a mut [Lane; THIRD_LANES],
    pub threats_to_output: &'a mut [Lane; THREAT_LANES],
}

/// The rows of one column.
pub struct Column<'a> {
    /// By input.
    pub inputs: &'a [Lane],
    pub bias: &'a Lane,
    /// By output: for the neurons of the side to move, and of its opponent.
    pub outputs: &'a [[Lane; 2]],
}

/// The rows of one column, to be changed.
pub struct ColumnMut<'a> {
    pub inputs: &'a mut [Lane],
    pub bias: &'a mut Lane,
    pub outputs: &'a mut [[Lane; 2]],
}

/// The inputs of a position that are on are about so many: it decides how large weights begin.
const USUAL_PIECES: f32 = 24.0;

impl Model {
    /// All numbers zero.
    pub fn zero(shape: Shape) -> Self {
        Self {
            shape,
            rows: vec![Lane::default(); shape.tail() + 1 + shape.outputs * shape.deep_rows()],
        }
    }

    /// Random weights: small enough that neurons begin within the range of their activation.
    pub fn random(shape: Shape, seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut model = Self::zero(shape);
        let mut fill = |lane: &mut Lane, bound: f32| {
            for weight in &mut lane.0 {
                *weight = random.random_range(-bound..bound);
            }
        };
        for index in 0..shape.columns {
            let column = model.column_mut(index);
            for row in column.inputs {
                fill(row, (1.0 / USUAL_PIECES).sqrt() / 2.0);
            }
            for row in column.outputs.as_flattened_mut() {
                fill(row, (1.0 / shape.hidden() as f32).sqrt());
            }
            column.bias.0.fill(0.25);
        }
        model.begin_deep(seed);
        model
    }

    /// Random weights for the second and third layer, if there are any, and none for threats: at the
    /// beginning they add nothing to the outputs.
    fn begin_deep(&mut self, seed: u64) {
        let mut random = SmallRng::seed_from_u64(mix(seed));
        let mut fill = |lane: &mut Lane, bound: f32| {
            for weight in &mut lane.0 {
                *weight = random.random_range(-bound..bound);
            }
        };
        let near = 4.0 / (self.shape.hidden() as f32).sqrt();
        let seen = self.shape.seen();
        for output in 0..self.shape.outputs {
            let Some(deep) = self.deep_mut(output) else {
                return;
            };
            for rows in deep.to_second.chunks_exact_mut(seen) {
                for row in &mut rows[..seen - THREAT_LANES] {
                    fill(row, near);
                }
            }
            deep.second_biases.0[..SECOND].fill(0.25);
            for row in deep.to_third.as_flattened_mut() {
                fill(row, (6.0 / FEATURES as f32).sqrt());
            }
        }
    }

    /// The same network with a second and a third layer that add nothing yet; itself if it has such.
    pub fn deepened(self, seed: u64) -> Self {
        if self.shape.is_deep {
            return self;
        }
        let mut deep = Self::zero(Shape {
            is_deep: true,
            ..self.shape
        });
        deep.rows[..self.rows.len()].copy_from_slice(&self.rows);
        deep.begin_deep(seed);
        deep
    }

    /// The same network with so many king buckets, where it has only one: all alike.
    pub fn with_buckets(self, buckets: usize) -> Self {
        if self.shape.buckets != 1 || buckets == 1 {
            return self;
        }
        let mut model = Self::zero(Shape {
            buckets,
            ..self.shape
        });
        for index in 0..self.columns() {
            let (from, to) = (self.column(index), model.column_mut(index));
            for inputs in to.inputs.chunks_exact_mut(BUCKET_INPUTS) {
                inputs.copy_from_slice(from.inputs);
            }
            *to.bias = *from.bias;
            to.outputs.copy_from_slice(from.outputs);
        }
        let (from, to) = (self.shape.tail(), model.shape.tail());
        model.rows[to..].copy_from_slice(&self.rows[from..]);
        model
    }

    /// The second and third layer of an output, if there are such.
    #[inline]
    pub fn deep(&self, output: usize) -> Option<Deep<'_>> {
        let range = self.deep_range(output)?;
        let (to_second, rest) = self.rows[range].split_at(self.shape.seen() * SECOND);
        let (second_biases, rest) = rest.split_first()?;
        let (threats_to_output, rest) = rest.split_first_chunk()?;
        let (rest, _) = rest.as_chunks();
        let (to_third, rest) = rest.split_first_chunk()?;
        Some(Deep {
            to_second,
            second_biases,
            to_third,
            third_biases: &rest[0],
            to_output: &rest[1],
            threats_to_output,
        })
    }

    /// As [`Model::deep`], to be changed.
    #[inline]
    pub fn deep_mut(&mut self, output: usize) -> Option<DeepMut<'_>> {
        let range = self.deep_range(output)?;
        let (to_second, rest) = self.rows[range].split_at_mut(self.shape.seen() * SECOND);
        let (second_biases, rest) = rest.split_first_mut()?;
        let (threats_to_output, rest) = rest.split_first_chunk_mut()?;
        let (rest, _) = rest.as_chunks_mut();
        let (to_third, rest) = rest.split_first_chunk_mut()?;
        let (third_biases, rest) = rest.split_first_mut()?;
        Some(DeepMut {
            to_second,
            second_biases,
            to_third,
            third_biases,
            to_output: &mut rest[0],
            threats_to_output,
        })
    }

    /// The first row of a second layer, or the end of all rows.
    pub const fn first_deep_row(&self) -> usize {
        self.shape.tail() + 1
    }

    fn deep_range(&self, output: usize) -> Option<Range<usize>> {
        let rows = self.shape.deep_rows();
        let start = self.first_deep_row() + output * rows;
        self.shape.is_deep.then_some(start..start + rows)
    }

    /// The sizes.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// All numbers, in the order of the training's own layout.
    pub fn rows(&self) -> &[Lane] {
        &self.rows
    }

    /// As [`Model::rows`], to be changed.
    pub fn rows_mut(&mut self) -> &mut [Lane] {
        &mut self.rows
    }

    /// Moves all numbers the same part of the way towards those of another model.
    pub fn approach(&mut self, other: &Self, part: f32) {
        for (lane, goal) in self.rows.iter_mut().zip(&other.rows) {
            for (number, goal) in lane.0.iter_mut().zip(goal.0) {
                *number += part * (goal - *number);
            }
        }
    }

    /// How many columns there are.
    pub const fn columns(&self) -> usize {
        self.shape.columns
    }

    /// One column.
    pub fn column(&self, index: usize) -> Column<'_> {
        let start = index * self.shape.rows();
        let rows = &self.rows[start..start + self.shape.rows()];
        let (inputs, rest) = rows.split_at(self.shape.inputs());
        let (outputs, _) = rest[1..].as_chunks();
        Column {
            inputs,
            bias: &rest[0],
            outputs,
        }
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, index: usize) -> ColumnMut<'_> {
        let start = index * self.shape.rows();
        let rows = &mut self.rows[start..start + self.shape.rows()];
        let (inputs, rest) = rows.split_at_mut(self.shape.inputs());
        let (bias, rest) = rest.split_first_mut().expect("a column has a bias");
        let (outputs, _) = rest.as_chunks_mut();
        ColumnMut {
            inputs,
            bias,
            outputs,
        }
    }

    fn tail(&self) -> &Lane {
        &self.rows[self.shape.tail()]
    }

    fn tail_mut(&mut self) -> &mut Lane {
        let tail = self.shape.tail();
        &mut self.rows[tail]
    }

    /// The bias of an output.
    pub fn output_bias(&self, output: usize) -> f32 {
        self.tail().0[output]
    }

    /// The bias of an output, to be changed.
    pub fn output_bias_mut(&mut self, output: usize) -> &mut f32 {
        &mut self.tail_mut().0[output]
    }

    /// The worth of the bishop pair to an output.
    pub fn pair(&self, output: usize) -> f32 {
        self.tail().0[MAX_OUTPUTS + output]
    }

    /// The worth of the bishop pair to an output, to be changed.
    pub fn pair_mut(&mut self, output: usize) -> &mut f32 {
        &mut self.tail_mut().0[MAX_OUTPUTS + output]
    }
}
