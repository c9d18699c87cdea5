//! The last line before `bestmove`, which is what GUIs keep of a search, and how soon it comes.

use std::time::{Duration, Instant};

use super::driver::{Driver, number};

const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
/// Two pawns that promote: the score rises for many plies.
const PAWNS: &str = "position fen 4k3/8/8/8/8/8/PP6/4K3 w - - 0 1";
/// A queen against a rook, where mates are found by the way and lost again.
const QUEEN_AND_ROOK: &str = "position fen 8/8/4k3/8/8/2Q5/4K3/7r w - - 0 1";

/// The line of play of an `info` line.
fn pv(line: &str) -> Vec<&str> {
    let (_, moves) = line.split_once(" pv ").unwrap_or_default();
    moves.split(' ').collect()
}

/// Wherever a search breaks off, also where it has just failed high or low, the last line has a
/// score that is exact or marked as a bound, and more than the move to play: the answer to ponder
/// on belongs to it.
#[test]
fn the_last_line_is_exact_or_marked() {
    let mut driver = Driver::start();
    for position in [
        MIDDLEGAME,
        "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        PAWNS,
    ] {
        let limits = std::iter::successors(Some(3_000), |nodes| Some(nodes * 9 / 8));
        for nodes in limits.take_while(|&nodes| nodes < 80_000) {
            driver.send("ucinewgame");
            driver.send(position);
            let lines = driver.go(&format!("go nodes {nodes}"));
            let [.., before, last, answer] = &lines[..] else {
                panic!("{lines:#?}")
            };
            let (best, reply) = (pv(last)[0], pv(last).get(1).copied());
            let reply = reply.unwrap_or_else(|| panic!("{position}, {nodes}: {lines:#?}"));
            assert_eq!(*answer, format!("bestmove {best} ponder {reply}"));
            // Where the unfinished iteration proved nothing, the last finished one is told again; where
            // it refuted the best move, the one that was overtaken by it, with its score of then.
            let told = |line| (number(line, "depth"), number(line, "cp"), pv(line));
            let ((depth, score, line), (depth_before, score_before, line_before)) =
                (told(last), told(before));
            let overtaken =
                depth == depth_before && score < score_before && line[0] != line_before[0];
            let exact = told(last) == told(before) || depth > depth_before || overtaken;
            let marked = last.contains("bound");
            assert!(exact || marked, "{position}, {nodes}: {lines:#?}");
        }
    }
    driver.quit();
}

/// A mate that is told comes with the moves to it, and more time finds no longer one.
#[test]
fn mates_do_not_grow_with_time() {
    let mut driver = Driver::start();
    let mut mates = Vec::new();
    let limits = std::iter::successors(Some(300_000), |nodes| Some(nodes * 3 / 2));
    for nodes in limits.take_while(|&nodes| nodes < 4_000_000) {
        if mates.len() == 4 {
            break;
        }
        driver.send("ucinewgame");
        driver.send(QUEEN_AND_ROOK);
        let lines = driver.go(&format!("go nodes {nodes}"));
        let last = &lines[lines.len() - 2];
        if let Some(mate) = number(last, "mate").filter(|_| !last.contains("bound")) {
            assert_eq!(pv(last).len() as i64, 2 * mate - 1, "{last}");
            mates.push(mate);
        }
    }
    assert!(
        !mates.is_empty() && mates.is_sorted_by(|earlier, later| earlier >= later),
        "{mates:?}"
    );
    driver.quit();
}

/// A move that repeats the position for the third time ends the game: there is nothing to ponder on.
#[test]
fn no_line_goes_on_after_a_draw() {
    let mut driver = Driver::start();
    let shuffle = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1";
    // What the table knows of the position after the third repetition must not lengthen the line.
    driver.send("position startpos");
    driver.go("go depth 8");
    driver.send(&format!("position startpos moves {shuffle}"));
    let lines = driver.go("go depth 6 searchmoves c6b8");
    for line in lines.iter().filter(|line| line.contains(" pv ")) {
        assert_eq!(pv(line), ["c6b8"], "{line}");
    }
    assert_eq!(lines.last().map(String::as_str), Some("bestmove c6b8"));
    driver.quit();
}

/// Where nobody can win, no score pretends anything else.
#[test]
fn dead_positions_are_even() {
    let mut driver = Driver::start();
    driver.send("setoption name UCI_ShowWDL value true");
    for fen in [
        "8/7k/8/8/4K3/8/1B6/B1B1B1B1 w - - 0 1",
        "8/8/8/8/3k4/8/3K4/8 b - - 0 1",
        "8/8/8/3n4/3k4/8/3K4/8 b - - 5 40",
    ] {
        driver.send(&format!("position fen {fen}"));
        let mut lines = driver.go("go depth 6");
        lines.retain(|line| line.contains(" score "));
        assert!(!lines.is_empty());
        for line in lines {
            assert!(line.contains(" score cp 0 wdl 0 1000 0 "), "{fen}: {line}");
        }
    }
    driver.quit();
}

/// Once the engine has pondered for longer than its share of the clock, it answers `ponderhit` in
/// the middle of an iteration.
#[test]
fn ponderhit_is_answered_at_once() {
    /// More than any stretching makes of the share of 1500 ms, in milliseconds.
    const PONDERED: i64 = 250;
    let mut driver = Driver::start();
    let delays = [(); 5].map(|()| {
        driver.send("ucinewgame");
        driver.send(MIDDLEGAME);
        driver.send("go ponder wtime 1500 btime 1500");
        driver.expect(|line| number(line, "time").is_some_and(|time| time >= PONDERED));
        // Meanwhile the next iteration begins.
        driver.sync();
        let start = Instant::now();
        driver.go("ponderhit");
        start.elapsed()
    });
    // A busy machine may delay some of them.
    let quickest = delays.iter().min();
    assert!(
        quickest.is_some_and(|&delay| delay < Duration::from_millis(10)),
        "{delays:?}"
    );
    driver.quit();
}
