//! Perft against published counts, standard chess and Chess960.

use prelate::movegen::perft::{Table, perft, table};
use prelate::position::{Position, STARTPOS};

use crate::support::data_text;

/// Depths with more leaves than this are left out.
const MOST_NODES: u64 = 10_000_000;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Checks every `perft DEPTH NODES` line of a file below the `epd FEN` line it belongs to.
fn check_file(name: &str) {
    let Some(text) = data_text(name) else { return };
    let mut position = None;
    let mut checked = 0;
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "epd" => position = Some(rest.parse::<Position>().expect(rest)),
            "perft" => {
                let (depth, nodes) = rest.split_once(' ').expect("depth and nodes");
                let (depth, nodes): (u32, u64) =
                    (depth.parse().unwrap(), nodes.trim().parse().unwrap());
                let position = position.as_mut().expect("a position before its counts");
                if nodes <= MOST_NODES {
                    assert_eq!(perft(position, depth), nodes, "{position} at depth {depth}");
                    checked += 1;
                }
            }
            _ => {}
        }
    }
    assert!(checked > 0, "{name} holds no counts");
}

#[test]
fn tricky_positions() {
    check_file("perft/tricky.perft");
}

#[test]
fn chess960_start_positions() {
    check_file("perft/chess960.perft");
}

#[test]
fn nine_columns() {
    let Some(text) = data_text("perft/columns.csv") else {
        return;
    };
    for line in text.lines().filter(|line| !line.starts_with(['#', 'p'])) {
        let mut fields = line.split(',');
        let fen = match fields.next() {
            Some("startpos") => STARTPOS,
            Some("kiwipete") => KIWIPETE,
            other => panic!("unknown position {other:?}"),
        };
        let numbers: Vec<u64> = fields.map(|field| field.parse().expect(field)).collect();
        let (depth, columns) = numbers.split_first().expect("a depth and nine columns");
        if *depth <= 5 {
            let mut position: Position = fen.parse().unwrap();
            let found = table(&mut position, *depth as u32);
            assert_eq!(
                found.columns()[..],
                *columns,
                "{:?} of {fen} at depth {depth}",
                Table::NAMES
            );
        }
    }
}
