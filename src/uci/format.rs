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

/// The answer to `eval`: the hand-made evaluation, by all of its terms or by those that count
/// most, after what the network says if one evaluates, which knows no words.
pub fn evaluation(engine: &Engine, all: bool) -> String {
    let position = engine.position();
    let terms = HandMade::new(position);
    let terms = if all {
        format!("{terms:#}")
    } else {
        terms.to_string()
    };
    match engine.network() {
        Some(network) => format!(
            "{}\n\nIn words, as the hand-made evaluation sees it:\n\n{terms}",
            ByNetwork::new(position, network)
        ),
        None => terms,
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

/// The answer to `help`, in lines of at most so many letters.
pub fn help(width: usize) -> String {
    let commands = [
        (
            "position startpos moves e4",
            "set up a position (or: position fen FEN)",
        ),
        ("go movetime 1000", "search for a second"),
        (
            "go depth 12 | infinite | ...",
            "search under other limits; stop ends it",
        ),
        ("go perft 5", "count the leaves of the move tree"),
        ("d", "draw the board and say whether the game is over"),
        ("flip", "exchange the colours"),
        ("eval", "explain the evaluation (eval all: by every term)"),
        (
            "bench [DEPTH]",
            "measure speed, with the signature of the search",
        ),
        (
            "speedtest [THREADS]",
            "measure the speed of all threads for a minute",
        ),
        ("compiler", "say what this binary was built by and for"),
        ("setoption name NAME value X", "change an option"),
        (
            "isready, ucinewgame, debug on",
            "for programs; also stop and ponderhit",
        ),
        ("quit, exit", "leave"),
    ];
    let mut text = String::from("Prelate speaks UCI, the language of chess programs. Try:\n\n");
    for (command, what) in commands {
        text += &entry("", command, 30, what, width);
    }
    text += "\nOptions:\n";
    for spec in TABLE {
        text += &entry("  ", spec.name, 17, spec.help, width);
    }
    text.pop();
    text
}

/// A name and what is to be said of it beside it, in as many lines as that takes.
fn entry(indent: &str, name: &str, name_width: usize, what: &str, width: usize) -> String {
    let begin = format!("{indent}{name:<name_width$} ");
    let mut text = begin.clone();
    let mut column = begin.chars().count();
    let (margin, mut first) = (column, true);
    for word in what.split(' ') {
        let length = word.chars().count();
        if !first && column + 1 + length > width {
            text += &format!("\n{:margin$}", "");
            (column, first) = (margin, true);
        }
        if !first {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
        first = false;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_any_terminal() {
        for width in [60, 80, 100] {
            let text = help(width);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{line}");
            }
        }
        assert!(help(200).lines().count() < help(60).lines().count());
    }
}
