//! The second and third layer of an output: what they add to what the hidden layer says by itself.
//!
//! A few neurons look at the whole hidden layer and the threat inputs through weights of a byte. What
//! follows is so little that it is worked out in floating point: always in the same order, so that
//! every machine comes to the same bits.

use std::array;

use super::lanes;
use super::threats::{self, THREATS, Threats};

/// Neurons of the second and of the third layer of each output.
pub const SECOND: usize = 8;
pub const THIRD: usize = 32;
/// The whole number that stands for 1.0 in the weights of the second layer.
pub const QS: i32 = 128;
/// What the second layer passes on: each neuron within 0 and 1, and its square, at most 1.
pub const FEATURES: usize = 2 * SECOND;

/// The largest activation and the largest weight of either sign: two products of them fit 16 bits.
pub const MAX_ACTIVATION: u8 = 128;
pub const MAX_WEIGHT: i8 = 127;
const _: () = assert!(threats::ONE == MAX_ACTIVATION, "one sum takes both");
/// Neighbouring neurons of the hidden layer whose bytes make a vector.
pub const BYTES: usize = 64;
/// What weights that are added up in 16 bits come to at most, without their signs and at the largest
/// activation.
pub const MAX_GROUP: i32 = i16::MAX as i32 / MAX_ACTIVATION as i32;

/// What 1.0 is in the sum of a neuron of the second layer.
const ONE: f32 = MAX_ACTIVATION as f32 * QS as f32;
/// Half of the third layer.
const LANES: usize = THIRD / 2;

/// What neighbouring neurons of the hidden layer weigh for a neuron of the second layer, up to
/// [`MAX_WEIGHT`] of either sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Weights(pub [i8; BYTES]);

/// The weights from the hidden to the second layer.
#[derive(Clone, Debug, PartialEq)]
pub struct ToSecond {
    rows: Box<[[Weights; SECOND]]>,
    are_light: bool,
}

impl ToSecond {
    /// Of a row for each block of the hidden layer, the side to move first.
    pub fn new(rows: Box<[[Weights; SECOND]]>) -> Self {
        let is_group_light = |two: &[[Weights; SECOND]; 2], neuron: usize, first: usize| {
            let places = [0, 1, BYTES / 2, BYTES / 2 + 1].map(|offset| first + offset);
            let size = |weight: i8| i32::from(weight).abs();
            let sizes = |row: &[Weights; SECOND]| places.map(|place| size(row[neuron].0[place]));
            two.iter().flat_map(sizes).sum::<i32>() <= MAX_GROUP
        };
        let is_light = |two| {
            (0..SECOND).all(|neuron| {
                let mut firsts = (0..BYTES / 2).step_by(2);
                firsts.all(|first| is_group_light(two, neuron, first))
            })
        };
        Self {
            are_light: rows.as_chunks().0.iter().all(is_light),
            rows,
        }
    }

    /// The weights by block of the hidden layer: those of the side to move, then of the other.
    #[inline]
    pub fn rows(&self) -> &[[Weights; SECOND]] {
        &self.rows
    }

    /// Whether 16 bits hold the products of a neuron with two neighbours in each half of a row and of
    /// the row beside it, as in nearly every trained network: then fewer instructions add them up.
    #[inline]
    pub const fn are_light(&self) -> bool {
        self.are_light
    }
}

/// The layers of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Deep {
    pub to_second: ToSecond,
    pub second_biases: [f32; SECOND],
    /// By what the second layer passes on.
    pub to_third: [[f32; THIRD]; FEATURES],
    pub third_biases: [f32; THIRD],
    pub to_output: [f32; THIRD],
    /// What threats weigh; `None` where they weigh nothing.
    pub threats: Option<ThreatWeights>,
}

/// What the threat inputs weigh beside the hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreatWeights {
    /// For each neuron of the second layer.
    pub to_second: [Weights; SECOND],
    /// For the output, in parts of [`QB`](super::parameters::QB).
    pub to_output: [i16; THREATS],
}

impl ThreatWeights {
    /// The threats times their weights to the output, in parts of [`QB`](super::parameters::QB) and
    /// [`threats::ONE`].
    #[inline]
    pub fn to_output(&self, threats: &Threats) -> i32 {
        let products = threats.0.iter().zip(&self.to_output);
        products
            .map(|(&count, &weight)| i32::from(count) * i32::from(weight))
            .sum()
    }
}

impl Deep {
    /// What the layers add to the output, from the sums of the second; 1.0 is
    /// [`SCALE`](super::parameters::SCALE) centipawns.
    #[inline]
    pub fn value(&self, sums: [i32; SECOND]) -> f32 {
        let mut features = [0.0; FEATURES];
        let (clipped, squared) = features.split_at_mut(SECOND);
        for neuron in 0..SECOND {
            let second = sums[neuron] as f32 * (1.0 / ONE) + self.second_biases[neuron];
            clipped[neuron] = second.clamp(0.0, 1.0);
            squared[neuron] = (second * second).min(1.0);
        }
        let third = self.third(&features);
        let [low, high]: [[f32; LANES]; 2] = bytemuck::cast(third);
        let [to_low, to_high]: [[f32; LANES]; 2] = bytemuck::cast(self.to_output);
        let weighed = |neuron: f32, weight| {
            let clipped = neuron.clamp(0.0, 1.0);
            clipped * clipped * weight
        };
        total::<LANES>(array::from_fn(|lane| {
            weighed(low[lane], to_low[lane]) + weighed(high[lane], to_high[lane])
        }))
    }

    /// On its own: beside the sum of the third layer it is made of pairs, not of vectors.
    #[inline(never)]
    fn third(&self, features: &[f32; FEATURES]) -> [f32; THIRD] {
        let mut sums: [lanes::Floats; 2] = bytemuck::cast(self.third_biases);
        for (&feature, row) in features.iter().zip(&self.to_third) {
            let row: &[lanes::Floats; 2] = bytemuck::cast_ref(row);
            for (sums, weights) in sums.iter_mut().zip(row) {
                *sums = lanes::plus_times(sums, feature, weights);
            }
        }
        bytemuck::cast(sums)
    }
}

/// The sum of a power of two of numbers, the first half added to the second until one is left: the
/// order is part of what makes results repeat.
#[inline(always)]
pub fn total<const LANES: usize>(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}
