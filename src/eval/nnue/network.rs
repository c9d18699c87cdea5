//! The network: its sizes, and its weights in whole numbers.

use std::array;
use std::fmt;
use std::ops::RangeInclusive;

use bytemuck::allocation::pod_collect_to_vec;
use bytemuck::{Pod, Zeroable};

use super::deep::{BYTES, Deep, FEATURES, SECOND, THIRD, ThreatWeights, ToSecond, Weights};
use super::features::BUCKET_INPUTS;
use super::parameters::{DeepParameters, LANES, MAX_MEN, NetworkError, Parameters};
use super::threats::THREATS;
use crate::memory::LargePages;
use crate::position::Board;

/// Neighbouring neurons, in memory as vector registers like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zeros.
    pub const ZERO: Self = Self([0; LANES]);
}

impl fmt::Display for Network {
    /// Its name and its sizes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hidden, outputs) = (self.hidden(), self.outputs());
        write!(f, "{} (", self.name)?;
        if self.buckets > 1 {
            write!(f, "{}x", self.buckets)?;
        }
        write!(f, "{BUCKET_INPUTS} -> 2x{hidden}")?;
        if self.sees_threats() {
            write!(f, " + {THREATS}")?;
        }
        match self.deep {
            Some(_) => write!(f, " -> {outputs}x({SECOND} -> {THIRD} -> 1))"),
            None => write!(f, " -> {outputs})"),
        }
    }
}

/// A network whose sums cannot overflow in any position, ready to play.
#[derive(Debug, PartialEq)]
pub struct Network {
    name: String,
    recipe: u128,
    /// King buckets.
    buckets: usize,
    /// Blocks of the hidden layer for each side.
    blocks: usize,
    hidden_biases: Box<[Block]>,
    /// Most of the network.
    hidden_weights: LargePages<[Block]>,
    output_weights: Box<[Block]>,
    output_biases: Box<[i32]>,
    bishop_pair: Box<[i32]>,
    deep: Option<Box<[Deep]>>,
}

impl Network {
    /// A network of its parameters.
    ///
    /// # Errors
    ///
    /// Those of [`Parameters::check`].
    pub fn new(parameters: &Parameters<'_>) -> Result<Self, NetworkError> {
        parameters.check()?;
        Ok(Self {
            name: parameters.name.clone(),
            recipe: parameters.recipe,
            buckets: parameters.buckets,
            blocks: parameters.hidden / LANES,
            hidden_biases: pod_collect_to_vec(&parameters.hidden_biases).into(),
            hidden_weights: LargePages::copy_of(&parameters.hidden_weights),
            output_weights: pod_collect_to_vec(&parameters.output_weights).into(),
            output_biases: parameters.output_biases.as_slice().into(),
            bishop_pair: parameters.bishop_pair.as_slice().into(),
            deep: parameters.deep.as_ref().map(|deep| {
                let output = |output| self::deep(deep, parameters.hidden, output);
                (0..parameters.outputs).map(output).collect()
            }),
        })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The [`digest`](super::file::digest) of the recipe it was made by, 0 without one.
    pub const fn recipe(&self) -> u128 {
        self.recipe
    }

    /// King buckets.
    pub const fn buckets(&self) -> usize {
        self.buckets
    }

    /// Neurons of the hidden layer for each side.
    pub const fn hidden(&self) -> usize {
        self.blocks * LANES
    }

    /// How many outputs there are.
    pub const fn outputs(&self) -> usize {
        self.output_biases.len()
    }

    /// Which output judges a board.
    #[inline]
    pub fn output(&self, board: &Board) -> usize {
        output(board.occupied().count(), self.outputs())
    }

    /// What every neuron begins with.
    #[inline]
    pub fn hidden_biases(&self) -> &[Block] {
        &self.hidden_biases
    }

    /// What an input below [`INPUTS`](super::features::INPUTS) adds to each neuron; with one king
    /// bucket that of all buckets.
    #[inline]
    pub fn hidden_weights(&self, input: usize) -> &[Block] {
        let row = if self.buckets == 1 {
            input % BUCKET_INPUTS
        } else {
            input
        };
        &self.hidden_weights[row * self.blocks..][..self.blocks]
    }

    /// The weights of an output: for the neurons of the side to move, and for the other's.
    #[inline]
    pub fn output_weights(&self, output: usize) -> [&[Block]; 2] {
        let (us, them) = self.output_weights[output * 2 * self.blocks..].split_at(self.blocks);
        [us, &them[..self.blocks]]
    }

    /// The bias of an output, in parts of [`UNIT`](super::parameters::UNIT).
    #[inline]
    pub fn output_bias(&self, output: usize) -> i32 {
        self.output_biases[output]
    }

    /// The second and third layer of an output, if there are such.
    #[inline]
    pub fn deep(&self, output: usize) -> Option<&Deep> {
        self.deep.as_ref().map(|deep| &deep[output])
    }

    /// Whether threats weigh anything.
    pub fn sees_threats(&self) -> bool {
        self.deep(0).is_some_and(|deep| deep.threats.is_some())
    }

    /// What the bishop pair is worth to an output, in parts of [`UNIT`](super::parameters::UNIT).
    #[inline]
    pub fn bishop_pair(&self, output: usize) -> i32 {
        self.bishop_pair[output]
    }
}

/// Which of some outputs judges a board of so many men: the first the emptiest boards, the last
/// the fullest.
#[inline]
pub const fn output(men: usize, outputs: usize) -> usize {
    const MOST: usize = MAX_MEN as usize;
    men.saturating_sub(2) * outputs / MOST
}

/// How many men a board has that one of some outputs judges: the inverse of [`output`].
pub const fn men(output: usize, outputs: usize) -> RangeInclusive<usize> {
    const MOST: usize = MAX_MEN as usize;
    let share = MOST / outputs;
    let last = 2 + share * (output + 1) - 1;
    2 + share * output..=if last < MOST { last } else { MOST }
}

/// The layers of one output, from lists that have been checked.
fn deep(parameters: &DeepParameters, hidden: usize, output: usize) -> Deep {
    fn part<const N: usize>(numbers: &[f32], index: usize) -> [f32; N] {
        numbers.as_chunks().0[index]
    }
    let row = |neuron| &parameters.to_second[(output * SECOND + neuron) * 2 * hidden..];
    let block = |index| array::from_fn(|neuron| Weights(row(neuron).as_chunks().0[index]));
    Deep {
        to_second: ToSecond::new((0..2 * hidden / BYTES).map(block).collect()),
        second_biases: part(&parameters.second_biases, output),
        to_third: array::from_fn(|feature| part(&parameters.to_third, output * FEATURES + feature)),
        third_biases: part(&parameters.third_biases, output),
        to_output: part(&parameters.to_output, output),
        threats: parameters.sees_threats().then(|| ThreatWeights {
            to_second: array::from_fn(|neuron| {
                Weights(parameters.threats_to_second.as_chunks().0[output * SECOND + neuron])
            }),
            to_output: parameters.threats_to_output.as_chunks().0[output],
        }),
    }
}
