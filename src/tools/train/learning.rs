//! A training, from its first step or where it was interrupted to the network that plays.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::time::Instant;

use super::files::{Outputs, RECIPE};
use super::input::Data;
use super::recipe::{differences, words};
use super::settings::Settings;
use crate::eval::nnue::Network;
use crate::eval::nnue::file::digest;
use crate::tools::TELL;
use crate::train::checkpoint::{Checkpoint, replace};
use crate::train::curve::{self, Point};
use crate::train::data::{Source, named};
use crate::train::gradient::{Gradients, Passes, SCALE, Target};
use crate::train::model::Model;
use crate::train::optimiser::AdamW;
use crate::train::plain::Plain;
use crate::train::pool::Pool;
use crate::train::quantise;
use crate::train::random::mix;
use crate::train::sample::Sample;
use crate::train::schedule::Schedule;

/// Samples that the loss is measured with on the way, at most; and in a short training.
const MEASURED: usize = 1 << 18;
const FEWEST_MEASURED: usize = 1 << 12;
/// How often in a training it is measured.
const POINTS: u64 = 100;

/// A training under way.
pub(super) struct Training<'a> {
    settings: &'a Settings,
    outputs: &'a Outputs,
    /// Samples held out, few enough to be looked at often: some percent of all the work.
    measured: Vec<Sample>,
    passes: Passes,
    gradients: Gradients,
    target: Target,
    schedule: Schedule,
    state: Checkpoint,
    progress: Progress,
}

/// What a training needs to know of its own course.
struct Progress {
    /// When this run began, and after how many steps.
    start: Instant,
    first_step: u64,
    told: Instant,
    saved: Instant,
    /// Losses of the batches since the last point of the curve, and how many they are.
    losses: f64,
    batches: u32,
}

