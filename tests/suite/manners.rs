//! What match runners and GUIs ask of an engine beyond its moves: whole lines, whole numbers, and
//! options that wait for the end of a search.

use super::driver::{Driver, number};

const POSITION: &str =
    "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";

/// What every line of play tells, each as a whole number.
const KEYS: [&str; 8] = [
    "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time",
];

/// Whether the line tells all there is to tell of a line of play.
fn is_complete(line: &str) -> bool {
    let score = number(line, "cp").or_else(|| number(line, "mate"));
    KEYS.iter().all(|key| number(line, key).is_some()) && score.is_some() && line.contains(" pv ")
}

/// The lines of play among what was said.
fn play(lines: &[String]) -> impl Iterator<Item = &String> {
    lines.iter().filter(|line| line.contains(" score "))
}

/// The conversation that fastchess holds with an engine before it lets it play: one clock only,
/// increments, `go` again without a position, and nothing but `readyok` after an answer.
#[test]
fn match_runners() {
    let mut driver = Driver::start();
    driver.send("uci");
    driver.until(|line| line == "uciok");
    driver.send("ucinewgame");
    for (position, go) in [
        (POSITION, "go wtime 100"),
        (
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "go btime 100",
        ),
        ("", "go wtime 100 winc 100 btime 100 binc 100"),
        ("", "go btime 100 binc 100 wtime 100 winc 100"),
        ("position startpos", "go wtime 100 btime 100"),
        (
            "position startpos moves e2e4 e7e5",
            "go wtime 100 btime 100",
        ),
    ] {
        assert_eq!(driver.ask(position), <[&str; 0]>::default());
        let lines = driver.go(go);
        assert!(play(&lines).all(|line| is_complete(line)), "{lines:#?}");
        assert_eq!(driver.sync(), <[&str; 0]>::default(), "after {go}");
    }
    driver.quit();
}

/// With several lines each of them is as complete as a single one.
#[test]
fn every_line_is_complete() {
    for threads in [1, 2] {
        let mut driver = Driver::start();
        driver.send(&format!("setoption name Threads value {threads}"));
        driver.send("setoption name MultiPV value 5");
        driver.send(POSITION);
        let lines = driver.go("go depth 6");
        assert!(play(&lines).all(|line| is_complete(line)), "{lines:#?}");
        assert!(play(&lines).count() >= 30, "{lines:#?}");
        driver.quit();
    }
}

/// An option that comes during a search leaves it as it is, keeps nobody waiting, and counts for
/// the next one; so does the complaint about a value that is refused.
#[test]
fn options_wait_for_the_end_of_a_search() {
    let mut driver = Driver::start();
    driver.send(POSITION);
    driver.send("go infinite");
    driver.expect(|line| line.starts_with("info depth 2 "));
    for option in [
        "MultiPV value 3",
        "UCI_ShowWDL value true",
        "Threads value 2",
        "Hash value 2",
        "Hash value 0",
    ] {
        driver.send(&format!("setoption name {option}"));
    }
    let during = driver.sync();
    driver.send("stop");
    let end = driver.answer();
    for line in during.iter().chain(&end) {
        assert!(!line.contains(" multipv 2 "), "{line}");
        assert!(!line.contains(" wdl "), "{line}");
        assert!(!line.contains("from 1 to"), "{line}");
    }
    let complaints = driver.sync();
    assert!(
        matches!(&complaints[..], [line] if line.contains("'Hash' takes a whole number from 1 to")),
        "{complaints:?}"
    );
    let lines = driver.go("go depth 3");
    assert!(
        lines.iter().any(|line| line.contains(" multipv 3 ")),
        "{lines:#?}"
    );
    assert!(
        play(&lines).all(|line| line.contains(" wdl ")),
        "{lines:#?}"
    );
    driver.quit();
}

/// Whatever was asked while the engine pondered, a whole line stands right before its move.
#[test]
fn a_line_before_the_move_of_a_ponderhit() {
    for between in [
        "isready",
        "d",
        "debug on",
        "nonsense",
        "setoption name Ponder value true",
    ] {
        let mut driver = Driver::start();
        driver.send("position startpos moves e2e4");
        driver.send("go ponder wtime 200 btime 200");
        driver.expect(|line| line.starts_with("info depth 3 "));
        driver.send(between);
        driver.send("ponderhit");
        driver.send(between);
        let lines = driver.answer();
        let [.., last, _] = &lines[..] else {
            panic!("{lines:#?}")
        };
        assert!(is_complete(last), "{between}: {lines:#?}");
        driver.quit();
    }
}

/// A search repeats itself node by node once everything is forgotten, and not before.
#[test]
fn what_was_searched_is_forgotten_when_told() {
    let nodes = |driver: &mut Driver| {
        let lines = driver.go("go depth 8");
        let nodes = play(&lines).last().and_then(|line| number(line, "nodes"));
        nodes.expect("a number of nodes")
    };
    let mut driver = Driver::start();
    driver.send(POSITION);
    let first = nodes(&mut driver);
    assert_ne!(nodes(&mut driver), first);
    for forget in ["setoption name Clear Hash", "ucinewgame"] {
        driver.send(forget);
        assert_eq!(nodes(&mut driver), first, "after {forget}");
    }
    driver.quit();
}
