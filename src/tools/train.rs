//! Training: a network from games, and from positions with the scores that a teacher gave them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use crate::eval::nnue::Network;
use crate::eval::nnue::network::{self, digest};
use crate::train::checkpoint::{self, Checkpoint, replace};
use crate::train::curve::{self, Point};
use crate::train::data::{Filter, Kind, Reader, Source, mix, named};
use crate::train::gradient::{Gradients, Passes, Target};
use crate::train::model::{Model, Shape};
use crate::train::optimiser::AdamW;
use crate::train::pool::Pool;
use crate::train::quantise;
use crate::train::sample::Sample;
use crate::train::schedule::Schedule;

/// What to train, and how.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Games in viriformat, as `prelate datagen` writes them, or samples, as `prelate imitate` does.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the network. Beside it lie, with other endings, a checkpoint to go on from,
    /// the recipe and the curve of the loss.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// What the network is called; the name of its file if left out.
    #[arg(long)]
    pub name: Option<String>,
    /// Neurons of the hidden layer for each side.
    #[arg(long, default_value_t = 256)]
    pub hidden: usize,
    /// 1, or 8 of which the number of pieces chooses.
    #[arg(long, default_value_t = 1)]
    pub outputs: usize,
    /// Passes over the data.
    #[arg(long, default_value_t = 20.0, conflicts_with = "samples")]
    pub epochs: f64,
    /// Samples to learn from in all, each pass counted, instead of passes.
    #[arg(long)]
    pub samples: Option<u64>,
    /// How much the result of the game counts against the score of the search, 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    pub result_weight: f32,
    /// About how far a weight moves in a step at most.
    #[arg(long, default_value_t = 1e-3)]
    pub rate: f32,
    /// The part of the rate that is left at the end.
    #[arg(long, default_value_t = 0.01)]
    pub final_rate: f32,
    /// Steps in which the rate rises from nothing.
    #[arg(long, default_value_t = 0)]
    pub warm_up: u64,
    /// The pull of all weights towards zero.
    #[arg(long, default_value_t = 0.01)]
    pub decay: f32,
    /// How much of a running average of the weights each step keeps, such as 0.9995; the average
    /// then is the network.
    #[arg(long, value_name = "PART")]
    pub average: Option<f32>,
    /// Samples of a step.
    #[arg(long, default_value_t = 16_384)]
    pub batch: usize,
    /// Plies of each game that are left out at its beginning.
    #[arg(long, default_value_t = Filter::default().first_ply)]
    pub first_ply: usize,
    /// The largest score of a position, in centipawns.
    #[arg(long, default_value_t = Filter::default().largest_score)]
    pub largest_score: i16,
    /// The fewest pieces of a position.
    #[arg(long, default_value_t = Filter::default().fewest_pieces)]
    pub fewest_pieces: usize,
    /// The part of the games that is held out to measure the loss with.
    #[arg(long, default_value_t = 0.02)]
    pub held_out: f64,
    /// Threads; all cores if left out. The network depends on their number in its last bits.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Decides the first weights and the order of the samples.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Mebibytes for samples; if they need more, they lie in a file beside the output meanwhile.
    #[arg(long, default_value_t = 8_192)]
    pub memory: usize,
    /// Minutes between two checkpoints.
    #[arg(long, default_value_t = 5)]
    pub save_minutes: u64,
    /// Begin with the weights of this checkpoint.
    #[arg(long, value_name = "CHECKPOINT", conflicts_with = "resume")]
    pub from: Option<PathBuf>,
    /// Go on where a training of the same settings was interrupted.
    #[arg(long)]
    pub resume: bool,
}

/// Samples that the loss is measured with on the way, at most; and in a short training.
const MEASURED: usize = 1 << 18;
const FEWEST_MEASURED: usize = 1 << 12;
/// How often in a training it is measured.
const POINTS: u64 = 100;

/// Trains a network and writes it.
///
/// # Errors
///
/// Settings that make no sense, and files that cannot be read or written; each is named.
pub fn run(settings: &Settings) -> io::Result<()> {
    let shape = Shape::new(settings.hidden, settings.outputs).map_err(io::Error::other)?;
    let outputs = Outputs::new(&settings.output)?;
    let begin = match (&settings.from, settings.resume) {
        (Some(path), _) => Some(load(path)?),
        (None, true) => Some(load(&outputs.checkpoint)?),
        (None, false) => None,
    };
    if let Some(checkpoint) = &begin
        && checkpoint.model.shape() != shape
    {
        let (hidden, outputs) = (
            checkpoint.model.shape().hidden(),
            checkpoint.model.shape().outputs(),
        );
        return Err(io::Error::other(format!(
            "the checkpoint has {hidden} neurons and {outputs} outputs, not {} and {}",
            shape.hidden(),
            shape.outputs()
        )));
    }
    let interrupted = begin.as_ref().filter(|_| settings.resume);
    let sources = open(settings, interrupted)?;
    let data = read(settings, &sources, &outputs)?;
    let mut training = Training::new(settings, shape, &sources, data, begin)?;
    training.run(settings, &outputs)?;
    training.finish(settings, &outputs)
}

