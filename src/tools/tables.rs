//! Reading endgame tables from beginning to end, to see whether any is damaged.

use std::time::{Duration, Instant};

use super::News;
use crate::tablebase;

/// Time between two reports of progress.
const PAUSE: Duration = Duration::from_secs(1);

/// Compares each table of some folders with its checksum, and says which are damaged. Each text may
/// name several folders, separated as in `PATH`.
///
/// # Errors
///
/// How many files or folders cannot be used, or that there are no tables.
pub fn run(folders: &[String], say: &mut dyn FnMut(News)) -> Result<(), String> {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for folders in folders {
        let found = tablebase::list(folders);
        files.extend(found.0);
        faults.extend(found.1);
    }
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
        _ if files.is_empty() => Err(format!("no tables in {}", folders.join(", "))),
        0 => {
            say(News::Line(format!(
                "{all}, {size} MiB: all checksums are right"
            )));
            Ok(())
        }
        _ => Err(format!("{all}, {size} MiB: {bad} cannot be used")),
    }
}
