//! The search finds what there is to find: mates, tactics, draws.

use std::sync::Arc;

use prelate::movegen::notation::parse_san;
use prelate::position::{Game, Position};
use prelate::search::{Limits, Outcome, Shared, Worker};
use prelate::types::Score;

use crate::support::data_text;

fn worker() -> Worker {
    Worker::new(Arc::new(Shared::new(16)), true)
}

fn search(worker: &mut Worker, fen: &str, limits: &Limits) -> Outcome {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    worker.run_alone(&Game::new(position), limits)
}

/// Proves the mates of every `step`-th line of a suite.
fn check_mates(name: &str, moves: u32, step: usize) {
    let Some(text) = data_text(name) else { return };
    let mut worker = worker();
    for line in text.lines().filter(|line| !line.is_empty()).step_by(step) {
        let fen = line.split(" bm ").next().expect("a position");
        let limits = Limits {
            mate: Some(moves),
            nodes: Some(5_000_000),
            ..Limits::default()
        };
        let outcome = search(&mut worker, fen, &limits);
        let mate = outcome.score().mate_in();
        assert!(
            mate.is_some_and(|mate| (1..=moves as i32).contains(&mate)),
            "{line}: {outcome:?}"
        );
    }
}

#[test]
fn mates_in_one() {
    check_mates("epd/mate_in_1.epd", 1, 1);
}

#[test]
fn mates_in_two() {
    check_mates("epd/mate_in_2.epd", 2, 2);
}

#[test]
fn mates_in_three() {
    check_mates("epd/mate_in_3.epd", 3, 8);
}

/// How many of every `step`-th position of a suite are solved by so many nodes, and of how many.
fn solve(text: &str, step: usize, nodes: u64, broad: bool) -> (usize, usize) {
    let mut worker = worker();
    worker.set_broad(broad);
    let (mut solved, mut tried) = (0, 0);
    for line in text
        .lines()
        .filter(|line| line.contains(" bm "))
        .step_by(step)
    {
        let (fen, rest) = line.split_once(" bm ").expect("a best move");
        let best = rest.split(';').next().unwrap_or_default();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let found = search(&mut worker, fen, &limits).best();
        let position: Position = fen.parse().expect(fen);
        tried += 1;
        solved += usize::from(
            best.split_whitespace()
                .filter_map(|san| parse_san(&position, san))
                .any(|mv| Some(mv) == found),
        );
        worker.forget();
    }
    (solved, tried)
}

/// A bound well below what the engine solves with more time, so that only breakage trips it.
#[test]
fn most_of_win_at_chess() {
    let Some(text) = data_text("epd/wacnew.epd") else {
        return;
    };
    let (solved, tried) = solve(&text, 6, 100_000, false);
    assert!(solved * 100 >= tried * 55, "{solved} of {tried}");
}

/// Who analyses is told of sacrifices that a game has no time for.
#[test]
fn a_broad_search_finds_more() {
    let Some(text) = data_text("epd/ecmgcp.epd") else {
        return;
    };
    let (in_games, _) = solve(&text, 3, 100_000, false);
    let (broad, tried) = solve(&text, 3, 100_000, true);
    assert!(broad > in_games, "{broad} and {in_games} of {tried}");
}

#[test]
fn mate_on_the_hundredth_half_move_wins_and_anything_else_draws() {
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let mates = search(&mut worker(), "7k/8/6K1/8/8/8/8/R7 w - - 99 80", &limits);
    assert_eq!(mates.score().mate_in(), Some(1), "{mates:?}");
    let late = search(&mut worker(), "7k/8/8/6K1/8/8/8/R7 w - - 99 80", &limits);
    assert!(late.score().0.abs() <= 1, "{late:?}");
}

#[test]
fn same_colored_bishops_draw_and_a_pair_wins() {
    let limits = Limits {
        depth: Some(12),
        ..Limits::default()
    };
    let drawn = search(
        &mut worker(),
        "8/8/4k3/8/8/2B1B3/1B2K3/8 w - - 0 1",
        &limits,
    );
    assert!(drawn.score().0.abs() <= 1, "{drawn:?}");
    let won = search(&mut worker(), "8/8/4k3/8/8/3BB3/4K3/8 w - - 0 1", &limits);
    assert!(won.score() >= Score(1_000), "{won:?}");
}

#[test]
fn fixed_nodes_give_the_same_search_every_time() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10";
    let limits = Limits {
        nodes: Some(30_000),
        ..Limits::default()
    };
    let mut results = (0..3).map(|_| {
        let outcome = search(&mut worker(), fen, &limits);
        (outcome.line.pv.clone(), outcome.score(), outcome.line.nodes)
    });
    let first = results.next();
    assert!(results.all(|result| Some(result) == first));
}
