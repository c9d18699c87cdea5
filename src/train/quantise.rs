//! From the network in floating point to the one in whole numbers that plays, and what is lost.

use super::gradient::{Passes, SCALE, Target};
use super::minimum::minimum;
use super::model::{Model, Shape};
use super::plain::Plain;
use super::sample::Sample;
use crate::eval::nnue::NetworkError;
use crate::eval::nnue::deep::{MAX_WEIGHT, QS};
use crate::eval::nnue::parameters::{DeepParameters, Parameters, QA, QB, UNIT};

/// The weights rounded to the whole numbers of the file.
pub fn quantise(model: &Model, name: &str, recipe: u128) -> Parameters<'static> {
    let rounded = |weight: f32, one: i32| (weight * one as f32).round();
    let in_layer = |&weight: &f32| rounded(weight, QA) as i16;
    let to_output = |&weight: &f32| rounded(weight, QB) as i16;
    let in_output = |&weight: &f32| rounded(weight, UNIT) as i32;
    let largest = f32::from(MAX_WEIGHT);
    let to_second = |&weight: &f32| rounded(weight, QS).clamp(-largest, largest) as i8;
    let plain = Plain::from(model);
    Parameters {
        name: name.to_owned(),
        recipe,
        buckets: model.shape().buckets(),
        hidden: model.shape().hidden(),
        outputs: model.shape().outputs(),
        hidden_biases: plain.biases.iter().map(in_layer).collect(),
        hidden_weights: plain.inputs.iter().map(in_layer).collect(),
        output_weights: plain.outputs.iter().map(to_output).collect(),
        output_biases: plain.output_biases.iter().map(in_output).collect(),
        bishop_pair: plain.pairs.iter().map(in_output).collect(),
        deep: model.shape().is_deep().then(|| DeepParameters {
            to_second: plain.to_second.iter().map(to_second).collect(),
            second_biases: plain.second_biases,
            to_third: plain.to_third,
            third_biases: plain.third_biases,
            to_output: plain.to_output,
            threats_to_second: plain.threats_to_second.iter().map(to_second).collect(),
            threats_to_output: plain.threats_to_output.iter().map(to_output).collect(),
        }),
    }
}

/// The model in floating point whose weights are just those of a quantised network.
///
/// # Errors
///
/// Sizes that the engine does not know.
pub fn dequantise(parameters: &Parameters<'_>) -> Result<Model, NetworkError> {
    let small = |weights: &[i16], one: i32| -> Vec<f32> {
        weights.iter().map(|&x| f32::from(x) / one as f32).collect()
    };
    let large =
        |weights: &[i32]| -> Vec<f32> { weights.iter().map(|&x| x as f32 / UNIT as f32).collect() };
    let shape = Shape::new(
        parameters.buckets,
        parameters.hidden,
        parameters.outputs,
        parameters.deep.is_some(),
    )?;
    let mut plain = Plain {
        inputs: small(&parameters.hidden_weights, QA),
        biases: small(&parameters.hidden_biases, QA),
        outputs: small(&parameters.output_weights, QB),
        output_biases: large(&parameters.output_biases),
        pairs: large(&parameters.bishop_pair),
        ..Plain::zero(shape)
    };
    if let Some(deep) = &parameters.deep {
        let bytes = |weights: &[i8]| -> Vec<f32> {
            weights.iter().map(|&x| f32::from(x) / QS as f32).collect()
        };
        plain.to_second = bytes(&deep.to_second);
        plain.second_biases.clone_from(&deep.second_biases);
        plain.to_third.clone_from(&deep.to_third);
        plain.third_biases.clone_from(&deep.third_biases);
        plain.to_output.clone_from(&deep.to_output);
        plain.threats_to_second = bytes(&deep.threats_to_second);
        plain.threats_to_output = small(&deep.threats_to_output, QB);
    }
    Ok(plain.to_model(shape))
}

/// How far the outputs of two models are apart on samples, in centipawns: on average, and at most.
pub fn difference(passes: &Passes, one: &Model, other: &Model, samples: &[Sample]) -> (f32, f32) {
    let (mut sum, mut most) = (0.0, 0.0f32);
    let outputs = passes.outputs(one, samples);
    for (a, b) in outputs.iter().zip(passes.outputs(other, samples)) {
        let apart = (a - b).abs() * SCALE;
        sum += f64::from(apart);
        most = most.max(apart);
    }
    ((sum / samples.len().max(1) as f64) as f32, most)
}

/// The factor by which all outputs should be multiplied to fit the targets of samples best; 1 if
/// there are none.
pub fn best_scale(passes: &Passes, model: &Model, samples: &[Sample], target: Target) -> f32 {
    if samples.is_empty() {
        return 1.0;
    }
    let outputs = passes.outputs(model, samples);
    let points: Vec<f32> = samples.iter().map(|sample| target.points(sample)).collect();
    let loss = |factor: f32| -> f64 {
        let error =
            |(output, points): (&f32, &f32)| f64::from(target.expected(factor * output) - points);
        outputs
            .iter()
            .zip(&points)
            .map(|pair| error(pair).powi(2))
            .sum()
    };
    minimum(0.25..4.0, 1e-4, loss)
}

/// Multiplies all outputs of a model.
pub fn rescale(model: &mut Model, factor: f32) {
    for index in 0..model.columns() {
        for lane in model.column_mut(index).outputs.as_flattened_mut() {
            for weight in &mut lane.0 {
                *weight *= factor;
            }
        }
    }
    for output in 0..model.shape().outputs() {
        *model.output_bias_mut(output) *= factor;
        *model.pair_mut(output) *= factor;
        if let Some(deep) = model.deep_mut(output) {
            for lane in deep.to_output.iter_mut().chain(deep.threats_to_output) {
                for weight in &mut lane.0 {
                    *weight *= factor;
                }
            }
        }
    }
}
