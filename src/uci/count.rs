//! Tasks that count or measure on a thread of their own: perft, bench and speedtest.

use std::thread;

use crossbeam_channel::{TryRecvError, bounded, never};

use super::{Session, Task, format};
use crate::movegen::perft;
use crate::tools::{News, Stop, bench, speedtest};

impl Session {
    /// Passes on news of a counting task; none means that it has ended.
    pub(super) fn count(&mut self, news: Option<News>) {
        match news {
            Some(news) => self.out.news(&news),
            None => {
                self.counts = never();
                self.task = Task::Idle;
                self.catch_up();
            }
        }
    }

    /// Runs a counting task on a thread of its own, so that `isready`, `stop` and `quit` still
    /// work.
    fn start_count(&mut self, work: impl FnOnce(&Stop, &mut dyn FnMut(News)) + Send + 'static) {
        let (sender, receiver) = bounded(64);
        let (running, stop) = bounded(0);
        let started = thread::Builder::new().name("count".into()).spawn(move || {
            work(&stop, &mut |news| {
                // Nobody reads on once the session is over.
                let _ = sender.send(news);
            });
        });
        match started {
            Ok(_) => {
                self.counts = receiver;
                self.task = Task::Count(Some(running));
            }
            Err(error) => self
                .out
                .info_string(&format!("no thread can be started: {error}")),
        }
    }

    pub(super) fn count_leaves(&mut self, depth: u32) {
        let mut position = self.engine.position().clone();
        let chess960 = self.engine.options().chess960;
        self.start_count(move |stop, say| {
            let mut go_on = || stop.try_recv() != Err(TryRecvError::Disconnected);
            let mut tell = |mv, nodes| say(News::Line(format::perft_move(mv, nodes, chess960)));
            let total = perft::divide(&mut position, depth, &mut go_on, &mut tell);
            say(News::Line(match total {
                Some(total) => format::perft_total(total),
                None => "perft: stopped".into(),
            }));
        });
    }

    pub(super) fn bench(&mut self, words: &[String]) {
        match bench::Settings::from_words(words, &self.engine.options().eval_file) {
            Ok(settings) => self.start_count(move |stop, say| {
                bench::run(settings, stop, &mut |line| say(News::Line(line)));
            }),
            Err(error) => self.out.info_string(&error),
        }
    }

    pub(super) fn speedtest(&mut self, words: &[String]) {
        match speedtest::Settings::from_words(words, &self.engine.options().eval_file) {
            Ok(settings) => {
                self.start_count(move |stop, say| speedtest::run(settings, stop, say));
            }
            Err(error) => self.out.info_string(&error),
        }
    }
}
