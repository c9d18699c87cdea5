//! What training data is like: how much there is, how varied it is, and whether it makes sense.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use clap::Args;

use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::position::Position;
use crate::train::data::{Filter, Kind, Labels, Reader, SAMPLES_MAGIC, Source, in_regions, named};
use crate::train::gradient::sigmoid;
use crate::train::minimum::minimum;
use crate::train::random::mix;
use crate::train::viriformat::{Outcome, Record};
use crate::types::Color;

/// What to look at.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Games in viriformat, or samples.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub filter: Filter,
    #[command(flatten)]
    pub labels: Labels,
    /// Write the positions of games that are kept to this new file, as samples.
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Tell how far the evaluation is from the scores of the games' positions that are kept. Where
    /// these come from deep searches, networks of any data can be compared by it.
    #[arg(long)]
    pub loss: bool,
    /// Threads; all cores if left out.
    #[arg(long)]
    pub threads: Option<usize>,
}

/// A score from which on the result should agree with it, in centipawns.
const DECISIVE: u16 = 300;
/// Of so many different positions one is looked at for duplicates.
const ONE_OF: u64 = 16;
/// The upper ends of the rows of the histogram of scores, in centipawns.
const SCORES: [u16; 9] = [10, 25, 50, 100, 200, 400, 800, 1_600, u16::MAX];
/// How many rows the histogram of pieces has, of four pieces each.
const PIECES: usize = 9;
/// The longest bar of a histogram.
const BAR: f64 = 40.0;

/// Tells what is in the files, one line at a time; with a network, or without one the hand-made
/// evaluation, where its loss is asked for.
///
/// # Errors
///
/// A file cannot be read; it is named.
pub fn run(
    settings: &Settings,
    network: Option<&Arc<Network>>,
    tell: &mut dyn FnMut(String),
) -> io::Result<()> {
    let threads = settings.threads.unwrap_or_else(super::processors).max(1);
    let mut all = Statistics::default();
    let open = |path: &PathBuf| Source::open(path, None).map_err(|error| named(path, &error));
    let sources: Vec<Source> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    for source in &sources {
        let (path, mut damaged) = (&source.path, 0);
        let look = |_, source: &Source, region| look(source, region, settings, network);
        in_regions(slice::from_ref(source), threads, look, |_, found| {
            let (statistics, damages) = found;
            all.add(statistics);
            damaged += damages.len();
            for damage in damages {
                tell(format!("{}: {damage}", path.display()));
            }
            Ok(())
        })?;
        let state = match damaged {
            0 => "sound".into(),
            1 => "damaged in one place".into(),
            _ => format!("damaged in {damaged} places"),
        };
        tell(format!(
            "{}: {} bytes, {state}",
            path.display(),
            source.bytes
        ));
    }
    all.tell(tell);
    if settings.loss {
        let name = network.map_or("the hand-made evaluation", |network| network.name());
        tell_loss(name, &all.valued, settings.labels.scale, tell);
    }
    match &settings.write {
        Some(path) => write(path, &sources, settings, threads),
        None => Ok(()),
    }
}

/// Writes what the filter keeps to a new file.
fn write(path: &Path, sources: &[Source], settings: &Settings, threads: usize) -> io::Result<()> {
    let name = |error| named(path, &error);
    let mut out = BufWriter::new(File::create_new(path).map_err(name)?);
    out.write_all(&SAMPLES_MAGIC).map_err(name)?;
    let reader = Reader {
        filter: settings.filter,
        labels: settings.labels,
        held_out: 0.0,
        seed: 1,
    };
    reader.read(sources, threads, |_, found| {
        let mut samples = found.samples.iter();
        samples
            .try_for_each(|drawn| out.write_all(&drawn.sample.to_bytes()))
            .map_err(name)
    })?;
    out.flush().map_err(name)
}

