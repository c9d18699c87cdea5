//! Tuning: fits the weights of the classical evaluation to the outcomes of games, by gradient
//! descent on the logistic error (Texel's method with Adam instead of trial and error).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use clap::Args;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::eval::classical::tapered::Tapered;
use crate::eval::classical::trace;
use crate::eval::classical::weights::Weights;
use crate::eval::classical::{
    FULL_PHASE, PawnCache, WEIGHTS, danger_in_centipawns, evaluate_with, phase,
};
use crate::eval::endgame;
use crate::position::Position;
use crate::train::data::named;
use crate::train::minimum::minimum;
use crate::train::viriformat::{Games, Record};
use crate::types::{Color, Move};

/// What to fit, and how.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Games in viriformat, as `prelate datagen` writes them.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the weights, as Rust source.
    #[arg(
        long,
        alias = "out",
        value_name = "FILE",
        default_value = "src/eval/classical/tuned.rs"
    )]
    pub output: PathBuf,
    /// Passes over all positions.
    #[arg(long, default_value_t = 40)]
    pub epochs: u32,
    /// How far a weight moves in a step in the beginning, in centipawns.
    #[arg(long, default_value_t = 0.8)]
    pub rate: f32,
    /// How much the outcome of the game counts against the score of the search, 0 to 1.
    #[arg(long, default_value_t = 0.7)]
    pub result_weight: f32,
    /// Threads; all cores if left out.
    #[arg(long)]
    pub threads: Option<usize>,
}

/// Positions with larger scores teach nothing, in centipawns.
const DECIDED: i16 = 1_500;
/// Positions in a step of the descent.
const BATCH: usize = 16_384;
/// One game in so many is kept for validation.
const HELD_OUT: usize = 20;
/// The pull of each weight towards where it began, for those that few positions use.
const PULL: f32 = 3e-4;

/// A weight's two values.
type Pair = [f32; 2];

/// One term of a position: which weight, and how often White has it more than Black; for danger
/// how often the king of one side suffers it.
#[derive(Clone, Copy)]
struct Term {
    weight: u16,
    count: i16,
}

/// Positions as the sums they are. The terms of all lie in one row, for the memory's sake.
#[derive(Default)]
struct Data {
    terms: Vec<Term>,
    samples: Vec<Sample>,
}

struct Sample {
    /// Where the terms of this position begin: linear ones, danger to White's king, to Black's;
    /// and where they end.
    bounds: [u32; 4],
    /// Shares of middlegame and endgame; the latter with its scale.
    shares: Pair,
    /// White's points to be expected, as the game and the search say.
    result: f32,
    score: f32,
}

