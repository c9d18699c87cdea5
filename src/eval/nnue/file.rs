//! The file of a network.
//!
//! It has a head, the weights, and a checksum. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 7 * 4 | version, inputs ([`BUCKET_INPUTS`] for each king bucket), hidden neurons, outputs, [`QA`], [`QB`], [`SCALE`] |
//! | 60 | name in UTF-8, filled up with zeros |
//! | 16 | hash of the recipe: the [`digest`] of its text, 0 without one |
//! | 2 * hidden | biases of the hidden layer |
//! | 2 * inputs * hidden | its weights, one input after the other |
//! | 2 * outputs * 2 * hidden | weights of the outputs: for the side to move, then for the other |
//! | 4 * outputs | biases of the outputs |
//! | 4 * outputs | weights of the bishop pair |
//! | | in version [`UNAWARE`] and [`DEEP`] the lists of [`DeepParameters`] but for threats: bytes and floating point |
//! | | in version [`DEEP`] the weights of threats: bytes to the second layer, 16 bits to the outputs |
//! | 16 | [`digest`] of all bytes before |

use cityhash_rs::cityhash_102_128;

use super::deep::SECOND;
use super::features::BUCKET_INPUTS;
use super::network::{Block, Network};
use super::parameters::{
    DeepParameters, HIDDEN, KING_BUCKETS, MAX_NAME, NetworkError, OUTPUTS, Parameters, QA, QB,
    SCALE, check_sizes, deep_counts, threat_counts,
};
use super::reader::Reader;

/// What a file begins with.
pub const MAGIC: [u8; 8] = *b"PRELNNUE";
/// The versions of the format: without further layers; with them, but unaware of threats; and with
/// what threats weigh.
pub const SHALLOW: u32 = 1;
pub const UNAWARE: u32 = 2;
pub const DEEP: u32 = 3;
/// The most bytes a file has.
pub const LONGEST: usize = length(KING_BUCKETS[1], *HIDDEN.end(), OUTPUTS[1], DEEP);

/// The bytes before the numbers of the network.
const HEAD: usize = MAGIC.len() + 7 * size_of::<u32>() + MAX_NAME + size_of::<u128>();

/// The hash of a recipe, and the checksum of a file.
pub fn digest(bytes: &[u8]) -> u128 {
    cityhash_102_128(bytes)
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("the file is not a network of Prelate: it begins with other bytes")]
    Magic,
    #[error("the file is cut short: it has {0} bytes")]
    Short(usize),
    #[error("the file is of version {0}, this engine reads {SHALLOW} to {DEEP}")]
    Version(u32),
    #[error(
        "the network has {0} inputs a side, which are not {BUCKET_INPUTS} for each king bucket"
    )]
    Inputs(u32),
    #[error("the weights are scaled by {0:?}, this engine's by {expected:?}", expected = [QA, QB, SCALE])]
    Quantisation([u32; 3]),
    #[error("the file has {found} bytes, its sizes ask for {expected}")]
    Length { expected: usize, found: usize },
    #[error("the checksum does not agree: the file is damaged")]
    Checksum,
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl<'a> Parameters<'a> {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, but for the weights themselves.
    pub fn parse(file: &'a [u8]) -> Result<Self, FileError> {
        let content = file.strip_prefix(&MAGIC).ok_or(FileError::Magic)?;
        let mut reader = Reader::new(content);
        let head = Head::read(&mut reader).ok_or(FileError::Short(file.len()))?;
        let [version, inputs, hidden, outputs, scales @ ..] = head.numbers;
        if !(SHALLOW..=DEEP).contains(&version) {
            return Err(FileError::Version(version));
        }
        if !inputs.is_multiple_of(BUCKET_INPUTS as u32) {
            return Err(FileError::Inputs(inputs));
        }
        if scales != [QA, QB, SCALE].map(i32::cast_unsigned) {
            return Err(FileError::Quantisation(scales));
        }
        let (hidden, outputs) = (hidden as usize, outputs as usize);
        let buckets = inputs as usize / BUCKET_INPUTS;
        check_sizes(buckets, hidden, outputs)?;
        let expected = length(buckets, hidden, outputs, version);
        if file.len() != expected {
            let found = file.len();
            return Err(FileError::Length { expected, found });
        }
        let (content, checksum) = file.split_at(expected - size_of::<u128>());
        if digest(content).to_le_bytes() != checksum {
            return Err(FileError::Checksum);
        }
        Ok(Self {
            name: head.name.ok_or(NetworkError::Name)?,
            recipe: head.recipe,
            buckets,
            hidden,
            outputs,
            hidden_biases: reader.list(hidden, i16::from_le_bytes),
            hidden_weights: reader.weights(inputs as usize * hidden),
            output_weights: reader.list(outputs * 2 * hidden, i16::from_le_bytes),
            output_biases: reader.list(outputs, i32::from_le_bytes),
            bishop_pair: reader.list(outputs, i32::from_le_bytes),
            deep: (version != SHALLOW).then(|| {
                let [weights, counts @ ..] = deep_counts(hidden, outputs);
                let to_second = reader.list(weights, i8::from_le_bytes);
                let [second_biases, to_third, third_biases, to_output] =
                    counts.map(|count| reader.list(count, f32::from_le_bytes));
                let [to_second_layers, to_outputs] = threat_counts(outputs);
                let (threats_to_second, threats_to_output) = if version == DEEP {
                    (
                        reader.list(to_second_layers, i8::from_le_bytes),
                        reader.list(to_outputs, i16::from_le_bytes),
                    )
                } else {
                    (vec![0; to_second_layers], vec![0; to_outputs])
                };
                DeepParameters {
                    to_second,
                    second_biases,
                    to_third,
                    third_biases,
                    to_output,
                    threats_to_second,
                    threats_to_output,
                }
            }),
        })
    }
}

