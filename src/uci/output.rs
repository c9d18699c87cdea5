//! The one writer to standard output.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};

use super::log::{Log, Speaker};
use crate::engine::Engine;
use crate::tools::{News, build};

/// Standard output, line by line, and the log that hears it too. Once it is closed nobody
/// listens, and nothing more is said.
///
/// Colours are shown where a terminal has them and `NO_COLOR` does not forbid them.
pub struct Output {
    closed: bool,
    people: bool,
    /// What was written and not yet shown.
    unseen: String,
    /// Length of the line of progress, which the next line overwrites.
    unfinished: usize,
    log: Option<Log>,
}

impl Default for Output {
    /// Writes for people on a terminal, for programs everywhere else.
    fn default() -> Self {
        Self {
            closed: false,
            people: io::stdout().is_terminal(),
            unseen: String::new(),
            unfinished: 0,
            log: None,
        }
    }
}

impl Output {
    /// Writes a line, or several, and shows it at once.
    pub fn line(&mut self, text: &str) {
        self.add(text);
        self.flush();
    }

    /// Writes a line that is shown with what follows, so that the reader is woken only once.
    pub fn add(&mut self, text: &str) {
        let progress = std::mem::take(&mut self.unfinished);
        if progress > 0 {
            self.unseen.push_str(&format!("\r{:progress$}\r", ""));
        }
        self.unseen.push_str(text);
        self.unseen.push('\n');
        if let Some(log) = &self.log {
            log.note(Speaker::Engine, &strip_str(text).to_string());
        }
    }

    /// Writes news of a tool. On a terminal a line of progress overwrites the last one.
    pub fn news(&mut self, news: &News) {
        match news {
            News::Progress(text) if self.people => {
                let length = text.chars().count();
                let rest = self.unfinished.saturating_sub(length);
                self.unseen.push_str(&format!("\r{text}{:rest$}", ""));
                self.flush();
                self.unfinished = length;
            }
            News::Line(text) | News::Progress(text) => self.line(text),
        }
    }

    /// Shows everything that was written.
    pub fn flush(&mut self) {
        if !self.closed && !self.unseen.is_empty() {
            let mut out = anstream::stdout().lock();
            self.closed = out
                .write_all(self.unseen.as_bytes())
                .and_then(|()| out.flush())
                .is_err();
        }
        self.unseen.clear();
    }

    /// Whether the other side has hung up.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a person reads this. Whoever says `uci` is taken for a program.
    pub const fn is_for_people(&self) -> bool {
        self.people
    }

    /// Speaks plain UCI from now on.
    pub const fn speak_uci(&mut self) {
        self.people = false;
    }

    /// Says in words, which a GUI shows or drops, that something is not as it should be. Of a line
    /// that quotes too much of what was heard, only both ends are shown.
    pub fn info_string(&mut self, text: &str) {
        self.words(text, AnsiColor::Yellow.on_default());
    }

    /// Says in words that something is as it should be.
    pub fn good_news(&mut self, text: &str) {
        self.words(text, AnsiColor::Green.on_default());
    }

    fn words(&mut self, text: &str, style: Style) {
        for line in text.lines().map(both_ends) {
            if self.people {
                self.line(&format!("{style}{line}{style:#}"));
            } else {
                self.line(&format!("info string {line}"));
            }
        }
    }

    /// Notes in the log what was said to the engine.
    pub fn heard(&self, line: &[u8]) {
        if let Some(log) = &self.log {
            log.note(Speaker::Other, &String::from_utf8_lossy(line));
        }
    }

    /// Keeps a log in the file that the engine's options name from now on, none if they name none.
    /// The error is a sentence.
    pub fn keep_log(&mut self, engine: &Engine) -> Result<(), String> {
        let path = &engine.options().debug_log;
        self.log = None;
        if !path.is_empty() {
            let log = Log::open(Path::new(path))
                .map_err(|error| format!("Debug Log File: '{path}' cannot be written: {error}"))?;
            log.note(Speaker::Nobody, &build::describe(engine));
            self.log = Some(log);
        }
        Ok(())
    }
}

/// A line without its middle, if it is longer than anybody reads.
fn both_ends(line: &str) -> Cow<'_, str> {
    const BEGIN: usize = 500;
    const END: usize = 200;
    let begin = line.char_indices().nth(BEGIN).map(|(at, _)| at);
    let end = line.char_indices().nth_back(END).map(|(at, _)| at);
    match (begin, end) {
        (Some(begin), Some(end)) if begin < end => {
            format!("{} ... {}", &line[..begin], &line[end..]).into()
        }
        _ => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlong_lines_lose_their_middle() {
        for length in [0, 1, 500, 700] {
            let line = "é".repeat(length);
            assert_eq!(both_ends(&line), line);
        }
        let text = format!("move 3, '{}', is not legal", "é".repeat(5000));
        let short = both_ends(&text);
        assert!(short.chars().count() < 710, "{short}");
        assert!(short.starts_with("move 3, 'éé") && short.ends_with("éé', is not legal"));
    }
}
