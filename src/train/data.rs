//! Reading games and samples from files: which positions are kept, and which are held out.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;

use super::random::mix;
use super::sample::{GameResult, Sample};
use super::viriformat::{Damage, Games, Outcome, Record};
use crate::position::Position;
use crate::types::{Color, Move};

/// Which positions of a game a network may learn from: those whose worth can be seen without
/// a search. The side to move is never in check, and the best move neither takes nor promotes.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Plies of a game that are left out at its beginning, random ones before it not counted.
    #[arg(long, default_value_t = 8)]
    pub first_ply: usize,
    /// The largest score of a position of either sign, in centipawns.
    #[arg(long, default_value_t = 3_000)]
    pub largest_score: u16,
    /// The fewest pieces of a position.
    #[arg(long, default_value_t = 4)]
    pub fewest_pieces: usize,
}

/// What a network is to learn of the positions of a game.
#[derive(Args, Clone, Copy, Debug, PartialEq)]
pub struct Labels {
    /// How much the scores of later positions of the game count against a position's own, 0 to 1:
    /// the lambda of temporal difference learning. They see further than its search did.
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.9, value_parser = share)]
    pub td_lambda: f32,
    /// A score of so many centipawns counts as e to 1 for the better side: where scores are averaged
    /// with later ones and with the outcome of the game, and in the loss.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = SCALE, value_parser = positive)]
    pub scale: f32,
}

/// So many centipawns count as e to 1 for the better side: as often it wins such games.
const SCALE: f32 = 180.0;

/// What a score of so many centipawns promises, from 0 for a loss to 1 for a win.
fn points(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// The score at which the sides have these chances. One too large for a file saturates.
fn score(won: f64, lost: f64, scale: f64) -> i16 {
    (scale * (won / lost).ln()).round() as i16
}

/// The mean of two scores, as points, in which the second has this weight and the first the rest.
pub fn mean(first: i16, second: i16, weight: f32) -> i16 {
    let (scale, weight) = (f64::from(SCALE), f64::from(weight));
    // The difference of a large chance from 1 would have lost the other.
    let [won, lost] = [1.0, -1.0].map(|side| {
        let [first, second] = [first, second].map(|score| points(side * f64::from(score), scale));
        (1.0 - weight) * first + weight * second
    });
    score(won, lost, scale)
}

/// Reads a number from 0 to 1.
///
/// # Errors
///
/// The text is anything else.
pub fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("it is a number from 0 to 1".into()),
    }
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number < f32::INFINITY => Ok(number),
        _ => Err("it is a number above 0".into()),
    }
}

impl Labels {
    /// The scores to be learnt of the positions of a game, in centipawns for White: the mean of a
    /// position's own score and those after it, each counting lambda times the one before, the
    /// outcome of the game last (TD(lambda): Sutton, Learning to Predict by the Methods of Temporal
    /// Differences).
    ///
    /// Scores are averaged as points. Were these fewer than the better side wins in such games, the
    /// scores would grow from network to network.
    pub fn scores(self, game: &Record) -> Vec<i16> {
        let mut scores: Vec<i16> = game.moves.iter().map(|&(_, score)| score).collect();
        if self.td_lambda == 0.0 {
            return scores;
        }
        // Points close to 0 and 1 need the precision.
        let (lambda, scale) = (f64::from(self.td_lambda), f64::from(self.scale));
        let mut after = f64::from(game.outcome.white_points());
        for label in scores.iter_mut().rev() {
            let own = points((*label).into(), scale);
            after = own + lambda * (after - own);
            *label = score(after, 1.0 - after, scale);
        }
        scores
    }
}

/// Why a position is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    Early,
    Score,
    Check,
    Move,
    Pieces,
}

impl Filter {
    /// What the reasons are called, in their order.
    pub const REASONS: [&str; 5] = [
        "early in the game",
        "large score",
        "in check",
        "capture or promotion",
        "few pieces",
    ];

    /// The first reason not to keep a position before `mv`, `ply` plies into its game and with
    /// this score.
    pub fn refuses(&self, position: &Position, mv: Move, ply: usize, score: i16) -> Option<Reason> {
        [
            (ply < self.first_ply, Reason::Early),
            (score.unsigned_abs() > self.largest_score, Reason::Score),
            (position.in_check(), Reason::Check),
            (!mv.is_quiet(), Reason::Move),
            (
                position.board().occupied().count() < self.fewest_pieces,
                Reason::Pieces,
            ),
        ]
        .into_iter()
        .find_map(|(applies, reason)| applies.then_some(reason))
    }

