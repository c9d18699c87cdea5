//! What Prelate says in UCI, as text.

use crate::engine::options::{self, Options, TABLE};
use crate::engine::{Engine, NAME, Wdl};
use crate::eval::classical::report::Report as HandMade;
use crate::eval::nnue::report::Report as ByNetwork;
use crate::movegen::notation::{Uci, san};
use crate::movegen::{legal, perft};
use crate::position::Position;
use crate::search::parameters::{self, Parameter};
use crate::search::{Bound, Info, Outcome};
use crate::types::Move;

/// The answer to `uci`.
pub fn identity(engine: &Engine) -> String {
    let mut text = format!("id name {NAME}\nid author {}\n", "the Prelate developers");
    for spec in options::all() {
        text += &spec.uci_line(engine.options());
        text.push('\n');
    }
    text + &format!("info string {}\nuciok", evaluated_by(engine))
}

/// What evaluates: the name and the sizes of a network, or `classical`.
pub fn evaluated_by(engine: &Engine) -> String {
    format!("evaluation: {}", engine.evaluation())
}

/// How UCI writes that there is no move.
pub const NO_MOVE: &str = "0000";

/// A move in UCI, [`NO_MOVE`] for none.
fn move_text(mv: Option<Move>, chess960: bool) -> String {
    mv.map_or_else(|| NO_MOVE.into(), |mv| Uci { mv, chess960 }.to_string())
}

/// An `info` line with score and line of play, from `position`.
pub fn info(info: &Info, position: &Position, options: &Options) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth.max(info.depth.min(1) as usize),
        info.multi_pv,
        info.score
    );
    text += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if options.show_wdl {
        let Wdl { win, draw, loss } = Wdl::of(info, position.board());
        text += &format!(" wdl {win} {draw} {loss}");
    }
    text += &format!(
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        info.nodes,
        info.nps(),
        info.hashfull,
        info.tbhits,
        info.time.as_millis()
    );
    if !info.pv.is_empty() {
        text += " pv";
        for &mv in &info.pv {
            text += &format!(
                " {}",
                Uci {
                    mv,
                    chess960: options.chess960
                }
            );
        }
    }
    text
}

/// The `info` line of the move under search.
pub fn current_move(depth: u32, mv: Move, number: usize, chess960: bool) -> String {
    format!(
        "info depth {depth} currmove {} currmovenumber {number}",
        Uci { mv, chess960 }
    )
}

/// The answer to `go`.
pub fn best_move(outcome: &Outcome, chess960: bool) -> String {
    let mut text = format!("bestmove {}", move_text(outcome.best(), chess960));
    if let Some(ponder) = outcome.ponder() {
        text += &format!(
            " ponder {}",
            Uci {
                mv: ponder,
                chess960
            }
        );
    }
    text
}

/// The answer to `d`: the board, and what can be said of it.
pub fn board(engine: &Engine) -> String {
    let position = engine.position();
    let fen = if engine.options().chess960 {
        position.shredder_fen()
    } else {
        position.to_string()
    };
    let checkers: Vec<String> = position
        .state()
        .checkers
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let moves = legal(position);
    let names: Vec<String> = moves.iter().map(|&mv| san(position, mv)).collect();
    let verdict = match engine.draw() {
        Some(draw) => format!("draw ({draw})"),
        None if moves.is_empty() => "checkmate".into(),
        None => "no".into(),
    };
    format!(
        "{}\n\nFen: {fen}\nKey: {:016X}\nCheckers: {}\nGame over: {verdict}\nLegal moves ({}): {}",
        position.board(),
        position.key(),
        checkers.join(" "),
        moves.len(),
        names.join(" ")
    )
}

/// The answer to `eval`: the hand-made evaluation term by term, after what the network says if one
/// evaluates, which knows no words.
pub fn evaluation(engine: &Engine) -> String {
    let position = engine.position();
    let terms = HandMade::new(position);
    match engine.network() {
        Some(network) => format!(
            "{}\n\nIn words, as the hand-made evaluation sees it:\n\n{terms}",
            ByNetwork::new(position, network)
        ),
        None => terms.to_string(),
    }
}

/// The leaves below one move, as `go perft` lists them.
pub fn perft_move(mv: Move, nodes: u64, chess960: bool) -> String {
    format!("{}: {nodes}", Uci { mv, chess960 })
}

/// The end of `go perft`, which tools look for.
pub fn perft_total(nodes: u64) -> String {
    format!("\nNodes searched: {nodes}\n")
}

/// The nine columns of a perft table with their heads.
pub fn perft_table(rows: &[perft::Table]) -> String {
    let mut text = String::from("depth");
    for name in perft::Table::NAMES {
        text += &format!(" {name:>16}");
    }
    for (depth, row) in (1..).zip(rows) {
        text += &format!("\n{depth:>5}");
        for number in row.columns() {
            text += &format!(" {number:>16}");
        }
    }
    text
}

/// The parameters of the search, a line each as OpenBench takes them for its SPSA: name, type,
/// value, least, most, step at the end, rate of learning at the end.
pub fn parameters() -> String {
    /// What is customary: 500 games more won than lost move a parameter by its step.
    const RATE: f64 = 0.002;
    let line = |parameter: &Parameter| {
        let (name, value, step) = (parameter.name, parameter.get(), parameter.step);
        let (low, high) = (parameter.range.start(), parameter.range.end());
        format!("{name}, int, {value}, {low}, {high}, {step}, {RATE}")
    };
    let lines: Vec<_> = parameters::TABLE.iter().map(line).collect();
    lines.join("\n")
}

/// The answer to `help`.
pub fn help() -> String {
    let mut text = String::from(
        "Prelate speaks UCI, the language of chess programs. Try:\n\n\
         position startpos moves e2e4   set up a position (or: position fen FEN)\n\
         go movetime 1000               search for a second\n\
         go depth 12 | infinite | ...   search under other limits; stop ends it\n\
         go perft 5                     count the leaves of the move tree\n\
         d                              draw the board and say whether the game is over\n\
         flip                           exchange the colours\n\
         eval                           explain the evaluation, term by term\n\
         bench [DEPTH]                  measure speed; the node count is the search's signature\n\
         speedtest [THREADS]            measure speed on all threads, for a minute\n\
         compiler                       tell what this binary was built by and for\n\
         setoption name NAME value X    change an option\n\
         isready, ucinewgame, debug on|off, stop, ponderhit, quit\n\nOptions:\n",
    );
    for spec in TABLE {
        text += &format!("  {:<16} {}\n", spec.name, spec.help);
    }
    text.pop();
    text
}
