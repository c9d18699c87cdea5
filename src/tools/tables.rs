//! Reading all of the endgame tables, to see whether they are what they were.

use std::time::{Duration, Instant};

use super::News;
use crate::tablebase;

/// Time between two words on how far it has come.
const PAUSE: Duration = Duration::from_secs(1);

/// Compares each table of some folders, parted as in `PATH`, with its checksum, and says which are
/// damaged.
///
/// # Errors
///
/// How many files or folders cannot be used, or that there are no tables.
pub fn run(folders: &str, say: &mut dyn FnMut(News)) -> Result<(), String> {
    let (files, faults) = tablebase::list(folders);
    for fault in &faults {
        say(News::Line(fault.to_string()));
    }
    let (mut told, mut bytes, mut bad) = (Instant::now(), 0, faults.len());
    for (index, file) in files.iter().enumerate() {
        if let Err(fault) = file.verify() {
            bad += 1;
            say(News::Line(fault.to_string()));
        }
        bytes += file.length();
        let (read, all) = (index + 1, files.len());
        if read < all && told.elapsed() >= PAUSE {
            told = Instant::now();
            say(News::Progress(format!(
                "{read} of {all} files, {} MiB",
                bytes >> 20
            )));
        }
    }
    let all = tablebase::number_of_files(files.len());
    let size = bytes >> 20;
    match bad {
        _ if files.is_empty() => Err(format!("no tables in {folders}")),
        0 => {
            say(News::Line(format!(
                "{all}, {size} MiB: all have their checksums"
            )));
            Ok(())
        }
        _ => Err(format!("{all}, {size} MiB: {bad} cannot be used")),
    }
}
