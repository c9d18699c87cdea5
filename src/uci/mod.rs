//! Floor 8: the protocol. Lines come in through one thread, news of the search through a
//! channel, and one loop answers both.

pub mod command;
mod count;
pub mod format;
mod input;
mod limits;
mod log;
pub mod output;
pub mod parse;
pub mod people;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};

use crate::engine::config::Loaded;
use crate::engine::options::{Effect, Spec};
use crate::engine::{Engine, NAME};
use crate::search::{Info, Outcome, Report, TimeLimit};
use crate::tools::{News, build};
use command::{Command, Go, GoFault, Start};
use input::Line;
use output::Output;

/// Time for a search whose limits could not be read.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Runs the loop until `quit` or the end of input.
pub fn run(config: Loaded) {
    let mut session = Session::new(config);
    if io::stdin().is_terminal() {
        session.out.line(&format!(
            "{NAME}: type 'help' for what it understands, 'quit' to leave."
        ));
    }
    match input::lines() {
        Ok(lines) => session.serve(&lines),
        Err(error) => session
            .out
            .info_string(&format!("no thread to read input: {error}")),
    }
}

/// Carries out these lines one after the other and leaves. Returns whether all of them were
/// commands.
pub fn run_commands(config: Loaded, commands: &[OsString]) -> bool {
    let mut session = Session::new(config);
    for line in commands {
        match session.take(Line::new(line.as_encoded_bytes().to_vec())) {
            Heard::Quit => {
                session.quit();
                return true;
            }
            Heard::Nonsense => return false,
            Heard::Command => session.wait(),
        }
    }
    session.finish();
    true
}

/// What a line was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    /// A command, or nothing at all.
    Command,
    /// No command, and that was said.
    Nonsense,
    Quit,
}

/// What the engine is busy with. It does one thing at a time; what cannot wait does not.
enum Task {
    Idle,
    Search {
        /// Its `bestmove` may be given only after `stop` or `ponderhit`.
        held: Option<Hold>,
        /// What it came to, if it had to be held back.
        outcome: Option<Outcome>,
    },
    /// Perft, bench or speedtest on a thread of its own, whose lines are passed on. It ends early
    /// if the sender is dropped.
    Count(Option<Sender<Infallible>>),
}

/// Why a `bestmove` is held back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    Infinite,
    /// Until `ponderhit`, after which a search without limits is infinite.
    Ponder {
        endless: bool,
    },
}

/// One conversation.
struct Session {
    engine: Engine,
    out: Output,
    task: Task,
    /// Commands that wait for the current task to end.
    waiting: VecDeque<Command>,
    reports: Receiver<Report>,
    report_sender: Sender<Report>,
    /// The lines of a counting task.
    counts: Receiver<News>,
    /// What is wrong with `engine.toml`, reported after `uci`.
    problems: Vec<String>,
    /// What the machine does not have, as it was last reported.
    told: Vec<String>,
    /// Whether a line of play was shown last: since then no command came, and no move was given.
    play_is_last: bool,
    debug: bool,
}

impl Session {
    fn new(config: Loaded) -> Self {
        let (report_sender, reports) = unbounded();
        let engine = Engine::new(config.options);
        let mut out = Output::default();
        let mut problems: Vec<_> = config.problems.iter().map(ToString::to_string).collect();
        let told = engine.shortages();
        problems.extend_from_slice(&told);
        problems.extend(out.keep_log(&engine).err());
        Self {
            engine,
            out,
            task: Task::Idle,
            waiting: VecDeque::new(),
            reports,
            report_sender,
            counts: never(),
            problems,
            told,
            play_is_last: false,
            debug: false,
        }
    }

