//! Tools that use the engine without its protocol.

mod adjudicate;
pub mod bench;
pub mod build;
pub mod data;
pub mod datagen;
pub mod imitate;
mod openings;
pub mod processor;
mod selfplay;
pub mod speedtest;
pub mod spread;
pub mod tables;
pub mod train;
pub mod tune;

use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::io;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, select, unbounded};

use crate::engine::Engine;
use crate::search::{Info, Limits, Report};

/// What a tool that takes its time says meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A line that stays.
    Line(String),
    /// How far it has come; the next word on that may take its place.
    Progress(String),
}

/// Ends a tool before its time, as soon as the other end of this channel is dropped.
pub type Stop = Receiver<Infallible>;

/// Time between two words on the progress of long work.
const TELL: Duration = Duration::from_secs(2);

/// A file that long work goes on with: what it has is read first, then more is added. It is made
/// if it is not there.
fn open_to_extend(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

/// How many threads a tool uses unless told otherwise: one for each processor.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The number that `words` has at `index`, if it goes so far.
///
/// # Errors
///
/// With the usage of the tool, that the word there is not a number in the range.
fn number<T: TryFrom<i64>>(
    words: &[String],
    index: usize,
    range: RangeInclusive<i64>,
    usage: &str,
) -> Result<Option<T>, String> {
    let Some(word) = words.get(index) else {
        return Ok(None);
    };
    let number = word.parse().ok().filter(|number| range.contains(number));
    match number.and_then(|number: i64| number.try_into().ok()) {
        Some(number) => Ok(Some(number)),
        None => {
            let (low, high) = (range.start(), range.end());
            Err(format!(
                "{usage}: '{word}' is not a number from {low} to {high}"
            ))
        }
    }
}

/// What the engine's search of its position came to; `None` if it was stopped.
fn search(engine: &mut Engine, limits: Limits, stop: &Stop) -> Option<Info> {
    let (sender, reports) = unbounded();
    engine.go(limits, sender);
    loop {
        select! {
            recv(reports) -> report => if let Report::Done(outcome) = report.ok()? {
                return Some(outcome.line);
            },
            recv(stop) -> _ => {
                engine.stop();
                return None;
            }
        }
    }
}
