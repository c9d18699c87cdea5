//! Positions of the search tree, namely those whose static evaluation a search asks for. With its
//! answer they cost nothing, and a network that learns them knows what its teacher knows (imitation).
//! With the score of a search of their own they teach a network the positions that it will be asked
//! about, most of which no game comes to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use crossbeam_channel::unbounded;

use super::selfplay::{Player, Rules, in_order};
use super::{TELL, open_to_extend};
use crate::eval::nnue::Network;
use crate::position::Position;
use crate::train::data::{SAMPLES_MAGIC, mean, named, share};
use crate::train::random::mix;
use crate::train::sample::{GameResult, Sample};
use crate::types::Score;

/// What to collect.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The file that the samples are added to.
    pub file: PathBuf,
    /// How many samples the file shall have at the end, at least.
    #[arg(long, default_value_t = 200_000_000)]
    pub samples: u64,
    /// The part of all evaluations that is kept, chosen at random.
    #[arg(long, default_value_t = 0.5)]
    pub part: f64,
    /// Nodes after which the search of each position begins no new iteration: its score is kept
    /// instead of the evaluation, if its best move is quiet. Without searches if left out.
    #[arg(long, value_name = "NODES")]
    pub label_nodes: Option<u64>,
    /// How much that score counts against the evaluation, 0 to 1. The mean of both is nearer to what
    /// deep searches say than small searches are.
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = share, requires = "label_nodes")]
    pub label_weight: f32,
    #[command(flatten)]
    pub rules: Rules,
}

/// Plays games by a network, or without one by the hand-made evaluation, and keeps positions that
/// their searches evaluate, with a progress line on standard error.
///
/// # Errors
///
/// The file cannot be read or written, or is not one of samples; it is named.
pub fn run(settings: &Settings, network: Option<&Arc<Network>>) -> io::Result<()> {
    let name = |error| named(&settings.file, &error);
    let rules = &settings.rules;
    let tables = rules.tables()?;
    let (file, present) = open(settings).map_err(name)?;
    let mut out = BufWriter::new(file);
    let (start, mut told) = (Instant::now(), Instant::now());
    let mut count = present;
    let threshold = (settings.part * u64::MAX as f64) as u64;
    let player = || {
        let mut player = Player::new(rules, network.cloned(), tables.clone());
        let mut labeller = settings.label_nodes.map(|nodes| {
            let rules = Rules {
                nodes,
                ..rules.clone()
            };
            Player::new(&rules, network.cloned(), None)
        });
        let (sender, evaluated) = unbounded();
        let searched = labeller.is_some();
        let listener = move |position: &Position, score: Score| {
            if mix(position.key()) <= threshold {
                let sample = Sample::new(
                    position.board(),
                    position.side(),
                    stored(score),
                    GameResult::Unknown,
                );
                let position = searched.then(|| position.clone());
                if let Some(sample) = sample {
                    // The receiver lives as long as the player.
                    let _ = sender.send((sample, position));
                }
            }
        };
        player
            .worker()
            .set_evaluation_listener(Some(Box::new(listener)));
        move |number, stop: &AtomicBool| {
            player.play(number, stop)?;
            let evaluated = evaluated.try_iter();
            Some(match &mut labeller {
                Some(labeller) => label(labeller, evaluated, settings.label_weight),
                None => evaluated.map(|(sample, _)| sample).collect(),
            })
        }
    };
    // What is there decides which games come next, so that a file that is added to repeats none.
    in_order(rules.threads(), present, player, |samples| {
        if count >= settings.samples {
            return Ok(ControlFlow::Break(()));
        }
        for sample in samples.into_iter().flatten() {
            out.write_all(&sample.to_bytes()).map_err(name)?;
            count += 1;
        }
        if told.elapsed() >= TELL {
            told = Instant::now();
            let speed = (count - present) as f64 / start.elapsed().as_secs_f64();
            eprint!(
                "\r{count} of {} samples, {speed:.0} a second, {:.0} min left   ",
                settings.samples,
                settings.samples.saturating_sub(count) as f64 / speed / 60.0
            );
        }
        Ok(ControlFlow::Continue(()))
    })?;
    out.flush().map_err(name)?;
    eprintln!("\n{count} samples in {}", settings.file.display());
    Ok(())
}

/// Gives the positions of a game the scores of searches, in which these have a weight and the evaluation
/// the rest. Each is labelled once, however often it was evaluated; those whose best move is not quiet
/// are left out.
fn label(
    labeller: &mut Player,
    evaluated: impl Iterator<Item = (Sample, Option<Position>)>,
    weight: f32,
) -> Vec<Sample> {
    labeller.forget();
    // In an order that has nothing to do with the tree, so that no search profits from the last.
    let mut positions = BTreeMap::new();
    for (sample, position) in evaluated {
        if let Some(position) = position {
            let key = mix(position.key());
            positions.entry(key).or_insert((sample, position));
        }
    }
    let labelled = positions
        .into_values()
        .filter_map(|(mut sample, position)| {
            let score = stored(labeller.quiet_score(&position)?);
            sample.score = mean(sample.score, score, weight);
            Some(sample)
        });
    labelled.collect()
}

/// A score as a sample holds it, in centipawns.
fn stored(score: Score) -> i16 {
    score.0.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// The file, ready for more samples, and how many it has. A torn one at its end is cut off.
fn open(settings: &Settings) -> io::Result<(File, u64)> {
    let mut file = open_to_extend(&settings.file)?;
    let length = file.metadata()?.len();
    if length == 0 {
        file.write_all(&SAMPLES_MAGIC)?;
        return Ok((file, 0));
    }
    let mut head = Vec::new();
    (&mut file)
        .take(SAMPLES_MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    if head != SAMPLES_MAGIC {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "it holds something else than samples, and is left alone",
        ));
    }
    let size = Sample::BYTES as u64;
    let present = (length - SAMPLES_MAGIC.len() as u64) / size;
    let end = SAMPLES_MAGIC.len() as u64 + present * size;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    Ok((file, present))
}
