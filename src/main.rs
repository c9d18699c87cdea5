//! The binary: its arguments choose a tool or the UCI loop.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use crossbeam_channel::never;
use prelate::engine::config::{self, Loaded};
use prelate::engine::network;
use prelate::eval::nnue::Network;
use prelate::movegen::perft;
use prelate::position::{Position, STARTPOS};
use prelate::tools::{
    bench, data, datagen, imitate, processor, speedtest, spread, tables, train, tune,
};
use prelate::uci;
use prelate::uci::format;
use prelate::uci::output::Output;

/// Prelate, a UCI chess engine. Without a command it speaks UCI on standard input and output.
///
/// Other arguments are lines of UCI, carried out one after the other:
/// prelate "position startpos moves e2e4" "go depth 10"
#[derive(Parser)]
#[command(version, about, max_term_width = 80)]
struct Arguments {
    /// Read the defaults of the options from this file, not from engine.toml.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Evaluate by the network in this file, as by the option EvalFile.
    #[arg(long, value_name = "FILE", global = true)]
    eval_file: Option<String>,
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Subcommand)]
enum Tool {
    /// Count the leaves of the tree of legal moves.
    Perft {
        /// Depth in plies.
        depth: u32,
        /// The position; the start position if left out.
        #[arg(num_args = 0.., value_name = "FEN")]
        fen: Vec<String>,
        /// Print captures, checks, mates and so on for every depth.
        #[arg(long)]
        table: bool,
    },
    /// Search a fixed set of positions; the node count is the signature of the search.
    Bench {
        /// DEPTH in plies, THREADS, HASH in MiB.
        #[arg(num_args = 0..=3, value_name = "DEPTH [THREADS [HASH]]")]
        words: Vec<String>,
    },
    /// Measure the speed of all threads for a minute.
    Speedtest {
        /// THREADS, HASH in MiB, SECONDS for all.
        #[arg(num_args = 0..=3, value_name = "THREADS [HASH [SECONDS]]")]
        words: Vec<String>,
    },
    /// Read endgame tables and compare each file with the checksum at its end.
    Tables {
        /// Folders, also several in one word as for the option SyzygyPath.
        #[arg(value_name = "FOLDER", required = true)]
        folders: Vec<String>,
    },
    /// Play games against itself and keep them as data for tuning.
    Datagen(datagen::Settings),
    /// Tell what such games are like, and what is damaged in their files.
    Data(data::Settings),
    /// Keep positions that searches evaluate, as data for a network that shall do the same.
    Imitate(imitate::Settings),
    /// Write positions of games, or quiet ones around them, for a teacher to learn from and to judge.
    Spread(spread::Settings),
    /// Fit the weights of the evaluation to such games, and write them as Rust source.
    Tune(tune::Settings),
    /// Train a network from such games.
    Train(train::Settings),
    /// List the parameters of the search for an SPSA tuner, in the form that OpenBench takes.
    #[cfg(feature = "tune")]
    Parameters,
    #[command(external_subcommand)]
    Commands(Vec<OsString>),
}

fn main() -> ExitCode {
    // Before anything that might consist of instructions this processor does not know.
    match processor::check() {
        Ok(()) => run(),
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments ask for.
#[inline(never)]
fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let (config, eval_file) = (arguments.config.as_deref(), arguments.eval_file.as_deref());
    let done = match arguments.tool {
        None => {
            uci::run(load(config, eval_file));
            Ok(())
        }
        Some(Tool::Commands(commands)) => {
            if uci::run_commands(load(config, eval_file), &commands) {
                Ok(())
            } else {
                Err("Each argument is a whole line of UCI, as in: prelate \"go depth 10\"".into())
            }
        }
        Some(Tool::Perft { depth, fen, table }) => run_perft(depth, &fen, table),
        Some(Tool::Bench { words }) => {
            bench::Settings::from_words(&words, eval_file.unwrap_or_default()).map(|settings| {
                let mut out = Output::default();
                bench::run(settings, &never(), &mut |line| out.line(&line));
            })
        }
        Some(Tool::Speedtest { words }) => {
            speedtest::Settings::from_words(&words, eval_file.unwrap_or_default()).map(|settings| {
                let mut out = Output::default();
                speedtest::run(settings, &never(), &mut |news| out.news(&news));
            })
        }
        Some(Tool::Tables { folders }) => {
            let mut out = Output::default();
            tables::run(&folders, &mut |news| out.news(&news))
        }
        Some(Tool::Tune(settings)) => tune::run(&settings).map_err(|error| error.to_string()),
        Some(Tool::Train(settings)) => train::run(&settings).map_err(|error| error.to_string()),
        #[cfg(feature = "tune")]
        Some(Tool::Parameters) => {
            Output::default().line(&format::parameters());
            Ok(())
        }
        Some(Tool::Datagen(settings)) => {
            with_network(eval_file, |network| datagen::run(&settings, network))
        }
        Some(Tool::Data(settings)) => {
            let mut out = Output::default();
            with_network(eval_file, |network| {
                data::run(&settings, network, &mut |line| out.line(&line))
            })
        }
        Some(Tool::Imitate(settings)) => {
            with_network(eval_file, |network| imitate::run(&settings, network))
        }
        Some(Tool::Spread(settings)) => {
            with_network(eval_file, |network| spread::run(&settings, network))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Has a tool work with the network that the user wants.
fn with_network(
    eval_file: Option<&str>,
    work: impl FnOnce(Option<&Arc<Network>>) -> io::Result<()>,
) -> Result<(), String> {
    let network =
        network::open(eval_file.unwrap_or_default()).map_err(|error| error.to_string())?;
    work(network.as_ref()).map_err(|error| error.to_string())
}

/// Prints what is wrong, if anybody still listens.
fn complain(fault: &dyn Display) {
    let _ = writeln!(io::stderr(), "{fault}");
}

/// The defaults that the user wants; what is wrong with them is printed.
fn load(file: Option<&Path>, eval_file: Option<&str>) -> Loaded {
    let mut config = config::load(file);
    if let Some(network) = eval_file {
        config.options.eval_file = network.to_owned();
    }
    for problem in &config.problems {
        complain(problem);
    }
    config
}

fn run_perft(depth: u32, fen: &[String], table: bool) -> Result<(), String> {
    let fen = if fen.is_empty() {
        STARTPOS.to_owned()
    } else {
        fen.join(" ")
    };
    let mut position: Position = fen.parse().map_err(|error| format!("'{fen}': {error}"))?;
    let mut out = Output::default();
    if table {
        let rows: Vec<_> = (1..=depth)
            .map(|depth| perft::table(&mut position, depth))
            .collect();
        out.line(&format::perft_table(&rows));
        return Ok(());
    }
    let chess960 = position.is_chess960();
    let mut tell = |mv, nodes| out.line(&format::perft_move(mv, nodes, chess960));
    if let Some(total) = perft::divide(&mut position, depth, &mut || true, &mut tell) {
        out.line(&format::perft_total(total));
    }
    Ok(())
}
