//! One line of input into one [`Command`]: the only file that knows vampirc-uci.
//!
//! vampirc-uci reads what it reads well. The rest is read here, since 0.11.1 panics on some lines
//! (`go depth 256`, a blank after `go`), silently loses parts of others (`go ponder wtime 1000`,
//! two blanks after `moves`), and takes `debug only` for `debug on`.

use std::num::IntErrorKind;

use thiserror::Error;
use vampirc_uci::UciMessage;

use super::command::{Command, Go, Start};

/// Why a line was refused. Nothing of a refused line counts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// No word of the line is a command; the first one is named.
    #[error("Unknown command: '{0}'. Type help for the list.")]
    UnknownCommand(String),
    /// A word of `go` wants a number, and something else follows.
    #[error("go: '{word}' needs a whole number, not '{value}'")]
    NotANumber { word: String, value: String },
    /// A word of `go` wants a number, and the line ends.
    #[error("go: '{0}' needs a whole number")]
    NoNumber(String),
    /// `position` names neither the initial position nor a FEN.
    #[error("position: expected 'startpos' or 'fen'{}", found(.0))]
    NoPosition(Option<String>),
    /// A FEN has placement, side, castling, en passant, and perhaps the two clocks.
    #[error("position: a FEN has 4 to 6 fields, not {0}")]
    FenFields(usize),
    /// After `startpos` only `moves` can follow.
    #[error("position: expected 'moves', found '{0}'")]
    NoMoves(String),
    /// `debug` is neither on nor off.
    #[error("debug: expected 'on' or 'off'")]
    Debug,
    /// `setoption` does not have its form.
    #[error("setoption: expected 'name NAME' and perhaps 'value VALUE'")]
    SetOption,
    /// The line is longer than any that makes sense.
    #[error("a line of {length} bytes is refused, {most} are the most")]
    TooLong { length: usize, most: usize },
    /// Whether this word belongs to the name or ends it, nobody can tell.
    #[error("setoption: '{0}' cannot be in an option's name")]
    OptionName(String),
}

/// Reads one line, with or without its end; `Ok(None)` if it asks nothing.
///
/// Bytes that are not UTF-8 are replaced, a byte order mark is dropped, control characters count as
/// blanks, and blanks may stand anywhere in any number. As UCI wants it, unknown words before the
/// command are skipped.
pub fn parse(bytes: &[u8]) -> Result<Option<Command>, ParseError> {
    let line = clean(bytes);
    let Some(first) = words(&line).next() else {
        return Ok(None);
    };

    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, tail) = rest.split_once(' ').unwrap_or((rest, ""));
        let command = match word {
            "go" => go(tail).map(Command::Go),
            "position" => position(tail),
            "setoption" => setoption(rest),
            "debug" => debug(tail),
            "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => {
                by_vampirc(word).ok_or_else(|| ParseError::UnknownCommand(word.to_owned()))
            }
            "d" => Ok(Command::Display),
            "flip" => Ok(Command::Flip),
            "eval" => Ok(Command::Eval),
            "bench" => Ok(Command::Bench(words(tail).map(str::to_owned).collect())),
            "speedtest" => Ok(Command::Speedtest(words(tail).map(str::to_owned).collect())),
            "compiler" => Ok(Command::Compiler),
            "help" => Ok(Command::Help),
            _ => {
                rest = tail.trim_start();
                continue;
            }
        };
        return command.map(Some);
    }
    // Arena asks for the older protocol before it asks for UCI, and wants no answer.
    if first == "xboard" {
        return Ok(None);
    }
    Err(ParseError::UnknownCommand(first.to_owned()))
}

