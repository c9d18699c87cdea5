//! The network that the option `EvalFile` asks for.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use thiserror::Error;

use crate::eval::nnue::file::LONGEST;
use crate::eval::nnue::{FileError, Network, embedded};

/// What asks for the hand-made evaluation.
const NONE: &str = "classical";

/// Why a network is not used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("EvalFile: {}: {reason}", .file.escape_debug())]
pub struct NetworkRefused {
    /// The file, as it was named.
    pub file: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Network(#[from] FileError),
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// The network in a file, the engine's own if its name is empty, or none.
///
/// # Errors
///
/// What is wrong with the file.
pub fn open(file: &str) -> Result<Option<Arc<Network>>, NetworkRefused> {
    match file {
        "" => Ok(Some(embedded())),
        NONE => Ok(None),
        _ => match read(file) {
            Ok(network) => Ok(Some(Arc::new(network))),
            Err(reason) => Err(NetworkRefused {
                file: file.to_owned(),
                reason,
            }),
        },
    }
}

fn read(file: &str) -> Result<Network, Reason> {
    let mut bytes = Vec::new();
    // No more than is needed to see that it is too much.
    let most = LONGEST as u64 + 1;
    File::open(file)?.take(most).read_to_end(&mut bytes)?;
    Ok(Network::parse(&bytes)?)
}
