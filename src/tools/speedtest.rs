//! A longer measurement of speed, with as many threads as the machine has.

use std::time::Duration;

use super::bench::POSITIONS;
use super::{News, Stop, build, number};
use crate::engine::Engine;
use crate::engine::options::{MEBIBYTES, Options, THREADS};
use crate::search::{Limits, TimeLimit};

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash: usize,
    /// Time for all positions together.
    pub time: Duration,
    /// The network to evaluate by, as for the option `EvalFile`.
    pub eval_file: String,
}

/// MiB of the hash table for each thread, unless the user wants another size.
const HASH_PER_THREAD: usize = 64;
/// Seconds, unless the user wants it otherwise.
const SECONDS: u64 = 60;

impl Settings {
    /// Reads `[THREADS [HASH [SECONDS]]]`; what is left out follows the machine.
    pub fn from_words(words: &[String], eval_file: &str) -> Result<Self, String> {
        let usage = "speedtest [THREADS [HASH [SECONDS]]]";
        let threads = number(words, 0, THREADS, usage)?.unwrap_or_else(super::processors);
        let hash = number(words, 1, MEBIBYTES, usage)?.unwrap_or(HASH_PER_THREAD * threads);
        let seconds = number(words, 2, 1..=3_600, usage)?.unwrap_or(SECONDS);
        Ok(Self {
            threads,
            hash,
            time: Duration::from_secs(seconds),
            eval_file: eval_file.to_owned(),
        })
    }
}

/// Searches the positions of the bench for the same time each, and says how far it is; the last
/// line is `N nodes M nps`, unless it was stopped.
pub fn run(settings: Settings, stop: &Stop, say: &mut dyn FnMut(News)) {
    let options = Options {
        hash: settings.hash,
        threads: settings.threads,
        move_overhead: Duration::ZERO,
        eval_file: settings.eval_file,
        ..Options::default()
    };
    let mut engine = Engine::new(options);
    let each = settings.time / POSITIONS.len() as u32;
    // How full the hash table was is counted in permille.
    let (mut nodes, mut time, mut full) = (0_u64, Duration::ZERO, 0);
    for (number, fen) in (1_u32..).zip(POSITIONS) {
        engine.new_game();
        if let Err(error) = engine.set_position(Some(fen), &[]) {
            say(News::Line(format!("{fen}: {error}")));
            continue;
        }
        let limits = Limits {
            time: Some(TimeLimit::Move(each)),
            ..Limits::default()
        };
        let count = POSITIONS.len();
        let Some(line) = super::search(&mut engine, limits, stop) else {
            let text = format!("speedtest: stopped at position {number} of {count}");
            return say(News::Line(text));
        };
        nodes += line.nodes;
        time += line.time;
        full += line.hashfull;
        say(News::Progress(format!(
            "position {number} of {count}, {:.0} of {:.0} s, {:.2} million nodes per second",
            (each * number).as_secs_f64(),
            settings.time.as_secs_f64(),
            speed(nodes, time) / 1e6,
        )));
    }
    say(News::Line(build::describe(&engine)));
    say(News::Line(format!(
        "threads: {}\nhash: {} MiB, {:.1} % full on average\ntime: {:.1} s",
        engine.threads(),
        engine.hash_mebibytes(),
        full as f64 / POSITIONS.len() as f64 / 10.0,
        time.as_secs_f64(),
    )));
    say(News::Line(format!(
        "{nodes} nodes {:.0} nps",
        speed(nodes, time)
    )));
}

/// Nodes per second.
fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}