fn load(path: &Path) -> io::Result<Checkpoint> {
    Checkpoint::load(path).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

fn threads(settings: &Settings) -> usize {
    settings.threads.unwrap_or_else(super::processors).max(1)
}

/// The files that a training writes.
struct Outputs {
    network: PathBuf,
    checkpoint: PathBuf,
    recipe: PathBuf,
    curve: PathBuf,
    scratch: PathBuf,
}

impl Outputs {
    /// Makes sure, before any work is done, that all can be written and nothing foreign is lost.
    fn new(network: &Path) -> io::Result<Self> {
        let outputs = Self {
            network: network.to_owned(),
            checkpoint: network.with_extension("checkpoint"),
            recipe: network.with_extension("recipe"),
            curve: network.with_extension("svg"),
            scratch: network.with_extension("scratch"),
        };
        let foreign = |path: &Path| {
            Err(io::Error::new(
                ErrorKind::AlreadyExists,
                format!(
                    "{}: it is no file of a training, and is left alone",
                    path.display()
                ),
            ))
        };
        for (path, magic) in [
            (&outputs.network, network::MAGIC.as_slice()),
            (&outputs.checkpoint, checkpoint::MAGIC.as_slice()),
            (&outputs.recipe, RECIPE.as_bytes()),
            (&outputs.curve, b"<svg".as_slice()),
        ] {
            match File::open(path) {
                Ok(file) => {
                    let mut head = Vec::new();
                    file.take(magic.len() as u64)
                        .read_to_end(&mut head)
                        .map_err(|error| named(path, &error))?;
                    if head != magic {
                        return foreign(path);
                    }
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(named(path, &error)),
            }
        }
        // What cannot be made beside the output cannot be put in its place either.
        let probe = network.with_extension("probe");
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&probe)
            .and_then(|_| fs::remove_file(&probe))
            .map_err(|error| named(network, &error))?;
        Ok(outputs)
    }
}

/// Opens the files of data; of those of an interrupted training only what it had seen.
fn open(settings: &Settings, interrupted: Option<&Checkpoint>) -> io::Result<Vec<Source>> {
    if let Some(checkpoint) = interrupted
        && checkpoint.sources.len() != settings.files.len()
    {
        return Err(io::Error::other(format!(
            "the training to go on with had {} files of data",
            checkpoint.sources.len()
        )));
    }
    let files = settings.files.iter().enumerate();
    files
        .map(|(index, path)| {
            let limit = interrupted.map(|checkpoint| checkpoint.sources[index]);
            Source::open(path, limit).map_err(|error| named(path, &error))
        })
        .collect()
}

/// What is learnt from, and what is held out.
struct Data {
    pool: Pool,
    held_out: Vec<Sample>,
    games: u64,
    positions: u64,
}

fn read(settings: &Settings, sources: &[Source], outputs: &Outputs) -> io::Result<Data> {
    let expected: u64 = sources.iter().map(expected_samples).sum();
    let limit = (settings.memory << 20) / size_of::<Sample>();
    let pool = if expected > limit as u64 {
        Pool::with_spill(expected, limit, &outputs.scratch)?
    } else {
        Pool::new(expected)
    };
    let mut data = Data {
        pool,
        held_out: Vec::new(),
        games: 0,
        positions: 0,
    };
    let reader = Reader {
        filter: Filter {
            first_ply: settings.first_ply,
            largest_score: settings.largest_score,
            fewest_pieces: settings.fewest_pieces,
        },
        held_out: settings.held_out,
        seed: settings.seed,
    };
    let mut told = Instant::now();
    reader.read(sources, threads(settings), |source, found| {
        data.games += found.games;
        data.positions += found.positions;
        for damage in found.damages {
            eprintln!("\r{}: {damage}", source.path.display());
        }
        for drawn in &found.samples {
            if drawn.held_out {
                data.held_out.push(drawn.sample);
            } else {
                data.pool.add(drawn)?;
            }
        }
        if told.elapsed() >= TELL {
            told = Instant::now();
            eprint!(
                "\r{} games, {} positions, {} kept   ",
                data.games,
                data.positions,
                data.pool.len()
            );
        }
        Ok(())
    })?;
    eprintln!(
        "\r{} games, {} positions: {} to learn from, {} held out",
        data.games,
        data.positions,
        data.pool.len(),
        data.held_out.len()
    );
    Ok(data)
}

/// About how many samples a file gives at most.
fn expected_samples(source: &Source) -> u64 {
    match source.kind {
        Kind::Games => source.bytes / 4,
        Kind::Samples => source.bytes / Sample::BYTES as u64,
    }
}

/// Time between two words on the progress.
const TELL: Duration = Duration::from_secs(2);

/// The first line of a recipe.
const RECIPE: &str = "A network of Prelate\n";

/// A training under way.
struct Training {
    data: Data,
    passes: Passes,
    target: Target,
    schedule: Schedule,
    state: Checkpoint,
    batch: usize,
    threads: usize,
}

impl Training {
    fn new(
        settings: &Settings,
        shape: Shape,
        sources: &[Source],
        data: Data,
        begin: Option<Checkpoint>,
    ) -> io::Result<Self> {
        let batches = data.pool.len() / settings.batch.max(1) as u64;
        if batches == 0 {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!(
                    "{} positions are fewer than a batch of {}",
                    data.pool.len(),
                    settings.batch
                ),
            ));
        }
        let steps = match settings.samples {
            Some(samples) => samples / settings.batch as u64,
            None => (settings.epochs * batches as f64).round() as u64,
        };
        let words = words(settings, &data, steps);
        let mut state = match begin {
            Some(checkpoint) if settings.resume => {
                if checkpoint.settings != words {
                    return Err(io::Error::other(differences(&checkpoint.settings, &words)));
                }
                checkpoint
            }
            other => {
                let model = other.map_or_else(
                    || Model::random(shape, settings.seed),
                    |checkpoint| checkpoint.average.unwrap_or(checkpoint.model),
                );
                Checkpoint {
                    settings: words,
                    sources: sources.iter().map(|source| source.bytes).collect(),
                    points: Vec::new(),
                    optimiser: AdamW::new(&model, settings.decay),
                    average: settings.average.map(|_| model.clone()),
                    model,
                }
            }
        };
        state.optimiser.decay = settings.decay;
        Ok(Self {
            data,
            passes: Passes::default(),
            target: Target {
                result_weight: settings.result_weight,
            },
            schedule: Schedule {
                rate: settings.rate,
                final_rate: settings.rate * settings.final_rate,
                steps,
                warm_up_steps: settings.warm_up,
            },
            state,
            batch: settings.batch,
            threads: threads(settings),
        })
    }

    /// Learns until the schedule is at its end.
    fn run(&mut self, settings: &Settings, outputs: &Outputs) -> io::Result<()> {
        let batches = self.data.pool.len() / self.batch as u64;
        let measured = self.measured();
        let mut gradients = Gradients::new(&self.state.model, self.threads);
        let interval = (self.schedule.steps / POINTS).max(1);
        let (first, clock) = (self.state.optimiser.steps, Instant::now());
        let (mut told, mut saved) = (clock, clock);
        let (mut sum, mut count) = (0.0, 0);
        while self.state.optimiser.steps < self.schedule.steps {
            let (pass, skip) = (
                self.state.optimiser.steps / batches,
                self.state.optimiser.steps % batches,
            );
            let (state, schedule) = (&mut self.state, &self.schedule);
            let (passes, target, threads) = (&self.passes, self.target, self.threads);
            self.data
                .pool
                .deal(mix(settings.seed) ^ pass, self.batch, skip, |batch| {
                    let rate = schedule.rate(state.optimiser.steps);
                    sum += gradients.compute(passes, &state.model, batch, target);
                    count += 1;
                    state.optimiser.step(&mut state.model, &gradients, rate);
                    if let (Some(average), Some(kept)) = (&mut state.average, settings.average) {
                        average.approach(&state.model, 1.0 - kept);
                    }
                    let step = state.optimiser.steps;
                    let is_last = step >= schedule.steps;
                    if step.is_multiple_of(interval) || is_last {
                        let model = state.average.as_ref().unwrap_or(&state.model);
                        let held_out = passes.loss(model, &measured, target, threads);
                        let point = Point {
                            samples: step * batch.len() as u64,
                            train: (sum / f64::from(count)) as f32,
                            held_out: held_out as f32,
                        };
                        (sum, count) = (0.0, 0);
                        state.points.push(point);
                        fs::write(&outputs.curve, curve::svg(&title(settings), &state.points))
                            .map_err(|error| named(&outputs.curve, &error))?;
                    }
                    if told.elapsed() >= TELL || is_last {
                        told = Instant::now();
                        tell(state, schedule, batch.len(), first, clock);
                    }
                    if saved.elapsed().as_secs() >= settings.save_minutes * 60 || is_last {
                        saved = Instant::now();
                        state
                            .save(&outputs.checkpoint)
                            .map_err(|error| named(&outputs.checkpoint, &error))?;
                    }
                    Ok(if is_last {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    })
                })?;
        }
        eprintln!();
        Ok(())
    }

    /// Samples held out, few enough to be looked at often: some percent of all the work.
    fn measured(&self) -> Vec<Sample> {
        let held_out = &self.data.held_out;
        let count = MEASURED.min(self.schedule.steps as usize * self.batch / 1_000);
        let every = held_out.len().div_ceil(count.max(FEWEST_MEASURED));
        held_out.iter().copied().step_by(every.max(1)).collect()
    }

    /// Writes the network that plays, and tells what it is worth.
    fn finish(mut self, settings: &Settings, outputs: &Outputs) -> io::Result<()> {
        let measured = self.measured();
        let average = self.state.average.take();
        let mut model = average.unwrap_or(self.state.model);
        let factor = quantise::best_scale(&self.passes, &model, &measured, self.target);
        if !measured.is_empty() {
            quantise::rescale(&mut model, factor);
        }
        let loss = self
            .passes
            .loss(&model, &measured, self.target, self.threads);
        let name = settings.name.clone().unwrap_or_else(|| {
            let stem = outputs.network.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        });
        let mut recipe = format!("{RECIPE}\n{}", self.state.settings);
        recipe += &format!("scale fitted: {factor:.4}\nloss on positions held out: {loss:.6}\n");
        let parameters = quantise::quantise(&model, &name, digest(recipe.as_bytes()));
        let rounded = quantise::dequantise(&parameters).map_err(io::Error::other)?;
        let (mean, most) = quantise::difference(&self.passes, &model, &rounded, &measured);
        let network = Network::new(&parameters).map_err(io::Error::other)?;
        replace(&outputs.network, &network.to_bytes())
            .map_err(|error| named(&outputs.network, &error))?;
        replace(&outputs.recipe, recipe.as_bytes())
            .map_err(|error| named(&outputs.recipe, &error))?;
        eprintln!(
            "scale: outputs multiplied by {factor:.4}\n\
             loss on positions held out: {loss:.6}\n\
             rounding: {mean:.2} centipawns on average, {most:.1} at most\n\
             bishop pair: {:.0} centipawns\n\
             wrote {}",
            model.pair(settings.outputs / 2) * network::SCALE as f32,
            outputs.network.display()
        );
        Ok(())
    }
}

