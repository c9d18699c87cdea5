//! Scripted sessions with the binary: the tables in `sessions`, in which a new case is one line.
//!
//! The [`Driver`] watches that every `go` is answered by one legal move, that `isready` is
//! answered, and that the engine is gone within a second of `quit`.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::driver::{Driver, leave, number, prelate};

/// White mates by Ra8 at once.
const MATE_IN_1: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// The lines of a table that hold a case.
fn cases(table: &'static str) -> Vec<&'static str> {
    let lines = table.lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .collect()
}

/// The two sides of a case.
fn sides(case: &str) -> (&str, &str) {
    case.split_once(" => ").expect(case)
}

/// Tries every case, several at once: the engines mostly wait.
fn try_all(cases: Vec<&'static str>, test: impl Fn(&'static str) + Sync) {
    let cases = Mutex::new(VecDeque::from(cases));
    let next = || {
        cases
            .lock()
            .expect("no test fails with the lock")
            .pop_front()
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = next() {
                    test(case);
                }
            });
        }
    });
}

/// A text in which `{3*text}` stands three times.
fn unfold(text: &str) -> String {
    let mut unfolded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').expect(text);
        let (count, what) = inside.split_once('*').expect(text);
        unfolded += before;
        unfolded += &what.repeat(count.parse().expect(text));
        rest = after;
    }
    unfolded + rest
}

/// A line as it is sent: `\s` is a blank, `\xFF` a byte.
fn line(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match letters.next() {
            Some('s') => b' ',
            Some('t') => b'\t',
            Some('r') => b'\r',
            Some('0') => 0,
            Some('\\') => b'\\',
            Some('x') => {
                let digits: String = letters.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).expect(text)
            }
            other => panic!("\\{other:?} in {text}"),
        });
    }
    bytes.push(b'\n');
    bytes
}

/// A line that is wrong is refused whole: the fault is named, and all stays as it was.
#[test]
fn refused() {
    let mut refused = cases(include_str!("sessions/refused.txt"));
    if cfg!(unix) {
        refused.extend(cases(include_str!("sessions/refused_unix.txt")));
    }
    try_all(refused, |case| {
        let (text, fault) = sides(case);
        let mut driver = Driver::start();
        driver.send(MATE_IN_1);
        driver.send_bytes(&line(&unfold(text)));
        let said = driver.sync();
        let [info] = &said[..] else {
            panic!("{case}: {said:?}")
        };
        assert!(info.starts_with("info string "), "{case}: {info}");
        assert!(info.contains(fault), "{case}: {info}");
        assert!(info.len() < 4000, "{case}: {} bytes", info.len());
        let answer = driver.go("go depth 3").pop().unwrap_or_default();
        assert!(answer.starts_with("bestmove a1a8"), "{case}: {answer}");
        driver.quit();
    });
}

/// Whatever is wrong with a `go`, it is said and answered: at once, where nothing else would end
/// the search.
#[test]
fn faulty() {
    try_all(cases(include_str!("sessions/faulty.txt")), |case| {
        let (text, fault) = sides(case);
        let mut driver = Driver::start();
        driver.send(MATE_IN_1);
        driver.send_bytes(&line(&unfold(text)));
        let said = driver.answer();
        let complaints = said.iter().filter(|line| line.starts_with("info string "));
        let [complaint] = &complaints.collect::<Vec<_>>()[..] else {
            panic!("{case}: {said:?}")
        };
        assert!(complaint.contains(fault), "{case}: {complaint}");
        assert!(complaint.len() < 4000, "{case}: {} bytes", complaint.len());
        // A tenth of a second, and what a busy machine makes of it.
        let time = number(&said[said.len() - 2], "time");
        assert!(time.is_some_and(|time| time < 2000), "{case}: {said:?}");
        let (status, rest) = driver.finish();
        assert!(status.success() && rest.is_empty(), "{case}: {rest:?}");
    });
}

/// A line that only looks odd is understood.
#[test]
fn accepted() {
    try_all(cases(include_str!("sessions/accepted.txt")), |case| {
        let (text, fen) = sides(case);
        let mut driver = Driver::start();
        driver.send(MATE_IN_1);
        driver.send_bytes(&line(&unfold(text)));
        let complaints = driver.sync();
        assert_eq!(complaints, <[&str; 0]>::default(), "{case}");
        let wanted = format!("Fen: {fen}");
        let board = driver.ask("d");
        assert!(
            board.iter().any(|line| line.starts_with(&wanted)),
            "{case}: {board:#?}"
        );
        driver.go("go nodes 300");
        driver.quit();
    });
}

/// Whatever the order of things, every `go` has its answer: at the end of the input, and before
/// `quit`.
#[test]
fn sequences() {
    try_all(cases(include_str!("sessions/sequences.txt")), |case| {
        for quits in [false, true] {
            let mut driver = Driver::start();
            play(&mut driver, case);
            if quits {
                driver.sync();
                driver.quit();
            } else {
                let (status, _) = driver.finish();
                assert!(status.success(), "{status} after {case}");
            }
        }
    });
}

