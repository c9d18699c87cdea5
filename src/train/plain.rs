//! Weights as plain lists in the order of the network's file, for whoever is not training.

use super::lane::{LANES, Lane};
use super::model::{Model, Shape};
use crate::eval::nnue::deep::{FEATURES, SECOND, THIRD};
use crate::eval::nnue::threats::THREATS;

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
    /// By output, neuron of the second layer, side and neuron; this list and those that
    /// follow are empty where there are no further layers.
    pub to_second: Vec<f32>,
    /// By output and neuron of the second layer.
    pub second_biases: Vec<f32>,
    /// By output, what the second layer passes on, and neuron of the third.
    pub to_third: Vec<f32>,
    /// By output and neuron of the third layer.
    pub third_biases: Vec<f32>,
    pub to_output: Vec<f32>,
    /// By output, neuron of the second layer and threat input.
    pub threats_to_second: Vec<f32>,
    /// By output and threat input.
    pub threats_to_output: Vec<f32>,
}

impl Plain {
    /// Lists of the right lengths, all zero.
    pub fn zero(shape: Shape) -> Self {
        let hidden = shape.hidden();
        let deep = usize::from(shape.is_deep()) * shape.outputs();
        Self {
            inputs: vec![0.0; shape.inputs() * hidden],
            biases: vec![0.0; hidden],
            outputs: vec![0.0; shape.outputs() * 2 * hidden],
            output_biases: vec![0.0; shape.outputs()],
            pairs: vec![0.0; shape.outputs()],
            to_second: vec![0.0; deep * SECOND * 2 * hidden],
            second_biases: vec![0.0; deep * SECOND],
            to_third: vec![0.0; deep * FEATURES * THIRD],
            third_biases: vec![0.0; deep * THIRD],
            to_output: vec![0.0; deep * THIRD],
            threats_to_second: vec![0.0; deep * SECOND * THREATS],
            threats_to_output: vec![0.0; deep * THREATS],
        }
    }

    /// The lists, one after the other.
    pub fn lists(&self) -> [&[f32]; 12] {
        [
            &self.inputs,
            &self.biases,
            &self.outputs,
            &self.output_biases,
            &self.pairs,
            &self.to_second,
            &self.second_biases,
            &self.to_third,
            &self.third_biases,
            &self.to_output,
            &self.threats_to_second,
            &self.threats_to_output,
        ]
    }

    /// As [`Plain::lists`], to be filled.
    pub fn lists_mut(&mut self) -> [&mut [f32]; 12] {
        [
            &mut self.inputs,
            &mut self.biases,
            &mut self.outputs,
            &mut self.output_biases,
            &mut self.pairs,
            &mut self.to_second,
            &mut self.second_biases,
            &mut self.to_third,
            &mut self.third_biases,
            &mut self.to_output,
            &mut self.threats_to_second,
            &mut self.threats_to_output,
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
            plain.take_deep(model, output);
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
            self.give_deep(&mut model, output);
        }
        model
    }

    fn take_deep(&mut self, model: &Model, output: usize) {
        let Some(deep) = model.deep(output) else {
            return;
        };
        let put_row = |list: &mut [f32], row: usize, lanes: &[Lane]| {
            let start = row * lanes.len() * LANES;
            for (target, lane) in list[start..].chunks_exact_mut(LANES).zip(lanes) {
                target.copy_from_slice(&lane.0);
            }
        };
        let put = |list: &mut [f32], lanes: &[Lane]| put_row(list, output, lanes);
        for (neuron, seen) in deep
            .to_second
            .chunks_exact(model.shape().seen())
            .enumerate()
        {
            let row = output * SECOND + neuron;
            let (hidden, threats) = seen.split_at(2 * model.columns());
            put_row(&mut self.to_second, row, hidden);
            put_row(&mut self.threats_to_second, row, threats);
        }
        let second_biases = &mut self.second_biases[output * SECOND..][..SECOND];
        second_biases.copy_from_slice(&deep.second_biases.0[..SECOND]);
        put(&mut self.to_third, deep.to_third.as_flattened());
        put(&mut self.third_biases, deep.third_biases);
        put(&mut self.to_output, deep.to_output);
        put(&mut self.threats_to_output, deep.threats_to_output);
    }

    fn give_deep(&self, model: &mut Model, output: usize) {
        let (columns, seen) = (model.columns(), model.shape().seen());
        let Some(deep) = model.deep_mut(output) else {
            return;
        };
        let get_row = |list: &[f32], row: usize, lanes: &mut [Lane]| {
            let start = row * lanes.len() * LANES;
            for (source, lane) in list[start..].chunks_exact(LANES).zip(lanes) {
                lane.0.copy_from_slice(source);
            }
        };
        let get = |list: &[f32], lanes: &mut [Lane]| get_row(list, output, lanes);
        for (neuron, seen) in deep.to_second.chunks_exact_mut(seen).enumerate() {
            let row = output * SECOND + neuron;
            let (hidden, threats) = seen.split_at_mut(2 * columns);
            get_row(&self.to_second, row, hidden);
            get_row(&self.threats_to_second, row, threats);
        }
        let second_biases = &self.second_biases[output * SECOND..][..SECOND];
        deep.second_biases.0[..SECOND].copy_from_slice(second_biases);
        get(&self.to_third, deep.to_third.as_flattened_mut());
        get(&self.third_biases, deep.third_biases);
        get(&self.to_output, deep.to_output);
        get(&self.threats_to_output, deep.threats_to_output);
    }
}