/// What decides the network, line by line.
fn words(settings: &Settings, data: &Data, steps: u64) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        text += &format!("{key}: {value}\n");
    };
    line("prelate", env!("CARGO_PKG_VERSION").into());
    for file in &settings.files {
        line("data", file.display().to_string());
    }
    line("games", data.games.to_string());
    line("positions", data.positions.to_string());
    line("learnt from", data.pool.len().to_string());
    line("held out", data.held_out.len().to_string());
    line("first ply", settings.first_ply.to_string());
    line("largest score", settings.largest_score.to_string());
    line("fewest pieces", settings.fewest_pieces.to_string());
    line("hidden neurons", settings.hidden.to_string());
    line("outputs", settings.outputs.to_string());
    line("batch", settings.batch.to_string());
    line("steps", steps.to_string());
    line("result weight", settings.result_weight.to_string());
    line("rate", settings.rate.to_string());
    line("final rate", settings.final_rate.to_string());
    line("warm-up steps", settings.warm_up.to_string());
    line("decay", settings.decay.to_string());
    if let Some(kept) = settings.average {
        line("average", kept.to_string());
    }
    if let Some(path) = &settings.from {
        line("from", path.display().to_string());
    }
    line("seed", settings.seed.to_string());
    line("threads", threads(settings).to_string());
    text
}