    fn serve(&mut self, lines: &Receiver<Line>) {
        while !self.out.is_closed() {
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => if self.take(line) == Heard::Quit {
                        return self.quit();
                    },
                    Err(_) => return self.finish(),
                },
                recv(self.reports) -> report => self.report(report.ok()),
                recv(self.counts) -> line => self.count(line.ok()),
            }
        }
        self.engine.stop();
    }

    /// Takes in a line of input.
    fn take(&mut self, line: Line) -> Heard {
        self.out.heard(&line.text);
        self.play_is_last = false;
        match line.command {
            Ok(Some(Command::Quit)) => return Heard::Quit,
            Ok(Some(command)) => self.hear(command),
            Ok(None) => {}
            Err(error) => {
                self.out.info_string(&error.to_string());
                return Heard::Nonsense;
            }
        }
        Heard::Command
    }

    /// `quit`: the search answers with what it has, and the session is over.
    fn quit(&mut self) {
        self.waiting.clear();
        if let Task::Search { .. } = self.task {
            self.stop();
            while let Task::Search { .. } = self.task {
                self.report(self.reports.recv().ok());
            }
        }
    }

    /// The input has ended: what was asked is answered, but what would never end is stopped.
    fn finish(&mut self) {
        loop {
            self.wait();
            match self.task {
                Task::Search { held: Some(_), .. } if !self.out.is_closed() => self.stop(),
                _ => return,
            }
        }
    }

    /// Waits for the end of everything that ends by itself.
    fn wait(&mut self) {
        while !self.out.is_closed() {
            match self.task {
                Task::Idle | Task::Search { held: Some(_), .. } => return,
                Task::Search { held: None, .. } => self.report(self.reports.recv().ok()),
                Task::Count(_) => self.count(self.counts.recv().ok()),
            }
        }
    }

    /// Carries out a command now, or later if the current task has to end first.
    fn hear(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.out.line("readyok"),
            Command::Debug(on) => self.debug = on,
            Command::Stop => {
                self.stop_waiting();
                self.stop();
            }
            Command::PonderHit => match self.last_go() {
                // Meant for a search that has not begun yet.
                Some(go) => self.waiting.insert(go + 1, command),
                None => self.ponderhit(),
            },
            command => {
                let endless = matches!(self.task, Task::Search { held: Some(_), .. });
                self.waiting.push_back(command);
                self.catch_up();
                // An endless search ends for the next one by itself.
                if !(endless && self.last_go().is_some()) {
                    self.explain_waiting();
                }
            }
        }
    }

    /// Tells people, and programs in debug mode, why nothing happens yet.
    fn explain_waiting(&mut self) {
        let what = match &self.task {
            _ if self.waiting.is_empty() || !(self.debug || self.out.is_for_people()) => return,
            Task::Idle => return,
            Task::Search { .. } => "searching",
            Task::Count(_) => "counting",
        };
        let news = format!("still {what}: this waits for the end, or for 'stop'");
        self.out.info_string(&news);
    }

    /// The index of the last `go` among the commands that wait.
    fn last_go(&self) -> Option<usize> {
        let is_go = |command: &Command| matches!(command, Command::Go(_));
        self.waiting.iter().rposition(is_go)
    }

    /// Makes sure that everything that waits is stopped as soon as it has begun.
    fn stop_waiting(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting).into_iter().peekable();
        while let Some(command) = waiting.next() {
            let begins = matches!(
                command,
                Command::Go(_) | Command::Bench(_) | Command::Speedtest(_)
            );
            self.waiting.push_back(command);
            if begins && waiting.peek() != Some(&Command::Stop) {
                self.waiting.push_back(Command::Stop);
            }
        }
    }

    /// Carries out waiting commands until one starts a task, and those that steer it.
    fn catch_up(&mut self) {
        while let Some(command) = self.waiting.pop_front() {
            match command {
                Command::Stop => self.stop(),
                Command::PonderHit => self.ponderhit(),
                command if matches!(self.task, Task::Idle) => self.obey(command),
                command => {
                    self.waiting.push_front(command);
                    break;
                }
            }
        }
        // An endless search makes room for the next one.
        if let Task::Search { held: Some(_), .. } = self.task
            && self.last_go().is_some()
        {
            self.stop();
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::NewGame => self.engine.new_game(),
            Command::Position { start, moves } => {
                let fen = match &start {
                    Start::Startpos => None,
                    Start::Fen(fen) => Some(fen.as_str()),
                };
                if let Err(error) = self.engine.set_position(fen, &moves) {
                    self.out.info_string(&format!("position refused: {error}"));
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Go(Go {
                perft: Some(depth), ..
            }) => self.count_leaves(depth),
            Command::Go(go) => self.go(&go),
            Command::Display => self.out.line(&format::board(&self.engine)),
            Command::Flip => self.engine.flip(),
            Command::Eval { all } => self.out.line(&format::evaluation(&self.engine, all)),
            Command::Help => self.out.line(&format::help(people::width())),
            Command::Compiler => self.out.line(&build::describe(&self.engine)),
            Command::Bench(words) => self.bench(&words),
            Command::Speedtest(words) => self.speedtest(&words),
            // Heard at once, never waiting.
            Command::Uci
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Debug(_)
            | Command::Quit => {}
        }
    }

    fn identify(&mut self) {
        self.out.speak_uci();
        self.out.line(&format::identity(&self.engine));
        for problem in &self.problems {
            self.out.info_string(problem);
        }
        self.report_tables();
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.engine.evaluation();
        match self.engine.set_option(name, value) {
            Err(error) => self.out.info_string(&error.to_string()),
            Ok(Effect::ResizeHash | Effect::SetThreads) => {
                let shortages = self.engine.shortages();
                for news in shortages.iter().filter(|text| !self.told.contains(text)) {
                    self.out.info_string(news);
                }
                self.told = shortages;
            }
            Ok(Effect::OpenLog) => {
                if let Err(error) = self.out.keep_log(&self.engine) {
                    self.out.info_string(&error);
                }
            }
            Ok(Effect::OpenTables) => self.report_tables(),
            Ok(Effect::LoadNetwork) if self.engine.evaluation() != before => {
                self.out.good_news(&format::evaluated_by(&self.engine));
            }
            Ok(Effect::None | Effect::ClearHash | Effect::LoadNetwork) => {}
        }
        if self.debug
            && let Some(spec) = Spec::find(name)
        {
            let setting = spec.setting(self.engine.options());
            self.out.info_string(&format!("{} = {setting}", spec.name));
        }
    }

    /// Reports which endgame tables were found.
    fn report_tables(&mut self) {
        if let Some(tables) = self.engine.tables() {
            if tables.is_sound() {
                self.out.good_news(&tables.to_string());
            } else {
                self.out.info_string(&tables.to_string());
            }
        }
    }

    fn go(&mut self, go: &Go) {
        let (mut limits, faults) = limits::of(go, self.engine.position());
        if !faults.is_empty() {
            let faults: Vec<_> = faults.iter().map(GoFault::to_string).collect();
            self.out.info_string(&format!("go: {}", faults.join("; ")));
        }
        let mut endless = go.infinite || limits.are_none();
        // Who sent limits does not expect an endless search, although none of them could be read.
        if endless && !go.infinite && !faults.is_empty() {
            limits.time = Some(TimeLimit::Move(AT_ONCE));
            endless = false;
        }
        let held = if go.ponder {
            Some(Hold::Ponder { endless })
        } else {
            endless.then_some(Hold::Infinite)
        };
        self.task = Task::Search {
            held,
            outcome: None,
        };
        if self.out.is_for_people() {
            self.out.line(&people::heading(people::width()));
        }
        self.engine.go(limits, self.report_sender.clone());
    }

    fn stop(&mut self) {
        match &mut self.task {
            Task::Idle => {}
            Task::Search { held, .. } => {
                *held = None;
                self.engine.stop();
            }
            Task::Count(running) => *running = None,
        }
        self.release();
    }

    fn ponderhit(&mut self) {
        if let Task::Search { held, .. } = &mut self.task
            && let Some(Hold::Ponder { endless }) = *held
        {
            *held = endless.then_some(Hold::Infinite);
            self.engine.ponderhit();
        }
        self.release();
    }

    /// Handles news of the search.
    fn report(&mut self, report: Option<Report>) {
        match report {
            Some(Report::Info(info)) => self.show(&info),
            Some(Report::Current { .. }) if self.out.is_for_people() => {}
            Some(Report::Current { depth, mv, number }) => {
                let chess960 = self.engine.options().chess960;
                self.out
                    .line(&format::current_move(depth, mv, number, chess960));
            }
            Some(Report::Remark(text)) => self.out.info_string(&text),
            Some(Report::Done(done)) => match &mut self.task {
                Task::Search {
                    held: Some(_),
                    outcome,
                } => *outcome = Some(done),
                _ => self.answer(&done),
            },
            None => self.task = Task::Idle,
        }
        // News that come together are shown together.
        if self.reports.is_empty() {
            self.out.flush();
        }
    }

    /// Gives an answer that was held back.
    fn release(&mut self) {
        if let Task::Search {
            held: None,
            outcome,
        } = &mut self.task
            && let Some(outcome) = outcome.take()
        {
            self.answer(&outcome);
        }
    }

    /// Shows a line of play.
    fn show(&mut self, info: &Info) {
        let options = self.engine.options();
        let line = if self.out.is_for_people() {
            let several = options.multi_pv > 1;
            people::row(info, self.engine.position(), several, people::width())
        } else {
            format::info(info, self.engine.position(), options)
        };
        self.out.add(&line);
        self.play_is_last = true;
    }

    /// Answers with the move to play, right after its line, which is repeated if a command came in
    /// between.
    fn answer(&mut self, outcome: &Outcome) {
        self.task = Task::Idle;
        if !self.play_is_last {
            self.show(&outcome.line);
        }
        let line = if self.out.is_for_people() {
            people::best_move(outcome, self.engine.position())
        } else {
            format::best_move(outcome, self.engine.options().chess960)
        };
        self.out.line(&line);
        self.play_is_last = false;
        self.catch_up();
    }
}
