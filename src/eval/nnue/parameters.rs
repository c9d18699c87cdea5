//! The numbers that make up a network, in plain lists, and whether the engine can play with them: their
//! sizes agree, and no sum of them can overflow.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::deep::{BYTES, FEATURES, MAX_WEIGHT, SECOND, THIRD};
use super::features::{BUCKET_INPUTS, BUCKETS};
use super::threats::THREATS;

/// The whole number that stands for 1.0 in the hidden layer: in its weights and in their sums.
pub const QA: i32 = 512;
/// The whole number that stands for 1.0 in what a neuron passes on.
pub const ACTIVATION: i32 = 4_096;
/// The whole number that stands for 1.0 in the weights of the outputs.
pub const QB: i32 = 1_024;
/// The whole number that stands for 1.0 in an output, its bias and its bishop pair.
pub const UNIT: i32 = ACTIVATION * QB;
/// The centipawns that an output of 1.0 is worth.
pub const SCALE: i32 = 400;
/// How many neurons the hidden layer may have for each side, in steps of [`LANES`].
pub const HIDDEN: RangeInclusive<usize> = LANES..=1024;
/// How many king buckets there may be: one for all squares, or as many as the engine tells apart.
pub const KING_BUCKETS: [usize; 2] = [1, BUCKETS];
/// How many outputs there may be: one for all positions, or eight by the number of men.
pub const OUTPUTS: [usize; 2] = [1, 8];
/// The largest bias of an output and weight of the bishop pair: a hundred times 1.0.
pub const MAX_OUTPUT_BIAS: i32 = 100 * UNIT;
/// The largest bias and weight of the third layer and of the second layer's biases: what they add
/// up to stays finite.
pub const MAX_DEEP: f32 = 100.0;
/// The bytes a name may have.
pub const MAX_NAME: usize = 60;

/// Men on the board, at most: so many inputs can be on.
pub const MAX_MEN: i32 = 32;
/// What the weights of an output may add up to, each sign for itself: times the largest activation
/// the sum fits 32 bits.
const MAX_OUTPUT_SUM: i32 = i32::MAX / ACTIVATION;

/// The neurons in a block.
pub const LANES: usize = 32;

/// What makes up a network, in plain lists: what a trainer hands over, or what a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters<'a> {
    /// What it is called: one line of at most [`MAX_NAME`] bytes.
    pub name: String,
    /// The [`digest`](super::file::digest) of the recipe it was made by, 0 without one.
    pub recipe: u128,
    /// King buckets.
    pub buckets: usize,
    /// Neurons of the hidden layer for each side.
    pub hidden: usize,
    /// How many outputs it has.
    pub outputs: usize,
    /// `hidden` biases, in parts of [`QA`].
    pub hidden_biases: Vec<i16>,
    /// `hidden` weights for each input of each king bucket, in parts of [`QA`].
    pub hidden_weights: Cow<'a, [i16]>,
    /// For each output `hidden` weights for the side to move and `hidden` for the other, in parts of
    /// [`QB`].
    pub output_weights: Vec<i16>,
    /// The bias of each output, in parts of [`UNIT`].
    pub output_biases: Vec<i32>,
    /// What the bishop pair adds to each output, in parts of [`UNIT`].
    pub bishop_pair: Vec<i32>,
    /// The second and third layer of the outputs, if they have such.
    pub deep: Option<DeepParameters>,
}

/// The second and third layer of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeepParameters {
    /// For each output and neuron of the second layer `hidden` weights for the side to move and
    /// `hidden` for the other, in parts of [`QS`](super::deep::QS).
    pub to_second: Vec<i8>,
    /// For each output [`SECOND`] biases.
    pub second_biases: Vec<f32>,
    /// For each output, and each of the [`FEATURES`] that the second layer passes on, [`THIRD`]
    /// weights.
    pub to_third: Vec<f32>,
    /// For each output [`THIRD`] biases.
    pub third_biases: Vec<f32>,
    /// For each output [`THIRD`] weights.
    pub to_output: Vec<f32>,
    /// For each output and neuron of the second layer [`THREATS`] weights, in parts of
    /// [`QS`](super::deep::QS).
    pub threats_to_second: Vec<i8>,
    /// For each output [`THREATS`] weights, in parts of [`QB`].
    pub threats_to_output: Vec<i16>,
}

