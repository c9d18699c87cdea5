//! Any lines are refused or understood, and every search that they lead to has a legal move.
#![no_main]

use std::cell::RefCell;

use crossbeam_channel::unbounded;
use libfuzzer_sys::fuzz_target;
use prelate::engine::Engine;
use prelate::engine::options::Options;
use prelate::movegen::legal;
use prelate::search::{Limits, Report};
use prelate::uci::command::{Command, Go, Start};
use prelate::uci::parse::parse;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(Options {
        hash: 1,
        ..Options::default()
    }));
}

fuzz_target!(|bytes: &[u8]| {
    ENGINE.with_borrow_mut(|engine| {
        let mut options = Options::default();
        for line in bytes.split(|&byte| byte == b'\n').take(20) {
            match parse(line) {
                Ok(Some(Command::Position { start, moves })) => {
                    let fen = match &start {
                        Start::Startpos => None,
                        Start::Fen(fen) => Some(fen.as_str()),
                    };
                    let before = engine.position().clone();
                    if engine.set_position(fen, &moves).is_err() {
                        assert_eq!(*engine.position(), before);
                    }
                }
                Ok(Some(Command::SetOption { name, value })) => {
                    let before = options.clone();
                    if options.set(&name, value.as_deref()).is_err() {
                        assert_eq!(options, before);
                    }
                }
                Ok(Some(Command::Flip)) => engine.flip(),
                Ok(Some(Command::Go(go))) => search(engine, &go),
                _ => {}
            }
        }
    });
});

/// A short search, and what it has to answer.
fn search(engine: &mut Engine, go: &Go) {
    let (sender, reports) = unbounded();
    let limits = Limits {
        nodes: Some(go.nodes.unwrap_or(200).min(200)),
        depth: go.depth,
        mate: go.mate.map(|moves| moves.min(2)),
        ..Limits::default()
    };
    engine.go(limits, sender);
    let done = reports.iter().find_map(|report| match report {
        Report::Done(outcome) => Some(outcome),
        _ => None,
    });
    let best = done.expect("every search ends").best();
    let moves = legal(engine.position());
    match best {
        Some(best) => assert!(moves.contains(&best)),
        None => assert!(moves.is_empty()),
    }
}