/// What a part of a file is like, and what is damaged in it.
fn look(
    source: &Source,
    region: Range<u64>,
    settings: &Settings,
    network: Option<&Arc<Network>>,
) -> io::Result<(Statistics, Vec<String>)> {
    let filter = &settings.filter;
    let mut evaluator = settings.loss.then(|| {
        let mut evaluator = Evaluator::default();
        evaluator.set_network(network.cloned());
        evaluator
    });
    let mut found = Statistics::default();
    let damages = match source.kind {
        Kind::Games => {
            let damages = source.visit_games(region, |_, game| {
                found.add_game(game, filter, evaluator.as_mut());
            })?;
            damages.iter().map(ToString::to_string).collect()
        }
        Kind::Samples => {
            let damaged = source.visit_samples(region.clone(), |_, sample| {
                found.samples += 1;
                if filter.keeps_sample(&sample) {
                    found.note_kept(sample.score, sample.pieces(), sample.key());
                    if let Some(evaluator) = &mut evaluator
                        && let Some(position) = sample.position()
                    {
                        found.note_value(evaluator, &position, sample.score);
                    }
                }
            })?;
            match damaged {
                0 => Vec::new(),
                _ => vec![format!(
                    "bytes {} to {}: {damaged} damaged samples",
                    region.start, region.end
                )],
            }
        }
    };
    Ok((found, damages))
}

/// Counts over games and samples.
#[derive(Default)]
struct Statistics {
    games: u64,
    /// By [`Outcome`].
    outcomes: [u64; 3],
    chess960: u64,
    /// Positions of games, and samples of none.
    positions: u64,
    samples: u64,
    kept: u64,
    /// Why positions are not kept; the first reason counts.
    refused: [u64; Filter::REASONS.len()],
    scores: [u64; SCORES.len()],
    pieces: [u64; PIECES],
    /// Positions with a decisive score in decided games, and those won by whom the score says.
    decisive: u64,
    agreeing: u64,
    /// Keys of some of the positions, and how often they came.
    keys: HashSet<u64>,
    met: u64,
    /// Where a loss is asked for: the evaluation of a position and its score, for White.
    valued: Vec<(i16, i16)>,
}