/// The line as text in which a space is the only kind of blank.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    text.replace(|c: char| c.is_whitespace() || c.is_control(), " ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Reads what follows `go`: the words in any order, unknown ones skipped.
fn go(tail: &str) -> Result<Go, ParseError> {
    let mut go = Go::default();
    let mut words = words(tail);
    let mut listing = false; // the words are moves, after `searchmoves`
    while let Some(word) = words.next() {
        let mut number = || number(word, words.next());
        match word {
            "wtime" => go.wtime = Some(number()?),
            "btime" => go.btime = Some(number()?),
            "winc" => go.winc = Some(number()?),
            "binc" => go.binc = Some(number()?),
            "movestogo" => go.movestogo = Some(to_u32(number()?)),
            "movetime" => go.movetime = Some(to_u64(number()?)),
            "depth" => go.depth = Some(to_u32(number()?)),
            "nodes" => go.nodes = Some(to_u64(number()?)),
            "mate" => go.mate = Some(to_u32(number()?)),
            "perft" => go.perft = Some(to_u32(number()?)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                listing = true;
                continue;
            }
            mv if listing => {
                go.searchmoves.push(mv.to_owned());
                continue;
            }
            _ => {}
        }
        listing = false;
    }
    Ok(go)
}

/// The number after a word of `go`; one that no `i64` can hold is the nearest that it can.
fn number(word: &str, value: Option<&str>) -> Result<i64, ParseError> {
    let value = value.ok_or_else(|| ParseError::NoNumber(word.to_owned()))?;
    value.parse::<i64>().or_else(|error| match error.kind() {
        IntErrorKind::PosOverflow => Ok(i64::MAX),
        IntErrorKind::NegOverflow => Ok(i64::MIN),
        _ => Err(ParseError::NotANumber {
            word: word.to_owned(),
            value: value.to_owned(),
        }),
    })
}

fn to_u64(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

fn to_u32(number: i64) -> u32 {
    to_u64(number).try_into().unwrap_or(u32::MAX)
}

/// Reads what follows `position`. Whether the position and the moves are legal, others will see.
fn position(tail: &str) -> Result<Command, ParseError> {
    let mut words = words(tail);
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Start::Startpos,
            Some(other) => return Err(ParseError::NoMoves(other.to_owned())),
        },
        Some("fen") => {
            let fields: Vec<_> = words.by_ref().take_while(|word| *word != "moves").collect();
            match fields.len() {
                4..=6 => Start::Fen(fields.join(" ")),
                count => return Err(ParseError::FenFields(count)),
            }
        }
        other => return Err(ParseError::NoPosition(other.map(str::to_owned))),
    };
    Ok(Command::Position {
        start,
        moves: words.map(str::to_owned).collect(),
    })
}

/// The end of a complaint about what stands in a wrong place.
fn found(word: &Option<String>) -> String {
    word.as_ref()
        .map(|word| format!(", found '{word}'"))
        .unwrap_or_default()
}

fn debug(tail: &str) -> Result<Command, ParseError> {
    match words(tail).next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        _ => Err(ParseError::Debug),
    }
}

/// Reads a whole `setoption` line. Its value keeps the blanks inside: it may be the path of a file.
fn setoption(line: &str) -> Result<Command, ParseError> {
    // vampirc takes `valuex` for the end of the name, and then drops it with all that follows.
    let is_value = |word: &str| word.eq_ignore_ascii_case("value");
    let mut name = words(line).take_while(|word| !is_value(word));
    if let Some(word) = name.find(|word| word.get(..5).is_some_and(is_value)) {
        return Err(ParseError::OptionName(word.to_owned()));
    }
    by_vampirc(line).ok_or(ParseError::SetOption)
}

/// Reads by vampirc-uci a line whose first word is one of those below, which it does without fail.
fn by_vampirc(line: &str) -> Option<Command> {
    match vampirc_uci::parse_one(line) {
        UciMessage::Uci => Some(Command::Uci),
        UciMessage::IsReady => Some(Command::IsReady),
        UciMessage::UciNewGame => Some(Command::NewGame),
        UciMessage::Stop => Some(Command::Stop),
        UciMessage::PonderHit => Some(Command::PonderHit),
        UciMessage::Quit => Some(Command::Quit),
        UciMessage::SetOption { name, value } => {
            let value = value
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty());
            Some(Command::SetOption { name, value })
        }
        _ => None,
    }
}
