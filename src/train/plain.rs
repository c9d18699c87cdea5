//! Weights as plain lists in the order of the network's file, for whoever is not training.

use super::model::{LANES, Model, Shape};
use crate::eval::nnue::features::INPUTS;

/// The numbers of a [`Model`], neurons side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// By input and neuron.
    pub inputs: Vec<f32>,
    /// By neuron.
    pub biases: Vec<f32>,
    /// By output, side (that to move first) and neuron.
    pub outputs: Vec<f32>,
    /// By output.
    pub output_biases: Vec<f32>,
    /// By output.
    pub pairs: Vec<f32>,
}

impl Plain {
    /// Lists of the right lengths, all zero.
    pub fn zero(shape: Shape) -> Self {
        let hidden = shape.hidden();
        Self {
            inputs: vec![0.0; INPUTS * hidden],
            biases: vec![0.0; hidden],
            outputs: vec![0.0; shape.outputs() * 2 * hidden],
            output_biases: vec![0.0; shape.outputs()],
            pairs: vec![0.0; shape.outputs()],
        }
    }

    /// The lists, one after the other.
    pub fn lists(&self) -> [&[f32]; 5] {
        [
            &self.inputs,
            &self.biases,
            &self.outputs,
            &self.output_biases,
            &self.pairs,
        ]
    }

    /// As [`Plain::lists`], to be filled.
    pub fn lists_mut(&mut self) -> [&mut [f32]; 5] {
        [
            &mut self.inputs,
            &mut self.biases,
            &mut self.outputs,
            &mut self.output_biases,
            &mut self.pairs,
        ]
    }
}

impl From<&Model> for Plain {
    fn from(model: &Model) -> Self {
        let shape = model.shape();
        let mut plain = Self::zero(shape);
        let hidden = shape.hidden();
        for index in 0..model.columns() {
            let column = model.column(index);
            let first = index * LANES;
            let put = |list: &mut [f32], row: usize, lanes: &[f32; LANES]| {
                list[row * hidden + first..][..LANES].copy_from_slice(lanes);
            };
            for (row, lane) in column.inputs.iter().enumerate() {
                put(&mut plain.inputs, row, &lane.0);
            }
            put(&mut plain.biases, 0, &column.bias.0);
            for (row, lane) in column.outputs.as_flattened().iter().enumerate() {
                put(&mut plain.outputs, row, &lane.0);
            }
        }
        for output in 0..shape.outputs() {
            plain.output_biases[output] = model.output_bias(output);
            plain.pairs[output] = model.pair(output);
        }
        plain
    }
}

impl Plain {
    /// The model of these numbers, which must be as many as its shape asks for.
    pub fn to_model(&self, shape: Shape) -> Model {
        let hidden = shape.hidden();
        let mut model = Model::zero(shape);
        for index in 0..model.columns() {
            let first = index * LANES;
            let get = |list: &[f32], row: usize, lanes: &mut [f32; LANES]| {
                lanes.copy_from_slice(&list[row * hidden + first..][..LANES]);
            };
            let column = model.column_mut(index);
            for (row, lane) in column.inputs.iter_mut().enumerate() {
                get(&self.inputs, row, &mut lane.0);
            }
            get(&self.biases, 0, &mut column.bias.0);
            for (row, lane) in column.outputs.as_flattened_mut().iter_mut().enumerate() {
                get(&self.outputs, row, &mut lane.0);
            }
        }
        for output in 0..shape.outputs() {
            *model.output_bias_mut(output) = self.output_biases[output];
            *model.pair_mut(output) = self.pairs[output];
        }
        model
    }
}
