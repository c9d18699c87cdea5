//! One line of input into one [`Command`]: the only file that knows vampirc-uci.
//!
//! vampirc-uci reads what it reads well. The rest is read here, since 0.11.1 panics on some lines
//! (`go depth 256`, a blank after `go`), silently loses parts of others (`go ponder wtime 1000`,
//! two blanks after `moves`), and takes `debug only` for `debug on`.

use std::iter::Peekable;
use std::num::IntErrorKind;

use thiserror::Error;
use vampirc_uci::UciMessage;

use super::command::{Command, Go, GoFault, Start};
use crate::engine::options::most_alike;

/// What a line can begin with, for people who mistype it.
const COMMANDS: [&str; 19] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "debug",
    "quit",
    "exit",
    "d",
    "flip",
    "eval",
    "bench",
    "speedtest",
    "compiler",
    "help",
    "perft",
];

/// The words of `go`.
const WORDS_OF_GO: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

/// So many faults of a `go` are told: nobody reads more.
const MOST_FAULTS: usize = 8;
/// So many moves after `searchmoves` are looked at: more than any position has.
const MOST_SEARCHMOVES: usize = 256;

/// Why a line was refused. Nothing of a refused line counts. `go` is never refused: what is wrong
/// with it are its [`faults`](Go::faults).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// No word of the line is a command; the first one is named, and the command most like it.
    #[error("Unknown command: '{word}'. {}", advice(*.nearest))]
    UnknownCommand {
        word: String,
        nearest: Option<&'static str>,
    },
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
    #[error("a line of {length} bytes is refused, the limit is {most}")]
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
            "go" => Ok(Command::Go(go(tail))),
            "position" => position(tail),
            "setoption" => setoption(rest),
            "debug" => debug(tail),
            "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => {
                by_vampirc(word).ok_or_else(|| unknown(word))
            }
            "exit" => Ok(Command::Quit),
            "d" => Ok(Command::Display),
            "flip" => Ok(Command::Flip),
            "eval" => Ok(Command::Eval {
                all: words(tail).next() == Some("all"),
            }),
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
    Err(unknown(first))
}

/// The complaint about a line that begins with this word.
fn unknown(word: &str) -> ParseError {
    ParseError::UnknownCommand {
        word: word.to_owned(),
        nearest: most_alike(word, COMMANDS, |command| *command),
    }
}

/// What to do after a command that there is not.
fn advice(nearest: Option<&str>) -> String {
    match nearest {
        // Not a command of its own: `go perft 5`, or `prelate perft 5` without a session.
        Some("perft") => "Did you mean 'go perft'?".into(),
        Some(command) => format!("Did you mean '{command}'?"),
        None => "Type 'help' for the list.".into(),
    }
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

/// Reads what follows `go`: the words in any order. What cannot be read is noted as a fault, and
/// the rest counts.
fn go(tail: &str) -> Go {
    let mut go = Go::default();
    let mut faults = Vec::new();
    let mut words = words(tail).peekable();
    let mut listing = false; // the words are moves, after `searchmoves`
    while let Some(word) = words.next() {
        let mut number = || number(word, &mut words, &mut faults);
        match word {
            "wtime" => set(&mut go.wtime, number()),
            "btime" => set(&mut go.btime, number()),
            "winc" => set(&mut go.winc, number()),
            "binc" => set(&mut go.binc, number()),
            "movestogo" => set(&mut go.movestogo, number().map(to_u32)),
            "movetime" => set(&mut go.movetime, number().map(to_u64)),
            "depth" => set(&mut go.depth, number().map(to_u32)),
            "nodes" => set(&mut go.nodes, number().map(to_u64)),
            "mate" => set(&mut go.mate, number().map(to_u32)),
            "perft" => set(&mut go.perft, number().map(to_u32)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {}
            mv if listing => {
                if go.searchmoves.len() < MOST_SEARCHMOVES {
                    go.searchmoves.push(mv.to_owned());
                }
                continue;
            }
            _ => note(&mut faults, || GoFault::UnknownWord(word.to_owned())),
        }
        listing = word == "searchmoves";
    }
    Go { faults, ..go }
}

/// Sets a field of `go`, unless there is nothing to set it to.
fn set<T>(field: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *field = value;
    }
}

fn note(faults: &mut Vec<GoFault>, fault: impl FnOnce() -> GoFault) {
    if faults.len() < MOST_FAULTS {
        faults.push(fault());
    }
}

/// The number after a word of `go`, without its fraction; one that no `i64` can hold is the
/// nearest that it can.
fn number<'a>(
    word: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    faults: &mut Vec<GoFault>,
) -> Option<i64> {
    // Another word of `go` is not the number that is missing, and counts itself.
    let Some(text) = words.next_if(|next| !WORDS_OF_GO.contains(next)) else {
        note(faults, || GoFault::NoNumber(word.to_owned()));
        return None;
    };
    let (word, value) = (word.to_owned(), text.to_owned());
    match text.parse::<i64>().map_err(|error| *error.kind()) {
        Ok(number) => Some(number),
        Err(IntErrorKind::PosOverflow) => Some(i64::MAX),
        Err(IntErrorKind::NegOverflow) => Some(i64::MIN),
        Err(_) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                let used = number as i64;
                if number.fract() != 0.0 {
                    note(faults, || GoFault::Fraction { word, value, used });
                }
                Some(used)
            }
            _ => {
                note(faults, || GoFault::NotANumber { word, value });
                None
            }
        },
    }
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
