//! Training: a network from games, and from positions with the scores that a teacher gave them.

mod files;
mod input;
mod learning;
mod recipe;
mod settings;

use std::path::Path;
use std::{fs, io};

pub use settings::Settings;

use crate::eval::nnue::parameters::check_deep_size;
use crate::eval::nnue::{Parameters, file};
use crate::train::checkpoint::Checkpoint;
use crate::train::data::named;
use crate::train::model::{Model, Shape};
use crate::train::quantise;
use files::Outputs;
use learning::{Begin, Training};

/// Trains a network and writes it.
///
/// # Errors
///
/// Settings that make no sense, and files that cannot be read or written; each is named.
pub fn run(settings: &Settings) -> io::Result<()> {
    let shape = Shape::new(
        settings.king_buckets,
        settings.hidden,
        settings.outputs,
        settings.deep,
    )
    .map_err(io::Error::other)?;
    if settings.deep {
        check_deep_size(settings.hidden).map_err(io::Error::other)?;
    }
    let outputs = Outputs::new(&settings.output)?;
    let begin = if settings.resume && outputs.checkpoint.exists() {
        Begin::Resumed(Box::new(load(&outputs.checkpoint, shape)?))
    } else {
        let mean = mean(settings, shape)?;
        Begin::New(mean.unwrap_or_else(|| Model::random(shape, settings.seed)))
    };
    let interrupted = match &begin {
        Begin::Resumed(checkpoint) => Some(checkpoint.as_ref()),
        Begin::New(_) => None,
    };
    let sources = input::open(settings, interrupted)?;
    let mut data = input::read(settings, &sources, &outputs)?;
    let mut training = Training::new(settings, &outputs, &sources, &data, begin)?;
    training.run(&mut data.pool)?;
    training.finish()
}

/// The mean of the weights of all networks to begin with, if there are any.
///
/// Networks that have learnt different things from the same beginning lie in one valley of the loss:
/// their mean is better than each of them ("model soups", Wortsman and others, 2022).
fn mean(settings: &Settings, shape: Shape) -> io::Result<Option<Model>> {
    let mut mean: Option<Model> = None;
    for (before, path) in settings.from.iter().enumerate() {
        let mut model = beginning(path)?.with_buckets(settings.king_buckets);
        if settings.deep {
            model = model.deepened(settings.seed);
        }
        check(path, model.shape(), shape)?;
        match &mut mean {
            Some(mean) => mean.approach(&model, 1.0 / (before + 1) as f32),
            None => mean = Some(model),
        }
    }
    Ok(mean)
}

/// The network of a checkpoint, or of a file that the engine plays with.
fn beginning(path: &Path) -> io::Result<Model> {
    let bytes = fs::read(path).map_err(|error| named(path, &error))?;
    let model = if bytes.starts_with(&file::MAGIC) {
        let parameters = Parameters::parse(&bytes);
        parameters
            .map_err(|error| error.to_string())
            .and_then(|parameters| {
                quantise::dequantise(&parameters).map_err(|error| error.to_string())
            })
    } else {
        Checkpoint::parse(&bytes)
            .map(|checkpoint| checkpoint.average.unwrap_or(checkpoint.model))
            .map_err(|error| error.to_string())
    };
    model.map_err(|reason| io::Error::other(format!("{}: {reason}", path.display())))
}

/// A checkpoint of a network of this shape.
fn load(path: &Path, shape: Shape) -> io::Result<Checkpoint> {
    let checkpoint = Checkpoint::load(path)
        .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    check(path, checkpoint.model.shape(), shape)?;
    Ok(checkpoint)
}

/// Whether a file's network is of this shape.
fn check(path: &Path, found: Shape, expected: Shape) -> io::Result<()> {
    if found == expected {
        return Ok(());
    }
    let words = |shape: Shape| {
        let depth = if shape.is_deep() { ", deep" } else { "" };
        format!(
            "{} king buckets, {} neurons and {} outputs{depth}",
            shape.buckets(),
            shape.hidden(),
            shape.outputs()
        )
    };
    Err(io::Error::other(format!(
        "{}: it has {}, not {}",
        path.display(),
        words(found),
        words(expected)
    )))
}
