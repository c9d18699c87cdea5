//! Training: a network from games, and from positions with the scores that a teacher gave them.

mod files;
mod input;
mod learning;
mod recipe;
mod settings;

use std::io;
use std::path::{Path, PathBuf};

pub use settings::Settings;

use crate::train::checkpoint::Checkpoint;
use crate::train::model::{Model, Shape};
use files::Outputs;
use learning::{Begin, Training};

/// Trains a network and writes it.
///
/// # Errors
///
/// Settings that make no sense, and files that cannot be read or written; each is named.
pub fn run(settings: &Settings) -> io::Result<()> {
    let shape = Shape::new(settings.hidden, settings.outputs).map_err(io::Error::other)?;
    let outputs = Outputs::new(&settings.output)?;
    let begin = if settings.resume && outputs.checkpoint.exists() {
        Begin::Resumed(Box::new(load(&outputs.checkpoint, shape)?))
    } else {
        let mean = mean(&settings.from, shape)?;
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

/// The mean of the weights of all these checkpoints, if there are any.
///
/// Networks that have learnt different things from the same beginning lie in one valley of the loss:
/// their mean is better than each of them ("model soups", Wortsman and others, 2022).
fn mean(checkpoints: &[PathBuf], shape: Shape) -> io::Result<Option<Model>> {
    let mut mean: Option<Model> = None;
    for (before, path) in checkpoints.iter().enumerate() {
        let checkpoint = load(path, shape)?;
        let model = checkpoint.average.unwrap_or(checkpoint.model);
        match &mut mean {
            Some(mean) => mean.approach(&model, 1.0 / (before + 1) as f32),
            None => mean = Some(model),
        }
    }
    Ok(mean)
}

/// A checkpoint of a network of these sizes.
fn load(path: &Path, shape: Shape) -> io::Result<Checkpoint> {
    let named = |reason: String| io::Error::other(format!("{}: {reason}", path.display()));
    let checkpoint = Checkpoint::load(path).map_err(|error| named(error.to_string()))?;
    let found = checkpoint.model.shape();
    if found != shape {
        return Err(named(format!(
            "it has {} neurons and {} outputs, not {} and {}",
            found.hidden(),
            found.outputs(),
            shape.hidden(),
            shape.outputs()
        )));
    }
    Ok(checkpoint)
}
