//! A training that is to go on later: all that it knows, in a file.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 * 4 | [`VERSION`], hidden neurons, outputs, how many points the curve has |
//! | 8 | steps taken |
//! | 5 * 4 | bytes of the settings' text, how many sources, 1 if there is an average, 1 if it is deep, king buckets |
//! | | the settings, then for each source 8 bytes: how much of it was read |
//! | 16 for each point | samples (8), losses of training and validation in floating point |
//! | | weights, running means, running variances, and the average if there is one |
//!
//! Weights are in 32-bit floating point, and in the order of the network's file. The file is put
//! in its place as a whole, so that nothing but its length is checked.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::curve::Point;
use super::model::{Model, Shape};
use super::optimiser::AdamW;
use super::plain::Plain;
use crate::eval::nnue::NetworkError;
use crate::eval::nnue::reader::Reader;

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"PRELTRNG";
/// The version of the format.
pub const VERSION: u32 = 3;

/// All that a training knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What must be the same for the training to go on, in words.
    pub settings: String,
    /// Bytes that were read of each file of data.
    pub sources: Vec<u64>,
    pub points: Vec<Point>,
    pub model: Model,
    pub optimiser: AdamW,
    /// The running average of the weights.
    pub average: Option<Model>,
}

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it is no checkpoint of a training")]
    Magic,
    #[error("it is of version {0}, not {VERSION}")]
    Version(u32),
    #[error("{0}")]
    Shape(#[from] NetworkError),
    #[error("it is damaged")]
    Damaged,
}

impl Checkpoint {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = self.model.shape();
        let mut bytes = MAGIC.to_vec();
        let numbers = [VERSION, shape.hidden() as u32, shape.outputs() as u32];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((self.points.len() as u32).to_le_bytes());
        bytes.extend(self.optimiser.steps.to_le_bytes());
        let numbers = [
            self.settings.len() as u32,
            self.sources.len() as u32,
            u32::from(self.average.is_some()),
            u32::from(shape.is_deep()),
            shape.buckets() as u32,
        ];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.settings.as_bytes());
        bytes.extend(self.sources.iter().flat_map(|size| size.to_le_bytes()));
        for point in &self.points {
            bytes.extend(point.samples.to_le_bytes());
            bytes.extend(point.train.to_le_bytes());
            bytes.extend(point.held_out.to_le_bytes());
        }
        let models = [&self.model, &self.optimiser.mean, &self.optimiser.variance];
        for model in models.into_iter().chain(&self.average) {
            for list in Plain::from(model).lists() {
                bytes.extend(list.iter().flat_map(|weight| weight.to_le_bytes()));
            }
        }
        bytes
    }

    /// Reads the bytes of a file. How strongly the optimiser pulls to zero
    /// and how fast it moves the hidden layer are no part of it.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with them.
    pub fn parse(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let content = bytes.strip_prefix(&MAGIC).ok_or(CheckpointError::Magic)?;
        let mut reader = Reader::new(content);
        let version = reader.u32().ok_or(CheckpointError::Damaged)?;
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        read(&mut reader)?.ok_or(CheckpointError::Damaged)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is no checkpoint.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        Self::parse(&fs::read(path)?)
    }

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        replace(path, &self.to_bytes())
    }
}

/// Writes a file so that at any time either the old or the new one is there as a whole.
///
/// # Errors
///
/// The file or one beside it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// What follows the version in a file; `None` if there is not enough of it.
fn read(reader: &mut Reader<'_>) -> Result<Option<Checkpoint>, NetworkError> {
    let Some(head) = Head::read(reader) else {
        return Ok(None);
    };
    let [buckets, hidden, outputs] = head.sizes.map(|size| size as usize);
    let shape = Shape::new(buckets, hidden, outputs, head.is_deep)?;
    Ok(read_content(reader, &head, shape))
}

/// What stands before the settings.
struct Head {
    /// King buckets, hidden neurons and outputs.
    sizes: [u32; 3],
    is_deep: bool,
    has_average: bool,
    points: u32,
    steps: u64,
    /// Bytes of the settings' text.
    text: u32,
    sources: u32,
}

impl Head {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (hidden, outputs, points) = (reader.u32()?, reader.u32()?, reader.u32()?);
        let steps = reader.u64()?;
        let (text, sources) = (reader.u32()?, reader.u32()?);
        let (has_average, is_deep) = (reader.u32()? != 0, reader.u32()? != 0);
        Some(Self {
            sizes: [reader.u32()?, hidden, outputs],
            is_deep,
            has_average,
            points,
            steps,
            text,
            sources,
        })
    }
}

/// What follows the head.
fn read_content(reader: &mut Reader<'_>, head: &Head, shape: Shape) -> Option<Checkpoint> {
    let settings = reader.slice(head.text as usize)?;
    let settings = String::from_utf8(settings.to_vec()).ok()?;
    let sources = (0..head.sources)
        .map(|_| reader.u64())
        .collect::<Option<_>>()?;
    let points = (0..head.points)
        .map(|_| {
            Some(Point {
                samples: reader.u64()?,
                train: reader.f32()?,
                held_out: reader.f32()?,
            })
        })
        .collect::<Option<_>>()?;
    let model = read_model(reader, shape)?;
    let optimiser = AdamW {
        mean: read_model(reader, shape)?,
        variance: read_model(reader, shape)?,
        steps: head.steps,
        decay: 0.0,
        hidden_rate: 1.0,
    };
    let average = if head.has_average {
        Some(read_model(reader, shape)?)
    } else {
        None
    };
    Some(Checkpoint {
        settings,
        sources,
        points,
        model,
        optimiser,
        average,
    })
}

fn read_model(reader: &mut Reader<'_>, shape: Shape) -> Option<Model> {
    let mut plain = Plain::zero(shape);
    for weight in plain.lists_mut().into_iter().flatten() {
        *weight = reader.f32()?;
    }
    Some(plain.to_model(shape))
}
