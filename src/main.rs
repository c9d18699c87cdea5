//! The binary: arguments lead to a tool or to the UCI loop.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prelate::engine::config;
use prelate::movegen::perft;
use prelate::position::{Position, STARTPOS};
use prelate::tools::{bench, datagen, tune};
use prelate::uci;
use prelate::uci::format::{self, Output};

/// Prelate, a UCI chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    /// Read the defaults of the options from this file instead of engine.toml.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Subcommand)]
enum Tool {
    /// Count the leaves of the tree of legal moves.
    Perft {
        /// Depth in plies.
        depth: u32,
        /// The position, the start position if left out.
        #[arg(num_args = 0.., value_name = "FEN")]
        fen: Vec<String>,
        /// Print the nine columns of the literature for every depth.
        #[arg(long)]
        table: bool,
    },
    /// Search a fixed set of positions; the node count is the signature of the search.
    Bench {
        /// DEPTH in plies, THREADS, HASH in MiB.
        #[arg(num_args = 0..=3, value_name = "DEPTH [THREADS [HASH]]")]
        words: Vec<String>,
    },
    /// Play games against itself and keep them as data for tuning.
    Datagen(datagen::Settings),
    /// Fit the weights of the evaluation to such games, and write them as Rust source.
    Tune(tune::Settings),
    /// List the parameters of the search for an SPSA tuner, in the form that OpenBench takes.
    #[cfg(feature = "tune")]
    Parameters,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.tool {
        None => {
            let config = config::load(arguments.config.as_deref());
            for problem in &config.problems {
                eprintln!("{problem}");
            }
            uci::run(config);
            Ok(())
        }
        Some(Tool::Perft { depth, fen, table }) => run_perft(depth, &fen, table),
        Some(Tool::Bench { words }) => bench::Settings::from_words(&words).map(|settings| {
            let mut out = Output::default();
            bench::run(settings, &mut |line| out.line(&line));
        }),
        Some(Tool::Tune(settings)) => tune::run(&settings).map_err(|error| error.to_string()),
        #[cfg(feature = "tune")]
        Some(Tool::Parameters) => {
            Output::default().line(&format::parameters());
            Ok(())
        }
        Some(Tool::Datagen(settings)) => {
            datagen::run(&settings).map_err(|error| format!("{}: {error}", settings.file.display()))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
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
    let mut total = if depth == 0 { 1 } else { 0 };
    for (mv, nodes) in perft::divide(&mut position, depth) {
        total += if depth == 0 { 0 } else { nodes };
        out.line(&format::perft_move(mv, nodes, chess960));
    }
    out.line(&format::perft_total(total));
    Ok(())
}
