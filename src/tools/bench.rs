//! A fixed set of positions searched to a fixed depth: the signature of the search, and its speed.

use std::time::{Duration, Instant};

use super::{Stop, number};
use crate::engine::Engine;
use crate::engine::options::{MEBIBYTES, Options, THREADS};
use crate::search::Limits;

/// Openings, middlegames, endgames, Chess960, and a few positions at the edge of the rules.
pub(super) const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN5/PPP3PP/R1BQ1R1K w - - 2 12",
    "r1bqr1k1/pp1nbpp1/2p2n1p/3p4/3P3B/2NBPN2/PPQ2PPP/R4RK1 w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1k2p1/p1pP3p/P1P4P/1P1K2P1/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
    "8/5pk1/4p1p1/7p/3bP2P/5PP1/3B2K1/8 w - - 0 40",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
    "r1r3k1/1q3ppp/p2bpn2/1p1p4/3P4/P1NBPN2/1P2QPPP/2R2RK1 w - - 2 18",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    "4rrk1/1p1nq3/p7/2p1P1pp/3P2bp/3Q1Bn1/PPPB4/1K2R1NR w - - 40 21",
    "3r3k/3r1P1p/pp1Nn3/2pp4/7Q/6R1/Pq4PP/5RK1 w - - 0 1",
    "1r1q2k1/3n1pp1/2p4p/p1Pp4/3P1B2/1Q2P3/R4PPP/6K1 w - - 0 24",
    "8/8/2k5/8/8/3BB3/4K3/8 w - - 0 1",
    "8/3k4/8/2b5/8/1R6/3K4/8 b - - 10 80",
    "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
    "bq1r1rk1/ppp1nppp/3b4/3pp3/3PP3/2PB1N2/PP2NPPP/BQ1R1RK1 w - - 0 9",
    "7k/P7/8/8/8/8/p7/7K w - - 0 1",
    "r2qkb1r/2p2ppp/p1n1b3/1p1pP3/4n3/1B3N2/PPP2PPP/RNBQ1RK1 w kq - 0 9",
];

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Depth of each search in plies.
    pub depth: u32,
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash: usize,
    /// The network to evaluate by, as for the option `EvalFile`.
    pub eval_file: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: 12,
            threads: 1,
            hash: 16,
            eval_file: String::new(),
        }
    }
}

impl Settings {
    /// Reads `[DEPTH [THREADS [HASH]]]`; what is left out keeps its default.
    pub fn from_words(words: &[String], eval_file: &str) -> Result<Self, String> {
        let usage = "bench [DEPTH [THREADS [HASH]]]";
        let default = Self::default();
        Ok(Self {
            depth: number(words, 0, 1..=100, usage)?.unwrap_or(default.depth),
            threads: number(words, 1, THREADS, usage)?.unwrap_or(default.threads),
            hash: number(words, 2, MEBIBYTES, usage)?.unwrap_or(default.hash),
            eval_file: eval_file.to_owned(),
        })
    }
}

/// Says what evaluates, searches every position with an empty memory and says how it went, position
/// by position; the last line is `N nodes M nps`, unless it was stopped. With one thread N depends on the search
/// alone. The time that counts is that of the searches, without the emptying of the hash table before each.
pub fn run(settings: Settings, stop: &Stop, say: &mut dyn FnMut(String)) {
    let options = Options {
        hash: settings.hash,
        threads: settings.threads,
        eval_file: settings.eval_file,
        ..Options::default()
    };
    let mut engine = Engine::new(options);
    engine.shortages().into_iter().for_each(&mut *say);
    say(format!("evaluation: {}", engine.evaluation()));
    let (mut total, mut spent) = (0, Duration::ZERO);
    for (number, fen) in (1..).zip(POSITIONS) {
        engine.new_game();
        if let Err(error) = engine.set_position(Some(fen), &[]) {
            say(format!("{fen}: {error}"));
            continue;
        }
        let limits = Limits {
            depth: Some(settings.depth),
            ..Limits::default()
        };
        let count = POSITIONS.len();
        let start = Instant::now();
        let Some(line) = super::search(&mut engine, limits, stop) else {
            return say(format!("bench: stopped at position {number} of {count}"));
        };
        spent += start.elapsed();
        total += line.nodes;
        say(format!(
            "{number:>2} of {count}: {:>9} nodes  {fen}",
            line.nodes
        ));
    }
    let nps = total as f64 / spent.as_secs_f64().max(1e-6);
    say(format!("{total} nodes {nps:.0} nps"));
}