/// Why a training cannot go on.
fn differences(before: &str, now: &str) -> String {
    let lines = before
        .lines()
        .filter(|line| !now.lines().any(|other| other == *line));
    let lines: Vec<&str> = lines.collect();
    format!(
        "the training to go on with had other settings: {}",
        lines.join(", ")
    )
}

fn title(settings: &Settings) -> String {
    format!(
        "{}: {} neurons, {}",
        settings.output.display(),
        settings.hidden,
        if settings.outputs == 1 {
            "1 output"
        } else {
            "8 outputs"
        }
    )
}

fn tell(state: &Checkpoint, schedule: &Schedule, batch: usize, first: u64, clock: Instant) {
    let step = state.optimiser.steps;
    let seconds = clock.elapsed().as_secs_f64();
    let speed = (step - first) as f64 * batch as f64 / seconds;
    let left = (schedule.steps - step) as f64 * batch as f64 / speed;
    let losses = state.points.last().map_or_else(String::new, |point| {
        format!("loss {:.6}, held out {:.6}, ", point.train, point.held_out)
    });
    eprint!(
        "\r{:.1} of {:.1} million samples, {losses}rate {:.1e}, {:.0} samples/s, {:.1} min left   ",
        step as f64 * batch as f64 / 1e6,
        schedule.steps as f64 * batch as f64 / 1e6,
        schedule.rate(step),
        speed,
        left / 60.0
    );
}
