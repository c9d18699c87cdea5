//! A person at a terminal, which is made by `script` of util-linux.
#![cfg(target_os = "linux")]

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anstream::adapter::strip_str;
use crossbeam_channel::unbounded;

use super::driver::prelate;
use super::support::skip;

/// An engine at a terminal of so many columns, in an empty folder. None if there is no terminal.
fn terminal(columns: usize) -> Option<(Child, PathBuf)> {
    let (engine, folder) = prelate();
    let engine = engine.get_program().to_str().expect("a path of text");
    let child = Command::new("script")
        .args([
            "-qfec",
            &format!("stty cols {columns} rows 24; exec {engine}"),
            "/dev/null",
        ])
        .current_dir(&folder)
        .env_remove("PRELATE_CONFIG")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    match child {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            skip("script");
            None
        }
        child => Some((child.expect("script runs"), folder)),
    }
}

/// What a terminal of so many columns shows while somebody types, without colours; the engine
/// answers all of it and leaves at the end of the input. None if there is no terminal.
fn shown(columns: usize, typed: &str) -> Option<String> {
    let (mut child, folder) = terminal(columns)?;
    let mut input = child.stdin.take().expect("stdin is a pipe");
    let output = child.stdout.take().expect("stdout is a pipe");
    let (sender, bytes) = unbounded();
    thread::spawn(move || {
        BufReader::new(output)
            .bytes()
            .try_for_each(|byte| sender.send(byte))
    });
    let read = |byte: io::Result<u8>| byte.expect("output can be read");
    let mut text = Vec::new();
    // What is typed before the engine listens the terminal shows by itself.
    while !text.ends_with(CLEARED) {
        text.push(read(
            bytes.recv_timeout(PATIENCE).expect("a line to type in"),
        ));
    }
    input
        .write_all(typed.as_bytes())
        .expect("the terminal listens");
    drop(input);
    text.extend(bytes.iter().map(read));
    child.wait().expect("script ends");
    std::fs::remove_dir(folder).expect("an empty folder");
    let text = String::from_utf8(text).expect("text");
    Some(strip_str(&text).to_string())
}

/// How long an engine may take until it can be typed to.
const PATIENCE: Duration = Duration::from_secs(20);
/// What clears the line to be typed in.
const CLEARED: &[u8] = b"\x1b[K";

/// The rows of a search, which begin with depth and deepest line.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| {
        let first = line.split_whitespace().next().unwrap_or_default();
        first.split_once('/').is_some_and(|(depth, deepest)| {
            depth.parse::<u32>().is_ok() && deepest.parse::<u32>().is_ok()
        })
    })
}

#[test]
fn everything_fits_the_terminal() {
    let Some(text) = shown(80, "help\ngo depth 9\neval\n") else {
        return;
    };
    for line in text.lines() {
        assert!(line.trim_end().chars().count() <= 80, "{line}");
    }
    let last = rows(&text).last().expect("a row");
    let (_, line) = last.split_once("1. ").expect("a line of play");
    let moves = line.split(' ').filter(|word| !word.ends_with('.'));
    assert!(moves.count() >= 5, "{last}");
    assert!(!last.contains('%'), "{last}");

    let wide = shown(130, "go depth 9\n").expect("a terminal, as before");
    let last = rows(&wide).last().expect("a row");
    assert!(last.contains('%') && last.contains("/s"), "{last}");
}

#[test]
fn what_keeps_a_command_waiting_is_said() {
    let Some(text) = shown(80, "go infinite\nd\nstop\n") else {
        return;
    };
    let said = text.find("still searching: this waits for the end, or for 'stop'");
    let board = text.find("Legal moves (20)");
    assert!(said.is_some() && said < board, "{text}");
}

#[test]
fn moves_as_people_write_them() {
    let Some(text) = shown(80, "position startpos moves e4 e5 Nf3\nd\n") else {
        return;
    };
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert!(text.contains(fen), "{text}");
}

#[test]
fn lines_can_be_edited_and_called_back() {
    let (left, up) = ("\x1b[D", "\x1b[A");
    let Some(text) = shown(
        80,
        &format!("iready{left}{left}{left}{left}{left}s\n{up}\n"),
    ) else {
        return;
    };
    assert_eq!(text.matches("readyok").count(), 2, "{text}");
    assert!(!text.contains("^["), "{text}");
}