impl Network {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, and all that [`Network::new`] refuses.
    pub fn parse(file: &[u8]) -> Result<Self, FileError> {
        Ok(Self::new(&Parameters::parse(file)?)?)
    }

    /// The file that [`Network::parse`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let version = match self.deep(0) {
            None => SHALLOW,
            Some(_) if self.sees_threats() => DEEP,
            Some(_) => UNAWARE,
        };
        let inputs = self.buckets() * BUCKET_INPUTS;
        let numbers = [
            version,
            inputs as u32,
            self.hidden() as u32,
            self.outputs() as u32,
            QA.cast_unsigned(),
            QB.cast_unsigned(),
            SCALE.cast_unsigned(),
        ];
        let mut name = [0; MAX_NAME];
        name[..self.name().len()].copy_from_slice(self.name().as_bytes());
        let mut bytes = Vec::with_capacity(length(
            self.buckets(),
            self.hidden(),
            self.outputs(),
            version,
        ));
        bytes.extend(MAGIC);
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(name);
        bytes.extend(self.recipe().to_le_bytes());
        let mut extend = |blocks: &[Block]| {
            let weights = blocks.iter().flat_map(|block| block.0);
            bytes.extend(weights.flat_map(i16::to_le_bytes));
        };
        extend(self.hidden_biases());
        (0..inputs).for_each(|input| extend(self.hidden_weights(input)));
        let outputs = || 0..self.outputs();
        outputs().for_each(|output| {
            self.output_weights(output)
                .into_iter()
                .for_each(&mut extend)
        });
        bytes.extend(outputs().flat_map(|output| self.output_bias(output).to_le_bytes()));
        bytes.extend(outputs().flat_map(|output| self.bishop_pair(output).to_le_bytes()));
        let deep = || outputs().filter_map(|output| self.deep(output));
        for deep in deep() {
            for neuron in 0..SECOND {
                let weights = deep.to_second.rows().iter().flat_map(|row| row[neuron].0);
                bytes.extend(weights.flat_map(i8::to_le_bytes));
            }
        }
        let mut extend = |numbers: &[f32]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        deep().for_each(|deep| extend(&deep.second_biases));
        deep().for_each(|deep| extend(deep.to_third.as_flattened()));
        deep().for_each(|deep| extend(&deep.third_biases));
        deep().for_each(|deep| extend(&deep.to_output));
        let threats = || deep().filter_map(|deep| deep.threats.as_ref());
        let to_second = threats().flat_map(|threats| threats.to_second);
        bytes.extend(to_second.flat_map(|row| row.0.map(i8::cast_unsigned)));
        let to_output = threats().flat_map(|threats| threats.to_output);
        bytes.extend(to_output.flat_map(i16::to_le_bytes));
        bytes.extend(digest(&bytes).to_le_bytes());
        bytes
    }
}

/// The bytes of a file.
const fn length(buckets: usize, hidden: usize, outputs: usize, version: u32) -> usize {
    let weights = hidden + buckets * BUCKET_INPUTS * hidden + outputs * 2 * hidden;
    let [to_second, a, b, c, d] = deep_counts(hidden, outputs);
    let deep = to_second + size_of::<f32>() * (a + b + c + d);
    let [to_second_layers, to_outputs] = threat_counts(outputs);
    let threats = to_second_layers + size_of::<i16>() * to_outputs;
    HEAD + size_of::<i16>() * weights
        + 2 * size_of::<i32>() * outputs
        + if version == SHALLOW { 0 } else { deep }
        + if version == DEEP { threats } else { 0 }
        + size_of::<u128>()
}

/// What a file's first bytes say after [`MAGIC`].
struct Head {
    numbers: [u32; 7],
    name: Option<String>,
    recipe: u128,
}

impl Head {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut numbers = [0; 7];
        for number in &mut numbers {
            *number = reader.u32()?;
        }
        let name: [u8; MAX_NAME] = reader.take()?;
        let name = str::from_utf8(&name).ok();
        Some(Self {
            numbers,
            name: name.map(|name| name.trim_end_matches('\0').to_owned()),
            recipe: u128::from_le_bytes(reader.take()?),
        })
    }
}
