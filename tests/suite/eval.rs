//! The evaluation: the same for both colours, and knowing its endgames.

use prelate::eval::Evaluator;
use prelate::eval::classical::report::Report;
use prelate::movegen::legal;
use prelate::position::Position;
use prelate::types::Score;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn evaluate(position: &Position) -> Score {
    Evaluator::default().evaluate(position)
}

fn parse(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same position with the colours exchanged and the board turned round.
fn exchanged(position: &Position) -> Position {
    let fen = position.shredder_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let turn = |letter: char| {
            if letter.is_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        text.chars().map(turn).collect()
    };
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let castling = swap(fields[2]);
    parse(&format!(
        "{} {side} {castling} {en_passant} 0 1",
        swap(&ranks.join("/"))
    ))
}

#[test]
fn both_colors_are_judged_alike() {
    let mut random = SmallRng::seed_from_u64(3);
    for _ in 0..200 {
        let mut position = Position::default();
        for _ in 0..random.random_range(10..160) {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.random_range(0..moves.len())]);
            assert_eq!(
                evaluate(&position),
                evaluate(&exchanged(&position)),
                "{position}"
            );
        }
    }
}

#[test]
fn the_cache_changes_nothing() {
    let mut random = SmallRng::seed_from_u64(4);
    let mut evaluator = Evaluator::default();
    let mut position = Position::default();
    for _ in 0..2_000 {
        let moves = legal(&position);
        if moves.is_empty() || position.board().occupied().count() < 6 {
            position = Position::default();
            continue;
        }
        position.make(moves[random.random_range(0..moves.len())]);
        assert_eq!(
            evaluator.evaluate(&position),
            evaluate(&position),
            "{position}"
        );
    }
}

#[test]
fn the_report_adds_up_to_the_evaluation() {
    for fen in [
        prelate::position::STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/5pk1/4p1p1/7p/3bP2P/5PP1/3B2K1/8 w - - 0 40",
    ] {
        let position = parse(fen);
        let report = Report::new(&position);
        let own = evaluate(&position);
        let white = if fen.contains(" w ") { own } else { -own };
        assert_eq!(report.score(), white, "{fen}");
        assert!(report.to_string().contains("bishop pair"), "{report}");
    }
}

/// White's advantage in endgames that are drawn, or won, whatever a count of material says.
#[test]
fn endgames_are_known() {
    let drawn = [
        ("8/8/8/4k3/8/8/4KN2/8 w - - 0 1", "a knight alone"),
        ("8/8/8/4k3/8/8/3NKN2/8 w - - 0 1", "two knights"),
        (
            "k7/8/8/8/P7/8/3BK3/8 w - - 0 1",
            "the wrong bishop for the corner of a8",
        ),
        (
            "1k6/8/8/8/P7/8/4K3/2B3B1 w - - 0 1",
            "two bishops, both wrong, by promotion",
        ),
    ];
    for (fen, why) in drawn {
        let score = evaluate(&parse(fen));
        assert!(score.0.abs() < 100, "{why}: {score} in {fen}");
    }
    let won = [
        ("8/8/8/4k3/8/8/4K3/R7 w - - 0 1", "a rook"),
        ("8/8/8/4k3/8/8/2BBK3/8 w - - 0 1", "a pair of bishops"),
        ("8/8/8/4k3/8/8/3BKN2/8 w - - 0 1", "bishop and knight"),
    ];
    for (fen, why) in won {
        let score = evaluate(&parse(fen));
        assert!(score.0 >= 1_000, "{why}: {score} in {fen}");
    }
}
