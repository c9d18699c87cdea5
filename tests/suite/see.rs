//! Static exchange evaluation against a published list of positions with exact values.

use prelate::movegen::{legal, notation, role_value, see_at_least};
use prelate::position::Position;
use prelate::types::{Move, Role};

use crate::support::data_text;

/// The largest value that `see_at_least` grants, asked with every hundred from `-2000` up.
fn value(position: &Position, mv: Move) -> Option<i32> {
    (-20..=20)
        .map(|hundreds| hundreds * 100)
        .rev()
        .find(|&threshold| see_at_least(position, mv, threshold))
}

/// The moves a SAN text names: in one line of the list two knights fit, and either will do.
fn named(position: &Position, san: &str) -> Vec<Move> {
    if let Some(mv) = notation::parse_san(position, san) {
        return vec![mv];
    }
    let role = san.chars().next().and_then(Role::from_letter);
    legal(position)
        .into_iter()
        .filter(|mv| position.board().role_on(mv.from()) == role)
        .filter(|mv| san.ends_with(&mv.to().to_string()))
        .collect()
}

#[test]
fn published_values_are_exact() {
    let Some(text) = data_text("epd/see.epd") else {
        return;
    };
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let &[fen, san, expected, ..] = &fields[..] else {
            panic!("{line} has no three fields");
        };
        let position: Position = fen.parse().expect(line);
        let expected: i32 = expected.parse().expect(line);
        let moves = named(&position, san);
        assert!(!moves.is_empty(), "{line} names no legal move");
        for mv in moves {
            let exact =
                see_at_least(&position, mv, expected) && !see_at_least(&position, mv, expected + 1);
            if !exact {
                wrong.push(format!("{line}: found {:?}", value(&position, mv)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn promotions_count_while_the_exchange_goes_on() {
    for (fen, san, expected) in [
        // Taking back promotes: the knight costs itself and a new queen.
        ("3N4/2P5/2n5/1k6/8/8/8/4K3 b - -", "Nxd8", -800),
        // The rook had better not take back, since the pawn then takes it and promotes.
        ("3n3r/2P5/8/1k6/8/8/3Q4/4K3 w - -", "Qxd8", 300),
        // A pawn that promotes stakes a queen, so the bishop takes first.
        ("8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - -", "Nxd1", 0),
    ] {
        let position: Position = fen.parse().unwrap();
        let mv = notation::parse_san(&position, san).expect(san);
        assert_eq!(value(&position, mv), Some(expected), "{san} in {fen}");
    }
}

/// A greater demand is never easier to meet, and nobody wins more than what stands there.
#[test]
fn thresholds_are_monotonous_and_bounded() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position: Position = fen.parse().unwrap();
    for mv in legal(&position) {
        let found = value(&position, mv).expect("no exchange loses more than two queens");
        for threshold in (-2_000..=2_000).step_by(50) {
            assert_eq!(
                see_at_least(&position, mv, threshold),
                threshold <= found,
                "{mv:?} at {threshold}"
            );
        }
        let most = if mv.is_castling() {
            0
        } else {
            position.board().role_on(mv.to()).map_or(0, role_value)
        };
        let least = position.board().role_on(mv.from()).map_or(0, role_value);
        assert!((-least..=most).contains(&found), "{mv:?} is worth {found}");
    }
    assert_eq!(role_value(Role::Queen), 900);
}
