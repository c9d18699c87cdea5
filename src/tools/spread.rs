//! Positions for a teacher to learn from and to judge (`scripts/teacher.py`): those of games with what
//! is known of them, or quiet ones around them; and samples that searches have scored.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::TELL;
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::movegen::{legal, see_at_least};
use crate::position::Position;
use crate::train::data::{Filter, Kind, Labels, SAMPLES_MAGIC, Source, in_regions, named, sample};
use crate::train::random::mix;
use crate::train::sample::{GameResult, Sample};
use crate::train::viriformat::Record;
use crate::types::{Color, Move, Square};

/// What to write.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Games in viriformat, or samples that searches have scored, as `prelate imitate --label-nodes`
    /// makes them.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The new file.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Instead of the positions of games those where up to so many random walks of 1 to 3 moves from
    /// each end, with their evaluation. No move loses by exchanges, and where a walk ends nothing is
    /// to be won by them.
    #[arg(long, value_name = "WALKS")]
    pub around: Option<u64>,
    #[command(flatten)]
    pub filter: Filter,
    #[command(flatten)]
    pub labels: Labels,
    /// Threads; all cores if left out.
    #[arg(long)]
    pub threads: Option<usize>,
}

/// What a file of lessons begins with. Each has the bytes of a [`Sample`], then 16 bits of evaluation in
/// centipawns, and 16 of the move that was played: the square it leaves and that which it reaches,
/// six bits each, or [`NO_MOVE`]; all as the side to move sees it.
pub const LESSONS_MAGIC: [u8; 32] = *b"Prelate lessons 1\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
/// In place of the move where none is known.
pub const NO_MOVE: u16 = u16::MAX;
/// Bytes of a lesson.
pub const LESSON_BYTES: usize = Sample::BYTES + 2 * size_of::<u16>();

/// Writes the positions, evaluated by a network or without one by the hand-made evaluation, with a
/// progress line on standard error.
///
/// # Errors
///
/// A file cannot be read, or holds samples where games are needed, or the output is there already; it is
/// named.
pub fn run(settings: &Settings, network: Option<&Arc<Network>>) -> io::Result<()> {
    let open = |path: &PathBuf| Source::open(path, None).map_err(|error| named(path, &error));
    let sources: Vec<Source> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    if settings.around.is_some()
        && let Some(other) = sources.iter().find(|source| source.kind != Kind::Games)
    {
        let error = io::Error::new(ErrorKind::InvalidData, "it holds samples, not games");
        return Err(named(&other.path, &error));
    }
    let name = |error| named(&settings.output, &error);
    let mut out = BufWriter::new(File::create_new(&settings.output).map_err(name)?);
    let (magic, size) = match settings.around {
        None => (&LESSONS_MAGIC, LESSON_BYTES),
        Some(_) => (&SAMPLES_MAGIC, Sample::BYTES),
    };
    out.write_all(magic).map_err(name)?;
    let threads = settings.threads.unwrap_or_else(super::processors);
    let all: u64 = sources.iter().map(|source| source.bytes).sum();
    let (mut count, mut done, mut told) = (0, 0, Instant::now());
    let look = |_, source: &Source, region: Range<u64>| {
        let length = region.end - region.start;
        let mut evaluator = Evaluator::default();
        evaluator.set_network(network.cloned());
        let mut bytes = Vec::new();
        let damages = match source.kind {
            Kind::Games => {
                let damages = source.visit_games(region, |_, game| match settings.around {
                    None => teach(game, settings, &mut evaluator, &mut bytes),
                    Some(walks) => walk(game, walks, settings, &mut evaluator, &mut bytes),
                })?;
                damages.iter().map(ToString::to_string).collect()
            }
            Kind::Samples => {
                let damaged = source.visit_samples(region, |_, sample| {
                    teach_sample(&sample, settings, &mut evaluator, &mut bytes);
                })?;
                Vec::from_iter((damaged > 0).then(|| format!("{damaged} damaged samples")))
            }
        };
        Ok((bytes, damages, length))
    };
    in_regions(&sources, threads, look, |source, found| {
        let (bytes, damages, length) = found;
        for damage in damages {
            eprintln!("\r{}: {damage}", source.path.display());
        }
        done += length;
        count += (bytes.len() / size) as u64;
        if told.elapsed() >= TELL {
            told = Instant::now();
            eprint!(
                "\r{} % of the files, {count} positions   ",
                100 * done / all
            );
        }
        out.write_all(&bytes).map_err(name)
    })?;
    out.flush().map_err(name)?;
    let file = settings.output.display();
    eprintln!("\r{count} positions in {file}          ");
    Ok(())
}