impl<'a> Training<'a> {
    /// A training of these data, from its beginning or going on at a checkpoint.
    ///
    /// # Errors
    ///
    /// There are too few data, or the checkpoint is of another training.
    pub(super) fn new(
        settings: &'a Settings,
        outputs: &'a Outputs,
        sources: &[Source],
        data: &Data,
        begin: Begin,
    ) -> io::Result<Self> {
        let batches = data.pool.len() / settings.batch as u64;
        if batches == 0 {
            let (found, batch) = (data.pool.len(), settings.batch);
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("{found} positions are fewer than a batch of {batch}"),
            ));
        }
        let steps = match settings.samples {
            Some(samples) => samples / settings.batch as u64,
            None => (settings.epochs * batches as f64).round() as u64,
        };
        let words = words(settings, data, steps);
        let mut state = match begin {
            Begin::Resumed(checkpoint) if checkpoint.settings != words => {
                return Err(io::Error::other(differences(&checkpoint.settings, &words)));
            }
            Begin::Resumed(checkpoint) => *checkpoint,
            Begin::New(model) => Checkpoint {
                settings: words,
                sources: sources.iter().map(|source| source.bytes).collect(),
                points: Vec::new(),
                optimiser: AdamW::new(&model, settings.decay),
                average: settings.average.map(|_| model.clone()),
                model,
            },
        };
        state.optimiser.decay = settings.decay;
        state.optimiser.hidden_rate = settings.hidden_rate;
        let now = Instant::now();
        Ok(Self {
            settings,
            outputs,
            measured: measured(&data.held_out, steps * settings.batch as u64),
            passes: Passes::default(),
            gradients: Gradients::new(&state.model, settings.threads()),
            target: Target {
                result_weight: settings.result_weight,
                scale: settings.labels.scale,
            },
            schedule: Schedule {
                rate: settings.rate,
                final_rate: settings.rate * settings.final_rate,
                steps,
                warm_up_steps: settings.warm_up,
            },
            progress: Progress {
                start: now,
                first_step: state.optimiser.steps,
                told: now,
                saved: now,
                losses: 0.0,
                batches: 0,
            },
            state,
        })
    }

    /// Learns until the schedule is at its end.
    ///
    /// # Errors
    ///
    /// A file cannot be written or read; it is named.
    pub(super) fn run(&mut self, pool: &mut Pool) -> io::Result<()> {
        let batch = self.settings.batch;
        let batches = pool.len() / batch as u64;
        while !self.is_over() {
            let (pass, done) = (self.steps() / batches, self.steps() % batches);
            let seed = mix(self.settings.seed) ^ pass;
            pool.deal(seed, batch, done, |batch| self.learn(batch))?;
        }
        eprintln!();
        Ok(())
    }

    const fn steps(&self) -> u64 {
        self.state.optimiser.steps
    }

    const fn is_over(&self) -> bool {
        self.steps() >= self.schedule.steps
    }

    /// The network that would play: the average where there is one.
    fn model(&self) -> &Model {
        self.state.average.as_ref().unwrap_or(&self.state.model)
    }

    /// One step, with all that is due after it.
    fn learn(&mut self, batch: &[Sample]) -> io::Result<ControlFlow<()>> {
        let (state, gradients) = (&mut self.state, &mut self.gradients);
        let rate = self.schedule.rate(state.optimiser.steps);
        let loss = gradients.compute(&self.passes, &state.model, batch, self.target);
        state.optimiser.step(&mut state.model, gradients, rate);
        if let (Some(average), Some(kept)) = (&mut state.average, self.settings.average) {
            average.approach(&state.model, 1.0 - kept);
        }
        self.progress.losses += loss;
        self.progress.batches += 1;

        let is_over = self.is_over();
        if self
            .steps()
            .is_multiple_of((self.schedule.steps / POINTS).max(1))
            || is_over
        {
            self.measure()?;
        }
        if self.progress.told.elapsed() >= TELL || is_over {
            self.progress.told = Instant::now();
            self.tell();
        }
        if self.progress.saved.elapsed() >= self.settings.time_between_saves() || is_over {
            self.progress.saved = Instant::now();
            let path = &self.outputs.checkpoint;
            self.state.save(path).map_err(|error| named(path, &error))?;
        }
        Ok(if is_over {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Adds a point to the curve.
    fn measure(&mut self) -> io::Result<()> {
        let threads = self.settings.threads();
        let held_out = self
            .passes
            .loss(self.model(), &self.measured, self.target, threads);
        self.state.points.push(Point {
            samples: self.steps() * self.settings.batch as u64,
            train: (self.progress.losses / f64::from(self.progress.batches)) as f32,
            held_out: held_out as f32,
        });
        (self.progress.losses, self.progress.batches) = (0.0, 0);
        let picture = curve::svg(&title(self.settings), &self.state.points);
        let path = &self.outputs.curve;
        replace(path, picture.as_bytes()).map_err(|error| named(path, &error))
    }

    fn tell(&self) {
        let samples = |steps: u64| steps as f64 * self.settings.batch as f64;
        let seconds = self.progress.start.elapsed().as_secs_f64();
        let speed = samples(self.steps() - self.progress.first_step) / seconds;
        let losses = self.state.points.last().map_or_else(String::new, |point| {
            format!("loss {:.6}, held out {:.6}, ", point.train, point.held_out)
        });
        eprint!(
            "\r{:.1} of {:.1} million samples, {losses}rate {:.1e}, {speed:.0} samples/s, \
             {:.1} min left   ",
            samples(self.steps()) / 1e6,
            samples(self.schedule.steps) / 1e6,
            self.schedule.rate(self.steps()),
            samples(self.schedule.steps - self.steps()) / speed / 60.0
        );
    }

    /// Writes the network that plays, and tells what it is worth.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or the engine refuses such a network.
    pub(super) fn finish(self) -> io::Result<()> {
        let (measured, target, outputs) = (&self.measured, self.target, self.outputs);
        let mut model = self.model().clone();
        let factor = quantise::best_scale(&self.passes, &model, measured, target);
        quantise::rescale(&mut model, factor);
        let threads = self.settings.threads();
        let loss = self.passes.loss(&model, measured, target, threads);
        let recipe = format!(
            "{RECIPE}\n{}scale fitted: {factor:.4}\nloss on positions held out: {loss:.6}\n",
            self.state.settings
        );
        let name = self.settings.network_name();
        let parameters = quantise::quantise(&model, &name, digest(recipe.as_bytes()));
        let rounded = quantise::dequantise(&parameters).map_err(io::Error::other)?;
        let (mean, most) = quantise::difference(&self.passes, &model, &rounded, measured);
        let network = Network::new(&parameters).map_err(io::Error::other)?;
        for (path, bytes) in [
            (&outputs.network, network.to_bytes()),
            (&outputs.recipe, recipe.into_bytes()),
        ] {
            replace(path, &bytes).map_err(|error| named(path, &error))?;
        }
        let pairs = Plain::from(&model).pairs;
        let pairs: Vec<String> = pairs
            .iter()
            .map(|pair| format!("{:.0}", pair * SCALE))
            .collect();
        eprintln!(
            "scale: outputs multiplied by {factor:.4}\n\
             loss on positions held out: {loss:.6}\n\
             rounding: {mean:.2} centipawns on average, {most:.1} at most\n\
             bishop pair: {} centipawns\n\
             wrote {}",
            pairs.join(", "),
            outputs.network.display()
        );
        Ok(())
    }
}

/// How a training begins.
pub(super) enum Begin {
    /// With these weights.
    New(Model),
    /// Where it was interrupted.
    Resumed(Box<Checkpoint>),
}

/// Some of the samples held out, as befits a training on so many samples; many where nothing is
/// learnt and they are passed through once.
fn measured(held_out: &[Sample], samples: u64) -> Vec<Sample> {
    let count = match samples {
        0 => MEASURED,
        _ => MEASURED
            .min((samples / 1_000) as usize)
            .max(FEWEST_MEASURED),
    };
    let every = held_out.len().div_ceil(count).max(1);
    held_out.iter().copied().step_by(every).collect()
}

fn title(settings: &Settings) -> String {
    let outputs = match settings.outputs {
        1 => "1 output".to_owned(),
        outputs => format!("{outputs} outputs"),
    };
    let (name, hidden) = (settings.network_name(), settings.hidden);
    format!("{name}: {hidden} neurons, {outputs}")
}