impl DeepParameters {
    /// Whether threats weigh anything.
    pub fn sees_threats(&self) -> bool {
        self.threats_to_second.iter().any(|&weight| weight != 0)
            || self.threats_to_output.iter().any(|&weight| weight != 0)
    }
}

/// Why the engine cannot play with a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    #[error(
        "the hidden layer has {0} neurons a side, not a multiple of {LANES} from {first} to {last}",
        first = HIDDEN.start(),
        last = HIDDEN.end()
    )]
    Hidden(usize),
    #[error("the network has {0} king buckets, neither {one} nor {many}", one = KING_BUCKETS[0], many = KING_BUCKETS[1])]
    KingBuckets(usize),
    #[error("the network has {0} outputs, neither {one} nor {many}", one = OUTPUTS[0], many = OUTPUTS[1])]
    Outputs(usize),
    #[error("the name is no line of 1 to {MAX_NAME} bytes of text")]
    Name,
    #[error("there are {found} {what} instead of {expected}")]
    Count {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    #[error("the weights of neuron {0} are so large that its sum may overflow")]
    NeuronOverflow(usize),
    #[error("the weights of output {0} are so large that its sum may overflow")]
    OutputOverflow(usize),
    #[error("the bias or the bishop pair of output {output} is {value}, beyond {MAX_OUTPUT_BIAS}")]
    OutputBias { output: usize, value: i32 },
    #[error("a network with further layers has a multiple of {BYTES} hidden neurons, not {0}")]
    Blocks(usize),
    #[error("a weight of the second layer is {0}, beyond {MAX_WEIGHT}")]
    SecondWeight(i8),
    #[error("a number of the second or third layer is none, or beyond {MAX_DEEP}")]
    DeepNumber,
}

impl Parameters<'_> {
    /// Whether the engine can play with them.
    ///
    /// # Errors
    ///
    /// Sizes that this engine does not know or that do not agree, and weights so large that a sum
    /// could overflow.
    pub fn check(&self) -> Result<(), NetworkError> {
        let &Self {
            buckets,
            hidden,
            outputs,
            ..
        } = self;
        check_sizes(buckets, hidden, outputs)?;
        let name = &self.name;
        if !(1..=MAX_NAME).contains(&name.len()) || name.contains(char::is_control) {
            return Err(NetworkError::Name);
        }
        let counts = [
            ("hidden biases", self.hidden_biases.len(), hidden),
            (
                "hidden weights",
                self.hidden_weights.len(),
                buckets * BUCKET_INPUTS * hidden,
            ),
            (
                "output weights",
                self.output_weights.len(),
                outputs * 2 * hidden,
            ),
            ("output biases", self.output_biases.len(), outputs),
            ("bishop pairs", self.bishop_pair.len(), outputs),
        ];
        check_counts(counts)?;
        check_neurons(self)?;
        check_outputs(self)?;
        self.deep
            .as_ref()
            .map_or(Ok(()), |deep| check_deep(deep, hidden, outputs))
    }
}

