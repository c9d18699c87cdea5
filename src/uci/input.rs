//! Standard input, read and parsed line by line on a thread of its own. At a terminal lines can be
//! edited, and earlier ones come back with the cursor keys.

use std::io::{self, BufRead, IsTerminal, Read};
use std::time::{Duration, Instant};
use std::{process, thread};

use crossbeam_channel::{Receiver, bounded};
use rustyline::{Config, DefaultEditor, error::ReadlineError};

use super::command::{Command, Go, GoFault};
use super::parse::{ParseError, parse};

/// Lines that may wait for the loop before reading pauses.
const WAITING: usize = 1024;
/// The longest line in bytes, its end included. A game of 10,000 half-moves has 50,000.
const LONGEST: usize = 4 << 20;
/// How long the loop may take to leave once it is told to.
const PATIENCE: Duration = Duration::from_millis(800);

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// As it came, with its end. One that is too long is cut.
    pub text: Vec<u8>,
    /// What it says.
    pub command: Result<Option<Command>, ParseError>,
}

impl Line {
    /// Reads what a line says.
    pub fn new(text: Vec<u8>) -> Self {
        let command = parse(&text);
        Self { text, command }
    }
}

/// The lines of standard input. The channel closes at the end of input.
///
/// Soon after `quit` the process ends, whatever the loop waits for: a disk, or a program that
/// does not listen. The exit status is 1 then, for who looks closely.
pub fn lines() -> io::Result<Receiver<Line>> {
    let (sender, receiver) = bounded(WAITING);
    thread::Builder::new().name("input".into()).spawn(move || {
        let mut input = Input::new();
        while let Some(line) = input.next() {
            if line.command == Ok(Some(Command::Quit)) {
                let end = Instant::now() + PATIENCE;
                let _ = sender.send_deadline(line, end);
                thread::sleep(end.saturating_duration_since(Instant::now()));
                process::exit(1);
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// Where lines come from.
enum Input {
    /// A person who types.
    Editor(Box<DefaultEditor>),
    /// A program, or a person at a terminal that cannot do more.
    Plain(io::StdinLock<'static>),
}

impl Input {
    fn new() -> Self {
        let typed = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = typed.then(editor).and_then(Result::ok);
        editor.map_or_else(|| Self::Plain(io::stdin().lock()), Self::Editor)
    }

    /// The next line; none at the end. An error ends the conversation just as the end of input
    /// does.
    fn next(&mut self) -> Option<Line> {
        match self {
            Self::Editor(editor) => match editor.readline("") {
                Ok(text) => Some(Line::new(text.into_bytes())),
                Err(ReadlineError::Interrupted) => Some(Line::new(b"quit".into())),
                Err(_) => None,
            },
            Self::Plain(input) => read(input).ok().flatten(),
        }
    }
}

/// An editor of lines, which remembers those of this session.
fn editor() -> rustyline::Result<Box<DefaultEditor>> {
    // Lines that are pasted are carried out one by one, as those of a pipe are.
    let config = Config::builder()
        .auto_add_history(true)
        .bracketed_paste(false)
        .build();
    DefaultEditor::with_config(config).map(Box::new)
}

/// The next line; none at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut text = Vec::new();
    let most = LONGEST as u64;
    let length = input.by_ref().take(most).read_until(b'\n', &mut text)?;
    if length == 0 {
        return Ok(None);
    }
    if length < LONGEST || text.ends_with(b"\n") {
        return Ok(Some(Line::new(text)));
    }
    let length = length + input.skip_until(b'\n')?;
    text.truncate(100);
    let most = LONGEST;
    let command = match parse(&text) {
        // Whoever says `go` waits for a move.
        Ok(Some(Command::Go(_))) => Ok(Some(Command::Go(Go {
            faults: vec![GoFault::TooLong { length, most }],
            ..Go::default()
        }))),
        _ => Err(ParseError::TooLong { length, most }),
    };
    Ok(Some(Line { text, command }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_too_long_are_refused_whole() {
        let most = [&[b' '; LONGEST - 5][..], b"stop\n"].concat();
        let more = [&[b' '; LONGEST - 4][..], b"stop\n"].concat();
        let text = [b"uci\n", &more[..], b"\n", &most[..], b"stop"].concat();
        let mut input = &text[..];
        let mut next = || {
            let line = read(&mut input).expect("memory can be read")?;
            Some(line.command)
        };
        assert_eq!(next(), Some(Ok(Some(Command::Uci))));
        let fault = ParseError::TooLong {
            length: LONGEST + 1,
            most: LONGEST,
        };
        assert_eq!(next(), Some(Err(fault)));
        assert_eq!(next(), Some(Ok(None)));
        assert_eq!(next(), Some(Ok(Some(Command::Stop))));
        assert_eq!(next(), Some(Ok(Some(Command::Stop))));
        assert_eq!(next(), None);
    }
}
