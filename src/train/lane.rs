//! One number for each neuron of a column, worked on in the widest vector registers of the machine.

use std::array;

use bytemuck::{Pod, Zeroable, cast, cast_mut, cast_ref};
use wide::f32x16;

use crate::eval::nnue::deep::total;

/// Neurons of a column. Two registers, so that what it costs to find a row is paid once for both.
pub const LANES: usize = 32;

/// Registers of AVX-512 that such a row fills. With smaller ones `wide` makes one of several.
const REGISTERS: usize = LANES / 16;

/// One number for each neuron of a column.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Lane(pub [f32; LANES]);

impl Default for Lane {
    fn default() -> Self {
        Self([0.0; LANES])
    }
}

impl Lane {
    #[inline(always)]
    fn registers(&self) -> &[f32x16; REGISTERS] {
        cast_ref(self)
    }

    #[inline(always)]
    fn registers_mut(&mut self) -> &mut [f32x16; REGISTERS] {
        cast_mut(self)
    }

    #[inline(always)]
    fn from_registers(register: impl FnMut(usize) -> f32x16) -> Self {
        cast(array::from_fn::<f32x16, REGISTERS, _>(register))
    }

    /// Adds a row.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for (sum, other) in self.registers_mut().iter_mut().zip(other.registers()) {
            *sum += other;
        }
    }

    /// Adds a row, each number multiplied by `factor`.
    #[inline(always)]
    pub fn add_times(&mut self, factor: f32, other: &Self) {
        let factor = f32x16::splat(factor);
        for (sum, other) in self.registers_mut().iter_mut().zip(other.registers()) {
            *sum += factor * other;
        }
    }

    /// Adds the products of two rows.
    #[inline(always)]
    pub fn add_products(&mut self, one: &Self, other: &Self) {
        let factors = one.registers().iter().zip(other.registers());
        for (sum, (one, other)) in self.registers_mut().iter_mut().zip(factors) {
            *sum += *one * other;
        }
    }

    /// The squares of these neurons within 0 and 1.
    #[inline(always)]
    pub fn squared(&self) -> Self {
        Self::from_registers(|register| {
            let clipped = clip(self.registers()[register]);
            clipped * clipped
        })
    }

    /// The slopes by neurons, where these are the slopes by their squares within 0 and 1.
    #[inline(always)]
    pub fn by_neurons(&self, neurons: &Self) -> Self {
        Self::from_registers(|register| {
            let neurons = neurons.registers()[register];
            let clipped = clip(neurons);
            let is_inside = clipped.simd_eq(neurons);
            (self.registers()[register] * (clipped + clipped)) & is_inside
        })
    }

    /// The sum of all numbers.
    #[inline(always)]
    pub fn sum(&self) -> f32 {
        total(self.0)
    }
}

/// Neurons within 0 and 1. What is no number stays none, in this order of the operands: a training
/// that has gone astray must not look sound.
#[inline(always)]
fn clip(neurons: f32x16) -> f32x16 {
    f32x16::ONE.fast_min(f32x16::ZERO.fast_max(neurons))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_slopes_of_neurons() {
        let neurons = Lane(array::from_fn(|lane| match lane % 4 {
            0 => -2.0,
            1 => 0.5,
            2 => 7.0,
            _ => f32::NAN,
        }));
        let ones = Lane([1.0; LANES]);
        let (squares, slopes) = (neurons.squared(), ones.by_neurons(&neurons));
        for lane in 0..LANES {
            let (square, slope) = (squares.0[lane], slopes.0[lane]);
            match lane % 4 {
                0 => assert_eq!((square, slope), (0.0, 0.0)),
                1 => assert_eq!((square, slope), (0.25, 1.0)),
                2 => assert_eq!((square, slope), (1.0, 0.0)),
                _ => assert!(square.is_nan()),
            }
        }
    }
}
