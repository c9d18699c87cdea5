//! The files that a training writes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::eval::nnue::file;
use crate::train::checkpoint;
use crate::train::data::named;

/// The first line of a recipe.
pub(super) const RECIPE: &str = "A network of Prelate\n";

/// The files that a training writes.
pub(super) struct Outputs {
    pub(super) network: PathBuf,
    pub(super) checkpoint: PathBuf,
    pub(super) recipe: PathBuf,
    pub(super) curve: PathBuf,
    pub(super) scratch: PathBuf,
}

impl Outputs {
    /// Makes sure, before any work is done, that all can be written and nothing foreign is lost.
    pub(super) fn new(network: &Path) -> io::Result<Self> {
        let outputs = Self {
            network: network.to_owned(),
            checkpoint: network.with_extension("checkpoint"),
            recipe: network.with_extension("recipe"),
            curve: network.with_extension("svg"),
            scratch: network.with_extension("scratch"),
        };
        let foreign = |path: &Path| {
            Err(io::Error::new(
                ErrorKind::AlreadyExists,
                format!(
                    "{}: it is no file of a training, and is left alone",
                    path.display()
                ),
            ))
        };
        for (path, magic) in [
            (&outputs.network, file::MAGIC.as_slice()),
            (&outputs.checkpoint, checkpoint::MAGIC.as_slice()),
            (&outputs.recipe, RECIPE.as_bytes()),
            (&outputs.curve, b"<svg".as_slice()),
        ] {
            match File::open(path) {
                Ok(file) => {
                    let mut head = Vec::new();
                    file.take(magic.len() as u64)
                        .read_to_end(&mut head)
                        .map_err(|error| named(path, &error))?;
                    if head != magic {
                        return foreign(path);
                    }
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(named(path, &error)),
            }
        }
        // What cannot be made beside the output cannot be put in its place either.
        let probe = network.with_extension("probe");
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&probe)
            .and_then(|_| fs::remove_file(&probe))
            .map_err(|error| named(network, &error))?;
        Ok(outputs)
    }
}