/// Adds the positions of a game that the filter keeps.
fn teach(game: &Record, settings: &Settings, evaluator: &mut Evaluator, bytes: &mut Vec<u8>) {
    let mut position = game.start.clone();
    let labels = settings.labels.scores(game);
    for (ply, (&(mv, score), label)) in game.moves.iter().zip(labels).enumerate() {
        if settings.filter.refuses(&position, mv, ply, score).is_none()
            && let Some(sample) = sample(&position, label, game.outcome)
        {
            bytes.extend(sample.to_bytes());
            bytes.extend(value(evaluator, &position).to_le_bytes());
            bytes.extend(seen(mv, position.side()).to_le_bytes());
        }
        position.make(mv);
    }
}

/// Adds a sample if the filter keeps it. Which move is best there is not known.
fn teach_sample(
    sample: &Sample,
    settings: &Settings,
    evaluator: &mut Evaluator,
    bytes: &mut Vec<u8>,
) {
    if settings.filter.keeps_sample(sample)
        && let Some(position) = sample.position()
    {
        bytes.extend(sample.to_bytes());
        bytes.extend(value(evaluator, &position).to_le_bytes());
        bytes.extend(NO_MOVE.to_le_bytes());
    }
}

/// The squares of a move as its side sees them.
fn seen(mv: Move, side: Color) -> u16 {
    let square = |square: Square| square.relative_to(side).index() as u16;
    square(mv.from()) | square(mv.to()) << 6
}

/// Adds where random walks from the positions of a game end. They depend on nothing but the position.
fn walk(
    game: &Record,
    walks: u64,
    settings: &Settings,
    evaluator: &mut Evaluator,
    bytes: &mut Vec<u8>,
) {
    let filter = &settings.filter;
    let mut position = game.start.clone();
    for (ply, &(mv, score)) in game.moves.iter().enumerate() {
        if ply >= filter.first_ply && score.unsigned_abs() <= filter.largest_score {
            let ends = (1..=walks).filter_map(|number| end_of_walk(&position, mix(number)));
            for end in ends.filter(is_quiet) {
                let score = value(evaluator, &end);
                let sample = Sample::new(end.board(), end.side(), score, GameResult::Unknown);
                let kept = sample.filter(|sample| filter.keeps_sample(sample));
                bytes.extend(kept.iter().flat_map(Sample::to_bytes));
            }
        }
        position.make(mv);
    }
}

/// Where a random walk of a few moves comes to that lose nothing; `None` if there are no such moves.
fn end_of_walk(position: &Position, seed: u64) -> Option<Position> {
    let mut dice = mix(position.key() ^ seed);
    let mut end = position.clone();
    for _ in 0..[1, 1, 2, 3][(dice >> 60) as usize % 4] {
        dice = mix(dice);
        let moves = legal(&end).into_iter();
        let sound: Vec<Move> = moves.filter(|&mv| see_at_least(&end, mv, 0)).collect();
        let drawn = dice.checked_rem(sound.len() as u64)?;
        end.make(sound[drawn as usize]);
    }
    Some(end)
}

/// Whether the evaluation can be trusted: no check, no end of the game, nothing to be won by an exchange.
fn is_quiet(position: &Position) -> bool {
    let moves = legal(position);
    let wins = |mv: Move| !mv.is_quiet() && see_at_least(position, mv, 1);
    !position.in_check() && !moves.is_empty() && !moves.into_iter().any(wins)
}

/// The evaluation in centipawns for the side to move.
fn value(evaluator: &mut Evaluator, position: &Position) -> i16 {
    evaluator.reset(position);
    evaluator.evaluate(position).0 as i16
}