/// Fits the weights and writes them.
///
/// # Errors
///
/// That a file cannot be read or written, with its path.
pub fn run(settings: &Settings) -> io::Result<()> {
    check_writable(&settings.output)?;
    let threads = settings.threads.unwrap_or_else(super::processors).max(1);
    let (train, test) = load(settings)?;
    if train.samples.is_empty() {
        let files = settings.files.iter().map(|path| path.display().to_string());
        let files: Vec<_> = files.collect();
        let what = format!("{}: no position to learn from", files.join(", "));
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    eprintln!(
        "{} positions to learn from, {} to check with, {} weights",
        train.samples.len(),
        test.samples.len(),
        Weights::COUNT
    );
    let start: Vec<Pair> = WEIGHTS
        .to_vector()
        .iter()
        .map(|weight| [weight.middlegame() as f32, weight.endgame() as f32])
        .collect();
    let slope = fit_slope(&train, &start);
    eprintln!(
        "a score of 100 wins {:.1} %",
        100.0 * sigmoid(100.0 * slope)
    );

    let model = Model {
        slope,
        result_weight: settings.result_weight,
        threads,
    };
    let mut weights = start.clone();
    let mut descent = Adam::new(weights.len());
    let mut order: Vec<u32> = (0..train.samples.len() as u32).collect();
    let mut random = SmallRng::seed_from_u64(1);
    let steps = settings.epochs as f32 * (order.len() as f32 / BATCH as f32).ceil();
    let (mut step, clock) = (0.0, Instant::now());
    eprintln!(
        "before: loss {:.6}, check {:.6}",
        model.loss(&train, &weights),
        model.loss(&test, &weights)
    );
    for epoch in 1..=settings.epochs {
        order.shuffle(&mut random);
        for batch in order.chunks(BATCH) {
            let gradient = model.gradient(&train, &weights, batch);
            let rate = settings.rate
                * (0.01 + 0.99 * 0.5 * (1.0 + (std::f32::consts::PI * step / steps).cos()));
            descent.step(&mut weights, &start, &gradient, rate);
            step += 1.0;
        }
        let seconds = clock.elapsed().as_secs_f64();
        let speed = f64::from(epoch) * order.len() as f64 / seconds;
        let left = seconds / f64::from(epoch) * f64::from(settings.epochs - epoch);
        eprintln!(
            "epoch {epoch} of {}: loss {:.6}, check {:.6}, {speed:.0} positions/s, {left:.0} s left",
            settings.epochs,
            model.loss(&train, &weights),
            model.loss(&test, &weights)
        );
    }
    write(settings, &weights)
}

/// Sees to it that a file can be written at the end of long work. What it holds stays as it is,
/// and one that was not there is not there afterwards.
fn check_writable(path: &Path) -> io::Result<()> {
    let is_new = !path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let result = opened.and_then(|_| {
        if is_new {
            fs::remove_file(path)
        } else {
            Ok(())
        }
    });
    result.map_err(|error| named(path, &error))
}

/// Writes the weights as the source file they came from.
fn write(settings: &Settings, weights: &[Pair]) -> io::Result<()> {
    let rounded: Vec<Tapered> = weights
        .iter()
        .map(|pair| Tapered::new(pair[0].round() as i32, pair[1].round() as i32))
        .collect();
    let mut tuned = WEIGHTS.clone();
    tuned.set_vector(&rounded);
    let source = format!(
        "//! The weights as `prelate tune` wrote them. Do not edit by hand: tune again.\n\n\
         use super::tapered::Tapered;\n\
         use super::weights::Weights;\n\n\
         const fn s(middlegame: i32, endgame: i32) -> Tapered {{\n    \
         Tapered::new(middlegame, endgame)\n}}\n\n\
         #[rustfmt::skip]\n\
         pub static WEIGHTS: Weights = {};\n",
        tuned.to_source()
    );
    let output = &settings.output;
    fs::write(output, source).map_err(|error| named(output, &error))?;
    eprintln!("wrote {}", output.display());
    Ok(())
}

/// Reads all games; the second part is held out for validation.
fn load(settings: &Settings) -> io::Result<(Data, Data)> {
    let (mut train, mut test) = (Data::default(), Data::default());
    let mut games = 0;
    for path in &settings.files {
        let name = |error| named(path, &error);
        let mut input = Games::new(File::open(path).map_err(name)?);
        while let Some(game) = input.next_game().map_err(name)? {
            let game = match game {
                Ok(game) => game,
                Err(damage) => {
                    eprintln!("\n{}: {damage}", path.display());
                    continue;
                }
            };
            games += 1;
            let part = if games % HELD_OUT == 0 {
                &mut test
            } else {
                &mut train
            };
            part.add_game(&game);
            if games % 1000 == 0 {
                eprint!(
                    "\r{games} games, {} positions",
                    train.samples.len() + test.samples.len()
                );
            }
        }
    }
    eprintln!();
    Ok((train, test))
}

impl Data {
    /// Takes in the quiet positions of a game.
    fn add_game(&mut self, game: &Record) {
        let mut position = game.start.clone();
        let mut cache = PawnCache::default();
        for &(mv, score) in &game.moves {
            if is_quiet(&position, mv, score) {
                self.add(
                    &position,
                    &mut cache,
                    game.outcome.white_points(),
                    f32::from(score),
                );
            }
            position.make(mv);
        }
    }

    fn add(&mut self, position: &Position, cache: &mut PawnCache, result: f32, score: f32) {
        let mut record = trace::Record::default();
        evaluate_with(position, cache, &mut record);
        if record.entries.is_empty() {
            return;
        }
        let first_danger = WEIGHTS.first_danger();
        record
            .entries
            .sort_unstable_by_key(|&(weight, color, _)| (weight, color.index()));
        let mut linear: Vec<Term> = Vec::new();
        let mut danger: [Vec<Term>; 2] = Default::default();
        for &(weight, color, count) in &record.entries {
            let (row, count) = if weight >= first_danger {
                (&mut danger[color.index()], count)
            } else {
                (
                    &mut linear,
                    if color == Color::White { count } else { -count },
                )
            };
            match row.last_mut() {
                Some(last) if usize::from(last.weight) == weight => last.count += count as i16,
                _ => row.push(Term {
                    weight: weight as u16,
                    count: count as i16,
                }),
            }
        }
        let mut bounds = [self.terms.len() as u32; 4];
        let [white, black] = danger;
        for (index, row) in [linear, white, black].into_iter().enumerate() {
            self.terms
                .extend(row.into_iter().filter(|term| term.count != 0));
            bounds[index + 1] = self.terms.len() as u32;
        }
        let middlegame = phase(position.board()) as f32 / FULL_PHASE as f32;
        let scale = record.scale as f32 / endgame::FULL as f32;
        self.samples.push(Sample {
            bounds,
            shares: [middlegame, (1.0 - middlegame) * scale],
            result,
            score,
        });
    }

    /// Linear terms, danger to White's king, danger to Black's.
    fn rows(&self, sample: &Sample) -> [&[Term]; 3] {
        let [a, b, c, d] = sample.bounds.map(|bound| bound as usize);
        [&self.terms[a..b], &self.terms[b..c], &self.terms[c..d]]
    }

    /// The value of a position for White, with the danger units of both kings.
    fn value(&self, sample: &Sample, weights: &[Pair]) -> (f32, [Pair; 2]) {
        let sum = |row: &[Term]| {
            row.iter().fold([0.0, 0.0], |[mg, eg], term| {
                let weight = weights[usize::from(term.weight)];
                let count = f32::from(term.count);
                [mg + count * weight[0], eg + count * weight[1]]
            })
        };
        let [linear, white, black] = self.rows(sample).map(sum);
        let (cost_white, cost_black) = (danger_in_centipawns(white), danger_in_centipawns(black));
        let value = |part: usize| linear[part] - cost_white[part].0 + cost_black[part].0;
        (
            sample.shares[0] * value(0) + sample.shares[1] * value(1),
            [white, black],
        )
    }
}

/// Whether the evaluation alone can be expected to know what a position is worth.
fn is_quiet(position: &Position, mv: Move, score: i16) -> bool {
    !position.in_check() && mv.is_quiet() && score.abs() <= DECIDED
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The slope of the logistic curve that fits the outcomes best as the weights are.
fn fit_slope(data: &Data, weights: &[Pair]) -> f32 {
    let sample: Vec<(f32, f32)> = data
        .samples
        .iter()
        .step_by(data.samples.len() / 100_000 + 1)
        .map(|sample| (data.value(sample, weights).0, sample.result))
        .collect();
    let loss = |slope: f32| -> f64 {
        sample
            .iter()
            .map(|(value, result)| f64::from(sigmoid(slope * value) - result).powi(2))
            .sum()
    };
    minimum(0.0005..0.02, 1e-5, loss)
}

/// What relates values to points.
struct Model {
    slope: f32,
    result_weight: f32,
    threads: usize,
}

impl Model {
    fn target(&self, sample: &Sample) -> f32 {
        self.result_weight * sample.result
            + (1.0 - self.result_weight) * sigmoid(self.slope * sample.score)
    }

    /// The mean squared error over all positions.
    fn loss(&self, data: &Data, weights: &[Pair]) -> f64 {
        let part = data.samples.len().div_ceil(self.threads).max(1);
        let sum: f64 = thread::scope(|scope| {
            let parts: Vec<_> = data
                .samples
                .chunks(part)
                .map(|samples| {
                    scope.spawn(move || {
                        let error = |sample| {
                            let expected = sigmoid(self.slope * data.value(sample, weights).0);
                            f64::from(expected - self.target(sample)).powi(2)
                        };
                        samples.iter().map(error).sum::<f64>()
                    })
                })
                .collect();
            parts.into_iter().filter_map(|part| part.join().ok()).sum()
        });
        sum / data.samples.len().max(1) as f64
    }

    /// The gradient of the error over a batch.
    fn gradient(&self, data: &Data, weights: &[Pair], batch: &[u32]) -> Vec<Pair> {
        let part = batch.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            let parts: Vec<_> = batch
                .chunks(part)
                .map(|batch| scope.spawn(move || self.gradient_of_part(data, weights, batch)))
                .collect();
            let mut sum = vec![[0.0; 2]; weights.len()];
            for part in parts.into_iter().filter_map(|part| part.join().ok()) {
                for (total, slope) in sum.iter_mut().zip(part) {
                    total[0] += slope[0] / batch.len() as f32;
                    total[1] += slope[1] / batch.len() as f32;
                }
            }
            sum
        })
    }

    fn gradient_of_part(&self, data: &Data, weights: &[Pair], batch: &[u32]) -> Vec<Pair> {
        let mut gradient = vec![[0.0; 2]; weights.len()];
        for &index in batch {
            let sample = &data.samples[index as usize];
            let (value, dangers) = data.value(sample, weights);
            let expected = sigmoid(self.slope * value);
            let outer = (expected - self.target(sample)) * expected * (1.0 - expected) * self.slope;
            let [linear, white, black] = data.rows(sample);
            let mut add = |row: &[Term], slopes: Pair| {
                for term in row {
                    let entry = &mut gradient[usize::from(term.weight)];
                    entry[0] += f32::from(term.count) * slopes[0];
                    entry[1] += f32::from(term.count) * slopes[1];
                }
            };
            let slopes = sample.shares.map(|share| outer * share);
            add(linear, slopes);
            for (row, danger, sign) in [(white, dangers[0], -1.0), (black, dangers[1], 1.0)] {
                let [mg, eg] = danger_in_centipawns(danger);
                add(row, [sign * slopes[0] * mg.1, sign * slopes[1] * eg.1]);
            }
        }
        gradient
    }
}

/// Adam (Kingma and Ba): steps scaled by the running mean and variance of the gradient.
struct Adam {
    mean: Vec<Pair>,
    variance: Vec<Pair>,
}

impl Adam {
    fn new(length: usize) -> Self {
        Self {
            mean: vec![[0.0; 2]; length],
            variance: vec![[0.0; 2]; length],
        }
    }

    fn step(&mut self, weights: &mut [Pair], start: &[Pair], gradient: &[Pair], rate: f32) {
        const MEAN: f32 = 0.9;
        const VARIANCE: f32 = 0.999;
        for (index, slopes) in gradient.iter().enumerate() {
            for part in 0..2 {
                let (mean, variance) =
                    (&mut self.mean[index][part], &mut self.variance[index][part]);
                *mean = MEAN * *mean + (1.0 - MEAN) * slopes[part];
                *variance = VARIANCE * *variance + (1.0 - VARIANCE) * slopes[part] * slopes[part];
                let weight = &mut weights[index][part];
                let pull = PULL * (*weight - start[index][part]);
                *weight -= rate * (*mean / (variance.sqrt() + 1e-12) + pull);
            }
        }
    }
}
