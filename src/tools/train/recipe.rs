//! What decides a network, in words: so that it can be made again.

use std::path::Path;

use super::input::Data;
use super::settings::Settings;

/// What decides the network, line by line.
pub(super) fn words(settings: &Settings, data: &Data, steps: u64) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        text += &format!("{key}: {value}\n");
    };
    line("prelate", env!("CARGO_PKG_VERSION").into());
    for file in &settings.files {
        line("data", name(file));
    }
    line("games", data.games.to_string());
    line("positions", data.positions.to_string());
    line("learnt from", data.pool.len().to_string());
    line("held out", data.held_out.len().to_string());
    line("first ply", settings.filter.first_ply.to_string());
    line("largest score", settings.filter.largest_score.to_string());
    line("fewest pieces", settings.filter.fewest_pieces.to_string());
    line("lambda", settings.labels.td_lambda.to_string());
    line("scale", settings.labels.scale.to_string());
    if settings.king_buckets > 1 {
        line("king buckets", settings.king_buckets.to_string());
    }
    line("hidden neurons", settings.hidden.to_string());
    line("outputs", settings.outputs.to_string());
    if settings.deep {
        line("deep", "true".into());
    }
    line("batch", settings.batch.to_string());
    line("steps", steps.to_string());
    line("result weight", settings.result_weight.to_string());
    line("rate", settings.rate.to_string());
    if settings.deep {
        line("hidden rate", settings.hidden_rate.to_string());
    }
    line("final rate", settings.final_rate.to_string());
    line("warm-up steps", settings.warm_up.to_string());
    line("decay", settings.decay.to_string());
    if let Some(kept) = settings.average {
        line("average", kept.to_string());
    }
    for path in &settings.from {
        line("from", name(path));
    }
    line("seed", settings.seed.to_string());
    line("threads", settings.threads().to_string());
    text
}

/// A file without its folder: where it lies decides nothing.
fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Why a training cannot go on.
pub(super) fn differences(before: &str, now: &str) -> String {
    let lines = before
        .lines()
        .filter(|line| !now.lines().any(|other| other == *line));
    let lines: Vec<&str> = lines.collect();
    format!(
        "the training to go on with had other settings: {}",
        lines.join(", ")
    )
}