    /// Whether to keep a sample of no game.
    pub fn keeps_sample(&self, sample: &Sample) -> bool {
        sample.score.unsigned_abs() <= self.largest_score && sample.pieces() >= self.fewest_pieces
    }
}

/// What a file of samples begins with; samples of [`Sample::BYTES`] bytes follow.
pub const SAMPLES_MAGIC: [u8; 32] = *b"Prelate samples 1\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// A file of training data.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    /// Its bytes when it was opened; what is added later is not read.
    pub bytes: u64,
    pub kind: Kind,
}

/// What a file of training data holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Games in viriformat.
    Games,
    /// Samples that belong to no game.
    Samples,
}

impl Source {
    /// Looks at a file, of which the first `limit` bytes shall be read, or all.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn open(path: &Path, limit: Option<u64>) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut head = Vec::new();
        (&mut file)
            .take(SAMPLES_MAGIC.len() as u64)
            .read_to_end(&mut head)?;
        Ok(Self {
            path: path.to_owned(),
            bytes: limit.map_or(bytes, |limit| bytes.min(limit)),
            kind: if head == SAMPLES_MAGIC {
                Kind::Samples
            } else {
                Kind::Games
            },
        })
    }

    /// The file in parts that are read independently of each other.
    pub fn regions(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let bytes = self.bytes;
        (0..bytes)
            .step_by(REGION as usize)
            .map(move |start| start..(start + REGION).min(bytes))
    }

    /// Shows all games that begin in a region, each with its place in the file; what is damaged.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn visit_games(
        &self,
        region: Range<u64>,
        mut visit: impl FnMut(u64, &Record),
    ) -> io::Result<Vec<Damage>> {
        let file = File::open(&self.path)?.take(self.bytes);
        let mut games = Games::from(file, region.start)?;
        let mut damages = Vec::new();
        while games.offset() < region.end {
            let offset = games.offset();
            match games.next_game()? {
                Some(Ok(game)) => visit(offset, &game),
                Some(Err(damage)) => damages.push(damage),
                None => break,
            }
        }
        Ok(damages)
    }

    /// Shows all samples of a region, each with its place in the file; how many are none.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn visit_samples(
        &self,
        region: Range<u64>,
        mut visit: impl FnMut(u64, Sample),
    ) -> io::Result<u64> {
        const SIZE: u64 = Sample::BYTES as u64;
        // The head takes the room of one sample.
        let first = region.start.max(SIZE).next_multiple_of(SIZE);
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(first))?;
        let mut bytes = Vec::new();
        let end = region.end.next_multiple_of(SIZE).min(self.bytes);
        file.take(end.saturating_sub(first))
            .read_to_end(&mut bytes)?;
        let mut damaged = 0;
        let (samples, torn) = bytes.as_chunks();
        for (index, bytes) in samples.iter().enumerate() {
            match Sample::from_bytes(bytes) {
                Some(sample) => visit(first + index as u64 * SIZE, sample),
                None => damaged += 1,
            }
        }
        Ok(damaged + u64::from(!torn.is_empty()))
    }
}

/// Bytes that one thread reads at a time; many times the longest game.
const REGION: u64 = 4 << 20;

/// Looks at the regions of files, many at once, and hands over what was found in their order. To look
/// takes the number of the file, the file, and a region of it.
///
/// # Errors
///
/// To look fails, which names the file, or to `take` does.
pub fn in_regions<T: Send>(
    sources: &[Source],
    threads: usize,
    look: impl Fn(usize, &Source, Range<u64>) -> io::Result<T> + Sync,
    mut take: impl FnMut(&Source, T) -> io::Result<()>,
) -> io::Result<()> {
    let regions: Vec<_> = sources
        .iter()
        .enumerate()
        .flat_map(|(index, source)| source.regions().map(move |region| (index, region)))
        .collect();
    for round in regions.chunks(threads.max(1)) {
        let look = &look;
        let found: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = round
                .iter()
                .map(|(index, region)| {
                    scope.spawn(move || look(*index, &sources[*index], region.clone()))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no thread panics"))
                .collect()
        });
        for ((index, _), found) in round.iter().zip(found) {
            let source = &sources[*index];
            let found = found.map_err(|error| named(&source.path, &error))?;
            take(source, found)?;
        }
    }
    Ok(())
}

