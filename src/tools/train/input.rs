//! The data of a training, read and dealt into what is learnt from and what is held out.

use std::io;
use std::time::Instant;

use super::files::Outputs;
use super::settings::Settings;
use crate::tools::TELL;
use crate::train::checkpoint::Checkpoint;
use crate::train::data::{Kind, Reader, Source, named};
use crate::train::pool::Pool;
use crate::train::sample::Sample;

/// Opens the files of data; of those of an interrupted training only what it had seen.
pub(super) fn open(
    settings: &Settings,
    interrupted: Option<&Checkpoint>,
) -> io::Result<Vec<Source>> {
    if let Some(checkpoint) = interrupted
        && checkpoint.sources.len() != settings.files.len()
    {
        return Err(io::Error::other(format!(
            "the training to go on with had {} files of data",
            checkpoint.sources.len()
        )));
    }
    let files = settings.files.iter().enumerate();
    files
        .map(|(index, path)| {
            let limit = interrupted.map(|checkpoint| checkpoint.sources[index]);
            Source::open(path, limit).map_err(|error| named(path, &error))
        })
        .collect()
}

/// What is learnt from, and what is held out.
pub(super) struct Data {
    pub(super) pool: Pool,
    pub(super) held_out: Vec<Sample>,
    pub(super) games: u64,
    pub(super) positions: u64,
}

pub(super) fn read(settings: &Settings, sources: &[Source], outputs: &Outputs) -> io::Result<Data> {
    let expected: u64 = sources.iter().map(expected_samples).sum();
    let limit = (settings.memory << 20) / size_of::<Sample>();
    let pool = if expected > limit as u64 {
        Pool::with_spill(expected, limit, &outputs.scratch)?
    } else {
        Pool::new(expected)
    };
    let mut data = Data {
        pool,
        held_out: Vec::new(),
        games: 0,
        positions: 0,
    };
    let reader = Reader {
        filter: settings.filter,
        labels: settings.labels,
        held_out: settings.held_out,
        seed: settings.seed,
    };
    let mut told = Instant::now();
    reader.read(sources, settings.threads(), |source, found| {
        data.games += found.games;
        data.positions += found.positions;
        for damage in found.damages {
            eprintln!("\r{}: {damage}", source.path.display());
        }
        for drawn in &found.samples {
            if drawn.held_out {
                data.held_out.push(drawn.sample);
            } else {
                let added = data.pool.add(drawn);
                added.map_err(|error| named(&outputs.scratch, &error))?;
            }
        }
        if told.elapsed() >= TELL {
            told = Instant::now();
            eprint!(
                "\r{} games, {} positions, {} kept   ",
                data.games,
                data.positions,
                data.pool.len()
            );
        }
        Ok(())
    })?;
    eprintln!(
        "\r{} games, {} positions: {} to learn from, {} held out",
        data.games,
        data.positions,
        data.pool.len(),
        data.held_out.len()
    );
    Ok(data)
}

/// About how many samples a file gives at most.
fn expected_samples(source: &Source) -> u64 {
    match source.kind {
        Kind::Games => source.bytes / 4,
        Kind::Samples => source.bytes / Sample::BYTES as u64,
    }
}
