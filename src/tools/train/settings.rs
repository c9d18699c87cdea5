//! What can be said of a training.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::tools::processors;
use crate::train::data::{Filter, Labels};

/// What to train, and how.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Games in viriformat, as `prelate datagen` writes them, or samples, as `prelate imitate` and
    /// `scripts/teacher.py` do.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the network. Beside it lie, with other endings, a checkpoint to go on from,
    /// the recipe and the curve of the loss.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// What the network is called; the name of its file if left out.
    #[arg(long)]
    pub name: Option<String>,
    /// Places of the own king that are told apart, 1 or 4: those of a network to begin with that has
    /// one begin alike.
    #[arg(long, default_value_t = 1)]
    pub king_buckets: usize,
    /// Neurons of the hidden layer for each side.
    #[arg(long, default_value_t = 512)]
    pub hidden: usize,
    /// 1, or 8 of which the number of pieces chooses.
    #[arg(long, default_value_t = 8)]
    pub outputs: usize,
    /// Give each output a second and a third layer; a network to begin with may lack them.
    #[arg(long)]
    pub deep: bool,
    /// Passes over the data.
    #[arg(long, default_value_t = 8.0, conflicts_with = "samples")]
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
    /// The part of the rate at which a hidden layer learns that has further layers above it: less
    /// where it has learnt already and they have not.
    #[arg(long, default_value_t = 1.0)]
    pub hidden_rate: f32,
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
    #[arg(long, default_value_t = 16_384, value_parser = at_least_one)]
    pub batch: usize,
    #[command(flatten)]
    pub filter: Filter,
    #[command(flatten)]
    pub labels: Labels,
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
    /// Seconds between two checkpoints.
    #[arg(long, default_value_t = 60)]
    pub save_seconds: u64,
    /// Begin with the weights of this checkpoint or network; of several, each with its own --from,
    /// with their mean.
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Go on where a training of the same settings was interrupted; if there was none, begin.
    #[arg(long)]
    pub resume: bool,
}

impl Settings {
    /// How many threads train.
    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(processors).max(1)
    }

    pub(super) const fn time_between_saves(&self) -> Duration {
        Duration::from_secs(self.save_seconds)
    }

    /// What the network is to be called.
    pub(super) fn network_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| {
            let stem = self.output.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        })
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("it is a number from 1".into()),
        Ok(number) => Ok(number),
    }
}