/// A sample on its way to training.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub sample: Sample,
    /// A random number that depends only on the place of the sample in its file.
    pub lot: u64,
    /// Whether it is held out for validation, with all samples of its game.
    pub held_out: bool,
}

/// What a region of a file holds.
#[derive(Default)]
pub struct Yield {
    pub samples: Vec<Drawn>,
    pub games: u64,
    pub positions: u64,
    pub damages: Vec<String>,
}

/// How positions become samples.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub filter: Filter,
    pub labels: Labels,
    /// The part of the games that is held out, from 0 to 1.
    pub held_out: f64,
    pub seed: u64,
}

/// Samples of no game are held out in groups of so many neighbours, which may be much alike.
const GROUP: u64 = 1_024;

impl Reader {
    /// Reads all files, many regions at once, and hands over what they hold in a fixed order.
    ///
    /// # Errors
    ///
    /// A file cannot be read, and is named, or `take` fails.
    pub fn read(
        &self,
        sources: &[Source],
        threads: usize,
        take: impl FnMut(&Source, Yield) -> io::Result<()>,
    ) -> io::Result<()> {
        let read = |index, source: &Source, region| self.read_region(index, source, region);
        in_regions(sources, threads, read, take)
    }

    fn read_region(&self, file: usize, source: &Source, region: Range<u64>) -> io::Result<Yield> {
        let mut found = Yield::default();
        let lot = |place: u64| mix(mix(self.seed ^ (file as u64) << 48) ^ place);
        let threshold = (self.held_out * u64::MAX as f64) as u64;
        match source.kind {
            Kind::Games => {
                let damages = source.visit_games(region, |offset, game| {
                    let game_lot = lot(offset);
                    found.games += 1;
                    found.positions += game.moves.len() as u64;
                    let mut position = game.start.clone();
                    let labels = self.labels.scores(game);
                    for (ply, (&(mv, score), &label)) in game.moves.iter().zip(&labels).enumerate()
                    {
                        if self.filter.refuses(&position, mv, ply, score).is_none()
                            && let Some(sample) = sample(&position, label, game.outcome)
                        {
                            found.samples.push(Drawn {
                                sample,
                                lot: mix(game_lot ^ ply as u64),
                                held_out: game_lot < threshold,
                            });
                        }
                        position.make(mv);
                    }
                })?;
                found.damages = damages.iter().map(ToString::to_string).collect();
            }
            Kind::Samples => {
                let damaged = source.visit_samples(region.clone(), |offset, sample| {
                    found.positions += 1;
                    if self.filter.keeps_sample(&sample) {
                        found.samples.push(Drawn {
                            sample,
                            lot: lot(offset),
                            held_out: lot(offset / (GROUP * Sample::BYTES as u64)) < threshold,
                        });
                    }
                })?;
                if damaged > 0 {
                    found.damages = vec![format!(
                        "bytes {} to {}: {damaged} damaged samples are left out",
                        region.start, region.end
                    )];
                }
            }
        }
        Ok(found)
    }
}

/// The sample of a position with a score for White and the outcome of its game.
pub fn sample(position: &Position, score: i16, outcome: Outcome) -> Option<Sample> {
    let side = position.side();
    let (score, result) = match (side, outcome) {
        (Color::White, Outcome::WhiteWins) => (score, GameResult::Win),
        (Color::White, Outcome::BlackWins) => (score, GameResult::Loss),
        (Color::Black, Outcome::WhiteWins) => (score.saturating_neg(), GameResult::Loss),
        (Color::Black, Outcome::BlackWins) => (score.saturating_neg(), GameResult::Win),
        (Color::White, Outcome::Draw) => (score, GameResult::Draw),
        (Color::Black, Outcome::Draw) => (score.saturating_neg(), GameResult::Draw),
    };
    Sample::new(position.board(), side, score, result)
}

/// An error that names its file.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
