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

/// The rows add up to the total, and the total to the evaluation, in known endings too; what is
/// not asked for fits a screen.
#[test]
fn the_report_adds_up_to_the_evaluation() {
    for fen in [
        prelate::position::STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/5pk1/4p1p1/7p/3bP2P/5PP1/3B2K1/8 w - - 0 40",
        "1k6/8/8/8/P7/8/4K3/2B3B1 w - - 0 1",
        "8/8/8/4k3/8/8/4K3/R7 w - - 0 1",
        "8/8/8/4k3/8/8/4K3/r7 w - - 0 1",
        "8/8/8/4k3/8/8/3BKN2/8 b - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ] {
        let position = parse(fen);
        let report = Report::new(&position);
        let own = evaluate(&position);
        let white = if fen.contains(" w ") { own } else { -own };
        assert_eq!(report.score(), white, "{fen}");
        let (short, long) = (report.to_string(), format!("{report:#}"));
        for text in [&short, &long] {
            assert_eq!(score_of(text), white, "{fen}\n{text}");
        }
        assert!(short.lines().count() <= 23, "{short}");
        assert!(
            short.lines().all(|line| line.chars().count() <= 80),
            "{short}"
        );
        assert!(long.lines().count() >= short.lines().count());
    }
    let all = format!("{:#}", Report::new(&Position::default()));
    assert!(
        all.contains("bishop pair") && all.contains("outpost knight"),
        "{all}"
    );
}

/// White's score, calculated from the table of a report.
fn score_of(text: &str) -> Score {
    let numbers = |line: &str| -> Vec<i32> {
        let words = line
            .split([' ', ':'])
            .map(|word| word.trim_end_matches('%'));
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let (mut sum, mut score) = ([0; 2], None);
    let mut scale = 100;
    for line in text.lines().skip(2) {
        match numbers(line)[..] {
            [.., mg, eg] if line.starts_with("total") => assert_eq!([mg, eg], sum, "{text}"),
            [percent] if line.starts_with("drawish") => scale = percent,
            [phase, 24, ..] if line.starts_with("phase") => {
                let eg = sum[1] * ((scale * 128 + 99) / 100) / 128;
                score = Some(Score((sum[0] * phase + eg * (24 - phase)) / 24));
            }
            [.., mg, eg] if score.is_none() => {
                sum[0] += mg;
                sum[1] += eg;
            }
            _ => {}
        }
    }
    score.expect("a phase")
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
