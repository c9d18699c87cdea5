//! AdamW (Loshchilov and Hutter): steps scaled by the running mean and variance of the gradient,
//! and a pull of every weight towards zero.

use std::thread;

use super::gradient::Gradients;
use super::lane::{LANES, Lane};
use super::model::Model;

/// How fast the running mean and variance of the gradient forget.
const MEAN_KEPT: f32 = 0.9;
const VARIANCE_KEPT: f32 = 0.999;
/// Keeps a weight without gradient where it is.
const EPSILON: f32 = 1e-8;

/// The largest weight: 32 of them and a bias, rounded, still fit the 16 bits of a neuron's sum.
pub const LARGEST_WEIGHT: f32 = 1.9;

/// The optimiser with its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    /// By weight: the running mean and variance of its gradient.
    pub mean: Model,
    pub variance: Model,
    /// Steps taken.
    pub steps: u64,
    /// The part of a weight, times the rate, that each step takes off.
    pub decay: f32,
    /// The part of the rate at which all moves that lies below the second layer.
    pub hidden_rate: f32,
}

impl AdamW {
    /// An optimiser that has seen nothing.
    pub fn new(model: &Model, decay: f32) -> Self {
        Self {
            mean: Model::zero(model.shape()),
            variance: Model::zero(model.shape()),
            steps: 0,
            decay,
            hidden_rate: 1.0,
        }
    }

    /// Moves every weight against its gradient, by about `rate` at most.
    pub fn step(&mut self, model: &mut Model, gradients: &Gradients, rate: f32) {
        self.steps += 1;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let step = |rate| Step {
            rate,
            shrink: 1.0 - rate * self.decay,
            mean: 1.0 / (1.0 - MEAN_KEPT.powi(power)),
            variance: 1.0 / (1.0 - VARIANCE_KEPT.powi(power)),
        };
        let (below, above) = (step(rate * self.hidden_rate), step(rate));
        let first_above = model.first_deep_row();
        let threads = gradients.parts().len();
        let part = model.rows().len().div_ceil(threads);
        thread::scope(|scope| {
            let weights = model.rows_mut().chunks_mut(part);
            let means = self.mean.rows_mut().chunks_mut(part);
            let variances = self.variance.rows_mut().chunks_mut(part);
            for (index, ((weights, means), variances)) in
                weights.zip(means).zip(variances).enumerate()
            {
                scope.spawn(move || {
                    for offset in 0..weights.len() {
                        let row = index * part + offset;
                        let step = if row < first_above { below } else { above };
                        let mut slopes = Lane::default();
                        for gradient in gradients.parts() {
                            slopes.add(&gradient.rows()[row]);
                        }
                        step.take(
                            &slopes,
                            &mut weights[offset],
                            &mut means[offset],
                            &mut variances[offset],
                        );
                    }
                });
            }
        });
    }
}

/// What is the same for all weights of a step.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    shrink: f32,
    /// Corrections of mean and variance for having begun at zero.
    mean: f32,
    variance: f32,
}

impl Step {
    #[inline(always)]
    fn take(self, slopes: &Lane, weights: &mut Lane, means: &mut Lane, variances: &mut Lane) {
        for lane in 0..LANES {
            let slope = slopes.0[lane];
            let mean = MEAN_KEPT * means.0[lane] + (1.0 - MEAN_KEPT) * slope;
            let variance =
                VARIANCE_KEPT * variances.0[lane] + (1.0 - VARIANCE_KEPT) * slope * slope;
            means.0[lane] = mean;
            variances.0[lane] = variance;
            let moved =
                self.rate * self.mean * mean / ((self.variance * variance).sqrt() + EPSILON);
            let weight = weights.0[lane] * self.shrink - moved;
            weights.0[lane] = weight.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
        }
    }
}