fn check_counts<const N: usize>(
    counts: [(&'static str, usize, usize); N],
) -> Result<(), NetworkError> {
    for (what, found, expected) in counts {
        if found != expected {
            return Err(NetworkError::Count {
                what,
                expected,
                found,
            });
        }
    }
    Ok(())
}

/// How many numbers the lists of [`DeepParameters`] have, in their order, before those of threats.
pub const fn deep_counts(hidden: usize, outputs: usize) -> [usize; 5] {
    [
        outputs * SECOND * 2 * hidden,
        outputs * SECOND,
        outputs * FEATURES * THIRD,
        outputs * THIRD,
        outputs * THIRD,
    ]
}

/// How many weights the threat inputs have to all second layers, and to all outputs.
pub const fn threat_counts(outputs: usize) -> [usize; 2] {
    [outputs * SECOND * THREATS, outputs * THREATS]
}

/// Whether so many hidden neurons may have further layers above them.
pub fn check_deep_size(hidden: usize) -> Result<(), NetworkError> {
    if hidden.is_multiple_of(BYTES) {
        Ok(())
    } else {
        Err(NetworkError::Blocks(hidden))
    }
}

fn check_deep(deep: &DeepParameters, hidden: usize, outputs: usize) -> Result<(), NetworkError> {
    check_deep_size(hidden)?;
    let expected = deep_counts(hidden, outputs);
    let threats = threat_counts(outputs);
    let floats = [
        &deep.second_biases,
        &deep.to_third,
        &deep.third_biases,
        &deep.to_output,
    ];
    let [second_biases, to_third, third_biases, to_output] = floats.map(Vec::len);
    check_counts([
        (
            "weights to the second layer",
            deep.to_second.len(),
            expected[0],
        ),
        ("biases of the second layer", second_biases, expected[1]),
        ("weights to the third layer", to_third, expected[2]),
        ("biases of the third layer", third_biases, expected[3]),
        ("weights from the third layer", to_output, expected[4]),
        (
            "weights of threats to the second layer",
            deep.threats_to_second.len(),
            threats[0],
        ),
        (
            "weights of threats to the outputs",
            deep.threats_to_output.len(),
            threats[1],
        ),
    ])?;
    let mut bytes = deep.to_second.iter().chain(&deep.threats_to_second);
    if bytes.any(|&weight| weight == i8::MIN) {
        return Err(NetworkError::SecondWeight(i8::MIN));
    }
    // What is no number is beyond it, too.
    let is_sound = |number: &&f32| (-MAX_DEEP..=MAX_DEEP).contains(*number);
    if !floats.into_iter().flatten().all(|number| is_sound(&number)) {
        return Err(NetworkError::DeepNumber);
    }
    Ok(())
}

/// Whether the engine knows networks of these sizes.
pub fn check_sizes(buckets: usize, hidden: usize, outputs: usize) -> Result<(), NetworkError> {
    if !KING_BUCKETS.contains(&buckets) {
        return Err(NetworkError::KingBuckets(buckets));
    }
    if !HIDDEN.contains(&hidden) || !hidden.is_multiple_of(LANES) {
        return Err(NetworkError::Hidden(hidden));
    }
    if !OUTPUTS.contains(&outputs) {
        return Err(NetworkError::Outputs(outputs));
    }
    Ok(())
}

/// No neuron's sum leaves 16 bits, even if its largest weight came with every man.
fn check_neurons(parameters: &Parameters<'_>) -> Result<(), NetworkError> {
    let mut largest = vec![0; parameters.hidden];
    for row in parameters.hidden_weights.chunks_exact(parameters.hidden) {
        for (largest, weight) in largest.iter_mut().zip(row) {
            *largest = weight.unsigned_abs().max(*largest);
        }
    }
    let overflows = |(&bias, &weight): (&i16, &u16)| {
        i32::from(bias).abs() + MAX_MEN * i32::from(weight) > i32::from(i16::MAX)
    };
    match parameters
        .hidden_biases
        .iter()
        .zip(&largest)
        .position(overflows)
    {
        Some(neuron) => Err(NetworkError::NeuronOverflow(neuron)),
        None => Ok(()),
    }
}

/// No sum of an output leaves 32 bits.
fn check_outputs(parameters: &Parameters<'_>) -> Result<(), NetworkError> {
    let rows = parameters
        .output_weights
        .chunks_exact(2 * parameters.hidden);
    for (output, row) in rows.enumerate() {
        let sum = |sign: i32| -> i32 {
            row.iter()
                .map(|&weight| (sign * i32::from(weight)).max(0))
                .sum()
        };
        if sum(1).max(sum(-1)) > MAX_OUTPUT_SUM {
            return Err(NetworkError::OutputOverflow(output));
        }
        for value in [
            parameters.output_biases[output],
            parameters.bishop_pair[output],
        ] {
            if value.unsigned_abs() > MAX_OUTPUT_BIAS.unsigned_abs() {
                return Err(NetworkError::OutputBias { output, value });
            }
        }
    }
    Ok(())
}
