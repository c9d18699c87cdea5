//! The debug log: both sides of a conversation with time stamps, written by a thread of its own,
//! so that a slow disk delays nobody.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

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
    /// Opens a file to add to, new if it is not there. What is no plain file is refused: opening
    /// a pipe could wait for ever.
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::other("this is no plain file"));
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
        let time = humantime::format_rfc3339_millis(entry.time);
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
