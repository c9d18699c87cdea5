//! The real binary at the other end of two pipes, as a GUI has it.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{self, Child, ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use prelate::movegen::notation::{self, Uci, parse_uci};
use prelate::position::{Game, Position};
use prelate::uci::command::{Command, Start};
use prelate::uci::parse::parse;

/// How long anything may take. It is this much only so that a busy machine fails no test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine, what it was told and what it said.
pub struct Driver {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Both sides of the conversation, for whoever has to find out what went wrong.
    transcript: String,
    folder: PathBuf,
    /// The position for the next `go`, and how castling is written.
    game: Game,
    chess960: bool,
    /// The positions of the searches that have not been answered, oldest first.
    searches: VecDeque<(Game, bool)>,
    /// The last line that was heard, which has to carry a score when `bestmove` comes.
    last: String,
}

/// The binary in an empty folder of its own, where it finds no `engine.toml`.
pub fn prelate() -> (process::Command, PathBuf) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("prelate-{}-{number}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_prelate"));
    command.current_dir(&folder).env_remove("PRELATE_CONFIG");
    (command, folder)
}

impl Driver {
    /// Starts the engine.
    pub fn start() -> Self {
        let (command, folder) = prelate();
        Self::spawn(command, folder)
    }

    /// Starts the engine by this command; the folder is removed when all is over.
    pub fn spawn(mut command: process::Command, folder: PathBuf) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            output,
            transcript: String::new(),
            folder,
            game: Game::default(),
            chess960: false,
            searches: VecDeque::new(),
            last: String::new(),
        }
    }

    /// Says a line to the engine.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Says a line that need not be text, its end included.
    pub fn send_bytes(&mut self, line: &[u8]) {
        /// Nobody wants to read more.
        const SHOWN: usize = 300;
        let shown = line[..line.len().min(SHOWN)].escape_ascii();
        self.transcript += &format!("> {shown} ({} bytes)\n", line.len());
        self.follow(line);
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line).expect("the engine listens");
    }

    /// The next line the engine says; none if it has said its last.
    fn hear(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript += &format!("< {line}\n");
                self.check(&line);
                self.last.clone_from(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("the engine is silent"),
        }
    }

    /// The lines up to the first that `wanted` likes, that line included.
    pub fn until(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.hear() else {
                self.fail("the engine has left before it said what was expected");
            };
            let found = wanted(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Waits for a line that `wanted` likes.
    pub fn expect(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.until(wanted).pop().unwrap_or_default()
    }

    /// What is said before the answer to `isready`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Sends a line, and gives what is said to it at once.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sends a `go` and gives all lines to its `bestmove`.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.answer()
    }

    /// The lines up to and with the next `bestmove`.
    pub fn answer(&mut self) -> Vec<String> {
        self.until(|line| line.starts_with("bestmove"))
    }

    /// Ends the input and gives what is still said, and how the engine left. Every search was
    /// answered.
    pub fn finish(mut self) -> (ExitStatus, Vec<String>) {
        drop(self.input.take());
        let mut lines = Vec::new();
        while let Some(line) = self.hear() {
            lines.push(line);
        }
        let status = self.leave(PATIENCE);
        if !self.searches.is_empty() {
            self.fail("a search was not answered");
        }
        (status, lines)
    }

    /// Sends `quit` to an engine that has nothing else to do: it has to leave in order, within a
    /// second.
    pub fn quit(mut self) {
        let status = self.break_off();
        if !status.success() {
            self.fail(&status.to_string());
        }
    }

    /// Sends `quit`, after which the engine has to be gone within a second, whatever else it still
    /// has to do: with the status 1 if it left some of that undone, but never by a crash.
    pub fn break_off(&mut self) -> ExitStatus {
        self.send("quit");
        let status = self.leave(Duration::from_secs(1));
        if !matches!(status.code(), Some(0 | 1)) {
            self.fail(&status.to_string());
        }
        status
    }

    /// Waits for the end of the process.
    fn leave(&mut self, patience: Duration) -> ExitStatus {
        match leave(&mut self.child, patience) {
            Some(status) => status,
            None => self.fail("the engine does not leave"),
        }
    }

    /// Everything the engine wrote to its piped standard error, once it has left.
    pub fn stderr(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            drop(self.input.take());
            pipe.read_to_string(&mut text).expect("stderr is text");
        }
        text
    }

    /// The memory that the engine takes up, in KiB, without the program's own file, of which the
    /// system keeps as much in memory as it likes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> usize {
        let status = format!("/proc/{}/status", self.child.id());
        let text = fs::read_to_string(status).expect("the process is there");
        let line = text.lines().find(|line| line.starts_with("RssAnon:"));
        let word = line.and_then(|line| line.split_whitespace().nth(1));
        word.expect("a size").parse().expect("a number")
    }

    /// The position that the last good `position` set up.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Understands what is sent: which position is searched, and how castling is to be written.
    fn follow(&mut self, line: &[u8]) {
        /// Of a longer line the engine understands only that it begins with `go`.
        const LONGEST: usize = 4 << 20;
        let is_too_long = line.len() > LONGEST;
        let read = if is_too_long { &line[..100] } else { line };
        let Ok(Some(command)) = parse(read) else {
            return;
        };
        match command {
            Command::Go(_) if is_too_long => {
                self.searches.push_back((self.game.clone(), self.chess960));
            }
            _ if is_too_long => {}
            Command::Position { start, moves } => {
                if let Some(game) = set_up(&start, &moves) {
                    self.game = game;
                }
            }
            Command::SetOption { name, value } if name.eq_ignore_ascii_case("UCI_Chess960") => {
                match value.as_deref() {
                    Some("true") => self.chess960 = true,
                    Some("false") => self.chess960 = false,
                    _ => {}
                }
            }
            Command::Flip => self.game = Game::new(self.game.position().flipped()),
            Command::Go(go) if go.perft.is_none() => {
                self.searches.push_back((self.game.clone(), self.chess960));
            }
            _ => {}
        }
    }

    /// Holds what is said against the rules: every line of play is legal to its last move, and
    /// each `go` is answered once, by a legal move after a scored line.
    fn check(&mut self, line: &str) {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["bestmove", best, ref rest @ ..] => {
                let Some((game, chess960)) = self.searches.pop_front() else {
                    self.fail("a bestmove that nobody asked for");
                };
                let scored = self.last.starts_with("info depth") && self.last.contains(" score ");
                if !scored {
                    self.fail("bestmove does not follow a line with a score");
                }
                let complete = |key: &str| self.last.contains(&format!(" {key} "));
                let keys = "seldepth multipv score nodes nps hashfull tbhits time";
                if !keys.split(' ').all(complete) {
                    self.fail("the line before bestmove is not complete");
                }
                // With several lines the last one is not that of the best move.
                let first = self.last.contains(" multipv 1 ");
                if first
                    && best != "0000"
                    && !complete(&format!("pv {best}"))
                    && !self.last.ends_with(&format!(" pv {best}"))
                {
                    self.fail("bestmove is not the move of the line before it");
                }
                let mated = prelate::movegen::legal(game.position()).is_empty();
                let mut moves = vec![best];
                match rest {
                    [] => {}
                    ["ponder", reply] => moves.push(reply),
                    _ => self.fail("this is no form of bestmove"),
                }
                if mated && moves == ["0000"] {
                    return;
                }
                self.check_moves(game, chess960, &moves);
            }
            ["info", "depth", ..] => {
                let Some((game, chess960)) = self.searches.front().cloned() else {
                    self.fail("a line of a search that nobody asked for");
                };
                if let Some(pv) = words.iter().position(|&word| word == "pv") {
                    self.check_moves(game, chess960, &words[pv + 1..]);
                }
            }
            _ => {}
        }
    }

    fn check_moves(&self, mut game: Game, chess960: bool, moves: &[&str]) {
        for &text in moves {
            match parse_uci(game.position(), text) {
                Some(mv) if (Uci { mv, chess960 }).to_string() == text => {
                    game.make(mv);
                }
                _ => self.fail(&format!("'{text}' is not legal, or not so written")),
            }
        }
    }

    /// Ends the test with the whole conversation.
    fn fail(&self, what: &str) -> ! {
        panic!("{what}\n{}", self.transcript)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Most have left by now; a test that fails leaves none behind either.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The game that a `position` line sets up, if all of it is right.
fn set_up(start: &Start, moves: &[String]) -> Option<Game> {
    /// What is longer is refused.
    const MOST_MOVES: usize = 30_000;
    let position = match start {
        Start::Startpos => Position::default(),
        Start::Fen(fen) => fen.parse().ok()?,
    };
    let mut game = Game::new(position);
    if moves.len() > MOST_MOVES {
        return None;
    }
    for text in moves {
        game.make(notation::parse(game.position(), text)?);
    }
    Some(game)
}

/// Waits for the end of a process; none if it takes longer. What it waits for the processor of a
/// busy machine does not count.
pub fn leave(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let (start, waits) = (Instant::now(), waits(child.id()));
    loop {
        if let Some(status) = child.try_wait().expect("the process can be asked") {
            return Some(status);
        }
        if start.elapsed() > patience {
            let now = self::waits(child.id());
            let waited = now.iter().map(|(thread, &nanoseconds)| {
                let before = waits.get(thread).copied().unwrap_or(0);
                Duration::from_nanos(nanoseconds.saturating_sub(before))
            });
            if start.elapsed() > patience + waited.max().unwrap_or_default() {
                return None;
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// How many nanoseconds each thread of a process has been ready to run, but the processor was
/// busy; nothing on systems that do not tell.
fn waits(process: u32) -> HashMap<OsString, u64> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    tasks
        .into_iter()
        .flatten()
        .filter_map(|task| {
            let task = task.ok()?;
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            Some((task.file_name(), text.split(' ').nth(1)?.parse().ok()?))
        })
        .collect()
}

/// The word after `key` in an `info` line, as a number.
pub fn number(line: &str, key: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.nth(1)?.parse().ok()
}