/// Sends the parts of a sequence, and waits for what it waits for.
fn play(driver: &mut Driver, case: &str) {
    // What repeats may be several lines.
    for part in unfold(case).split('|') {
        // A blank at either end is there for the eye.
        let part = part.strip_prefix(' ').unwrap_or(part);
        let part = part.strip_suffix(' ').unwrap_or(part);
        match part.strip_prefix("< ") {
            Some(start) => drop(driver.expect(|line| line.starts_with(start))),
            None => driver.send_bytes(&line(part)),
        }
    }
}

/// All kinds of searches in a position, whatever it is.
#[test]
fn positions() {
    try_all(cases(include_str!("sessions/positions.txt")), |fen| {
        let mut driver = Driver::start();
        let position = format!("position fen {fen}");
        assert_eq!(driver.ask(&position), <[&str; 0]>::default(), "{fen}");
        driver.go("go depth 4");
        driver.go("go nodes 1");
        driver.go("go movetime 1");
        driver.go("go wtime 1 btime 1");
        driver.go("go mate 2 nodes 2000");
        driver.ask("d");
        driver.ask("eval");
        driver.send("go perft 1");
        driver.send("setoption name MultiPV value 256");
        driver.go("go depth 2");
        driver.send("setoption name Threads value 4");
        driver.go("go nodes 3000");
        driver.send("flip");
        driver.go("go depth 2");
        driver.send("go ponder");
        driver.send("ponderhit");
        driver.go("stop");
        driver.quit();
    });
}

/// `quit` in the middle of anything ends it within a second.
#[test]
fn quit_in_the_middle() {
    try_all(cases(include_str!("sessions/sequences.txt")), |case| {
        let mut driver = Driver::start();
        // Nothing is waited for.
        for part in unfold(case).split('|').map(str::trim) {
            if !part.starts_with("< ") {
                driver.send_bytes(&line(part));
            }
        }
        driver.break_off();
    });
}

/// The input may end anywhere, in the middle of a line too.
#[test]
fn the_end_in_the_middle() {
    const LINES: &[u8] = b"uci\nsetoption name Hash value 2\nposition startpos moves e2e4\ngo depth 4\nisready\ngo infinite\nstop\ngo ponder\n";
    for end in (0..LINES.len()).step_by(5) {
        let mut driver = Driver::start();
        let mut rest = &LINES[..end];
        while let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
            driver.send_bytes(&rest[..=length]);
            rest = &rest[length + 1..];
        }
        driver.send_bytes(rest);
        let (status, _) = driver.finish();
        assert!(
            status.success(),
            "{status} after {}",
            LINES[..end].escape_ascii()
        );
    }
}

/// Nobody listens any more: there is nothing left to do.
#[test]
fn a_closed_output() {
    for session in [
        "go infinite\n",
        "uci\nisready\n",
        "bench 40\n",
        "go perft 9\n",
        "nonsense\n",
    ] {
        let (mut command, _) = prelate();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut input = child.stdin.take().expect("stdin is a pipe");
        drop(child.stdout.take());
        // Whoever finds nobody listening may have left before all of it is written.
        let _ = input.write_all(session.as_bytes());
        let begin = Instant::now();
        let status = loop {
            let _ = input.write_all(b"isready\n");
            if let Some(status) = child.try_wait().expect("the process can be asked") {
                break status;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "{session} goes on"
            );
            thread::sleep(Duration::from_millis(1));
        };
        assert!(status.success(), "{status} after {session}");
    }
}

/// A program that does not read what it is told is left in time, too.
#[test]
fn an_output_that_nobody_reads() {
    let (mut command, _) = prelate();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("stdin is a pipe");
    // More than any pipe holds.
    for _ in 0..400 {
        input.write_all(b"uci\n").expect("the engine listens");
    }
    input.write_all(b"quit\n").expect("the engine listens");
    let status = leave(&mut child, Duration::from_secs(1));
    let code = status.and_then(|status| status.code());
    assert_eq!(code, Some(1), "gone in time, but not in order: {status:?}");
}

/// A fault of `engine.toml` that nobody wants to hear of stops nothing.
#[test]
fn complaints_that_nobody_reads() {
    let (mut command, folder) = prelate();
    fs::write(folder.join("engine.toml"), "nonsense\n".repeat(9999)).expect("a file");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stderr.take());
    let mut input = child.stdin.take().expect("stdin is a pipe");
    input
        .write_all(b"go depth 2\n")
        .expect("the engine listens");
    drop(input);
    let mut said = String::new();
    let mut output = child.stdout.take().expect("stdout is a pipe");
    output.read_to_string(&mut said).expect("text");
    assert!(
        said.lines().any(|line| line.starts_with("bestmove ")),
        "{said}"
    );
    assert!(child.wait().expect("the process can be asked").success());
    fs::remove_dir_all(folder).expect("a folder");
}