impl Statistics {
    fn add_game(&mut self, game: &Record, filter: &Filter, mut evaluator: Option<&mut Evaluator>) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.chess960 += u64::from(game.start.is_chess960());
        let mut position = game.start.clone();
        for (ply, &(mv, score)) in game.moves.iter().enumerate() {
            self.positions += 1;
            match filter.refuses(&position, mv, ply, score) {
                Some(reason) => self.refused[reason as usize] += 1,
                None => {
                    let pieces = position.board().occupied().count();
                    self.note_kept(score, pieces, position.key());
                    self.note_agreement(score, game.outcome);
                    if let Some(evaluator) = &mut evaluator {
                        self.note_value(evaluator, &position, score);
                    }
                }
            }
            position.make(mv);
        }
    }

    /// Notes what an evaluation says of a position whose score for White is known.
    fn note_value(&mut self, evaluator: &mut Evaluator, position: &Position, score: i16) {
        evaluator.reset(position);
        let value = evaluator.evaluate(position).0 as i16;
        let white = position.side() == Color::White;
        self.valued
            .push((if white { value } else { -value }, score));
    }

    fn note_kept(&mut self, score: i16, pieces: usize, key: u64) {
        self.kept += 1;
        let row = SCORES.iter().position(|&end| score.unsigned_abs() < end);
        self.scores[row.unwrap_or(SCORES.len() - 1)] += 1;
        self.pieces[pieces / 4] += 1;
        self.note_key(key);
    }

    fn note_agreement(&mut self, score: i16, outcome: Outcome) {
        if score.unsigned_abs() >= DECISIVE && outcome != Outcome::Draw {
            self.decisive += 1;
            self.agreeing += u64::from((score > 0) == (outcome == Outcome::WhiteWins));
        }
    }

    /// Looks for duplicates among positions whose keys are chosen at random: so each of them is
    /// met as often as it occurs.
    fn note_key(&mut self, key: u64) {
        if mix(key).is_multiple_of(ONE_OF) {
            self.keys.insert(key);
            self.met += 1;
        }
    }

    fn add(&mut self, other: Self) {
        let sum = |rows: &mut [u64], others: &[u64]| {
            rows.iter_mut()
                .zip(others)
                .for_each(|(row, more)| *row += more);
        };
        sum(&mut self.outcomes, &other.outcomes);
        sum(&mut self.refused, &other.refused);
        sum(&mut self.scores, &other.scores);
        sum(&mut self.pieces, &other.pieces);
        self.games += other.games;
        self.chess960 += other.chess960;
        self.positions += other.positions;
        self.samples += other.samples;
        self.kept += other.kept;
        self.decisive += other.decisive;
        self.agreeing += other.agreeing;
        self.keys.extend(other.keys);
        self.met += other.met;
        self.valued.extend(other.valued);
    }

    fn tell(&self, tell: &mut dyn FnMut(String)) {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        if self.games > 0 {
            let share = |outcome: Outcome| percent(self.outcomes[outcome as usize], self.games);
            tell(format!(
                "games: {}, {:.1} plies each, {:.1} % Chess960",
                self.games,
                self.positions as f64 / self.games as f64,
                percent(self.chess960, self.games)
            ));
            tell(format!(
                "results: White won {:.1} %, drawn {:.1} %, Black won {:.1} %",
                share(Outcome::WhiteWins),
                share(Outcome::Draw),
                share(Outcome::BlackWins)
            ));
        }
        if self.samples > 0 {
            tell(format!("samples: {}", self.samples));
        }
        let all = self.positions + self.samples;
        tell(format!(
            "positions: {all}, kept {} ({:.1} %)",
            self.kept,
            percent(self.kept, all)
        ));
        for (reason, &count) in Filter::REASONS.iter().zip(&self.refused) {
            if count > 0 {
                tell(format!(
                    "  left out, {reason}: {:.1} %",
                    percent(count, all)
                ));
            }
        }
        let twice = self.met - self.keys.len() as u64;
        tell(format!(
            "duplicates among them: about {:.1} %",
            percent(twice, self.met)
        ));
        if self.decisive > 0 {
            tell(format!(
                "score of {DECISIVE} or more and won game: for the same side {:.1} % of {}",
                percent(self.agreeing, self.decisive),
                self.decisive
            ));
        }
        let mut low = 0;
        let scores = SCORES.iter().map(|&end| {
            let row = match end {
                u16::MAX => format!("{low} and more"),
                _ => format!("{low} to {}", end - 1),
            };
            low = end;
            row
        });
        tell("scores, either side's:".into());
        histogram(scores, &self.scores, tell);
        tell("pieces:".into());
        let pieces = (0..PIECES).map(|row| format!("{} to {}", row * 4, row * 4 + 3));
        histogram(pieces, &self.pieces, tell);
    }
}

/// The mean squared error of an evaluation against scores, both as points of a scale; and what it is
/// after all values were multiplied by what suits the scores best.
fn tell_loss(name: &str, valued: &[(i16, i16)], scale: f32, tell: &mut dyn FnMut(String)) {
    let points = |centipawns: f32| sigmoid(centipawns / scale);
    let loss = |factor: f32| -> f64 {
        let errors = valued.iter().map(|&(value, score)| {
            f64::from(points(factor * f32::from(value)) - points(f32::from(score))).powi(2)
        });
        errors.sum::<f64>() / valued.len().max(1) as f64
    };
    let factor = minimum(0.25..4.0, 1e-3, loss);
    tell(format!(
        "loss of {name}: {:.6}; with values times {factor:.2} {:.6}",
        loss(1.0),
        loss(factor)
    ));
}

/// One line for each row that has something.
fn histogram(names: impl Iterator<Item = String>, counts: &[u64], tell: &mut dyn FnMut(String)) {
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    for (name, &count) in names.zip(counts) {
        if count > 0 {
            let bar = "#".repeat((BAR * count as f64 / most).ceil() as usize);
            let line = format!("  {name:>14} {:5.1} % {bar}", 100.0 * count as f64 / all);
            tell(line);
        }
    }
}
