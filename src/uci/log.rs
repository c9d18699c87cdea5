//! The debug log: both sides of a conversation with time stamps, written by a thread of its own,
//! so that a slow disk delays nobody.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The GUI, or a person.
    Other,
    Engine,
    /// Neither: what the reader should know.
    Nobody,
}

/// A line with what the log has to know of it.
struct Entry {
    time: SystemTime,
    speaker: Speaker,
    text: String,
}

/// An open log. Dropping it waits until all is written, but not for long.
pub struct Log {
    /// None only while the log is dropped.
    entries: Option<Sender<Entry>>,
    /// Closed when the thread has written everything.
    done: Receiver<()>,
}

/// How long the end of a session waits for a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(1);

impl Log {
    /// Opens a file to append to, or creates it. Only a regular file will do: opening a pipe could
    /// block for ever.
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let (sender, entries) = unbounded();
        let (finished, done) = bounded(0);
        thread::Builder::new().name("log".into()).spawn(move || {
            // A full disk ends the log, not the game.
            let _ = write(file, &entries);
            drop(finished);
        })?;
        Ok(Self {
            entries: Some(sender),
            done,
        })
    }

    /// Notes what was said, one entry for each of its lines.
    pub fn note(&self, speaker: Speaker, text: &str) {
        let Some(entries) = &self.entries else { return };
        let time = SystemTime::now();
        for line in text.lines() {
            // A thread that has given up reads no more.
            let _ = entries.send(Entry {
                time,
                speaker,
                text: line.to_owned(),
            });
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.entries = None;
        let _ = self.done.recv_timeout(PATIENCE);
    }
}

/// Writes entries until nobody can send any more; what waits is written before it rests.
fn write(file: File, entries: &Receiver<Entry>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    for entry in entries {
        let time = time_stamp(entry.time);
        let arrow = match entry.speaker {
            Speaker::Other => "->",
            Speaker::Engine => "<-",
            Speaker::Nobody => "--",
        };
        writeln!(out, "{time} {arrow} {}", entry.text)?;
        if entries.is_empty() {
            out.flush()?;
        }
    }
    out.flush()
}

/// A time as in `2024-02-29T12:34:56.789Z` (RFC 3339).
fn time_stamp(time: SystemTime) -> String {
    // A clock before 1970 is not set.
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day so many days after the first of January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March have their leap day at the end, and months of 153 days in five
    // (Howard Hinnant, "chrono-compatible low-level date algorithms").
    const FROM_MARCH_OF_0: u64 = 719_468;
    const FOUR_CENTURIES: u64 = 146_097;
    let days = days + FROM_MARCH_OF_0;
    let (era, day) = (days / FOUR_CENTURIES, days % FOUR_CENTURIES);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year;
    match month {
        0..=9 => (year, month + 3, day),
        _ => (year + 1, month - 9, day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.789Z"),
            (951_782_399, "2000-02-28T23:59:59.789Z"),
            (951_868_799, "2000-02-29T23:59:59.789Z"),
            (951_868_800, "2000-03-01T00:00:00.789Z"),
            (1_709_210_096, "2024-02-29T12:34:56.789Z"),
            (4_107_542_399, "2100-02-28T23:59:59.789Z"),
            (4_107_542_400, "2100-03-01T00:00:00.789Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_millis(1000 * seconds + 789);
            assert_eq!(time_stamp(time), text);
        }
    }
}
